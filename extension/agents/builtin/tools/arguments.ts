import type { Json, JsonObject } from '../../../engine/transcript/message';
import { isObject } from '../../../engine/transcript/message';

/**
 * Checks the arguments of a call against the part of JSON schema that our tools use: an object with `properties` of
 * type string, integer or boolean, `minimum`, `maximum`, `minLength`, `required`, and nothing else allowed.
 * Gives every problem, each as a sentence for the model; none: the arguments are good.
 */
export function checkArguments(schema: JsonObject, input: unknown): readonly string[] {
  if (!isObject(input)) return [`the arguments must be a JSON object, not ${kindOf(input)}`];
  const properties = isObject(schema.properties) ? schema.properties : {};
  const names = Object.keys(properties);
  const problems: string[] = [];
  const unknown = Object.keys(input).filter((key) => !Object.hasOwn(properties, key));
  if (unknown.length > 0) problems.push(`unknown argument(s): ${unknown.join(', ')} (allowed: ${names.join(', ')})`);
  for (const name of required(schema)) {
    if (input[name] === undefined) problems.push(`\`${name}\` is missing`);
  }
  for (const name of names) {
    const problem = checkValue(name, properties[name], input[name]);
    if (problem !== null) problems.push(problem);
  }
  return problems;
}

function required(schema: JsonObject): readonly string[] {
  const list = Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [];
  return list.filter((name) => typeof name === 'string');
}

function checkValue(name: string, rule: Json | undefined, value: Json | undefined): string | null {
  if (value === undefined || !isObject(rule)) return null;
  switch (rule.type) {
    case 'string':
      if (typeof value !== 'string') return `\`${name}\` must be a string, not ${kindOf(value)}`;
      if (typeof rule.minLength === 'number' && value.length < rule.minLength) return `\`${name}\` must not be empty`;
      return null;
    case 'boolean':
      return typeof value === 'boolean' ? null : `\`${name}\` must be true or false, not ${kindOf(value)}`;
    case 'integer':
      if (typeof value !== 'number' || !Number.isInteger(value)) {
        return `\`${name}\` must be a whole number, not ${kindOf(value)}`;
      }
      if (typeof rule.minimum === 'number' && value < rule.minimum)
        return `\`${name}\` must be at least ${rule.minimum}`;
      if (typeof rule.maximum === 'number' && value > rule.maximum)
        return `\`${name}\` must be at most ${rule.maximum}`;
      return null;
    default:
      return null;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a fraction';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}
