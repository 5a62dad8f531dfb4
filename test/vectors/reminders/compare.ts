import { INSTRUCTION } from '../../../extension/engine/reminders/envelope';
import type { Json, JsonObject } from '../../../extension/engine/transcript/message';
import { isObject } from '../../../extension/engine/transcript/message';

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Replaces every `$repeat` by what it stands for. */
export function expand(value: Json): Json {
  if (Array.isArray(value)) {
    return (value as readonly Json[]).flatMap((item) => {
      const times = repeatOf(item);
      if (times === null || typeof (item as JsonObject)['$repeat'] === 'string') return [expand(item)];
      const element = (item as JsonObject)['$repeat'] ?? null;
      return Array.from({ length: times }, (_, index) => expand(number(element, index + 1)));
    });
  }
  if (!isObject(value)) return value;
  const text = value['$repeat'];
  const times = repeatOf(value);
  if (times !== null && typeof text === 'string') return text.repeat(times);
  return mapMembers(value, expand);
}

function repeatOf(value: Json): number | null {
  if (!isObject(value) || !Object.hasOwn(value, '$repeat')) return null;
  return typeof value['times'] === 'number' ? value['times'] : null;
}

function mapMembers(value: JsonObject, change: (member: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member ?? null)]));
}

/** Every text of a value changed. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => mapTexts(item, change));
  return isObject(value) ? mapMembers(value, (member) => mapTexts(member, change)) : value;
}

/** `{{i}}` in the texts of a value replaced by a number. */
export function number(value: Json, index: number): Json {
  return mapTexts(value, (text) => text.replaceAll('{{i}}', String(index)));
}

/** Says how a value differs from what is expected: objects by their listed members, arrays whole, rules on texts. */
export function compareListed(place: string, actual: unknown, expected: Json): readonly string[] {
  if (expected === null) return actual === null || actual === undefined ? [] : [differs(place, actual, expected)];
  if (typeof expected === 'string') return compareText(place, actual, expected);
  if (Array.isArray(expected)) {
    const items = expected as readonly Json[];
    if (!Array.isArray(actual) || actual.length !== items.length) return [differs(place, actual, expected)];
    return items.flatMap((item, index) => compareListed(`${place}[${index}]`, (actual as unknown[])[index], item));
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return [differs(place, actual, expected)];
    return Object.entries(expected).flatMap(([key, member]) => compareMember(place, actual, key, member ?? null));
  }
  return actual === expected ? [] : [differs(place, actual, expected)];
}

function compareText(place: string, actual: unknown, expected: string): readonly string[] {
  const fits = {
    '{{NULL}}': actual === null,
    '{{ABSENT}}': actual === undefined,
    '{{STRING}}': typeof actual === 'string' && actual !== '',
    '{{UUID7}}': typeof actual === 'string' && uuid7.test(actual),
  }[expected];
  const equal = fits ?? actual === expected.replaceAll('{{INSTRUCTION}}', INSTRUCTION);
  return equal ? [] : [differs(place, actual, expected)];
}

const rules: Readonly<Record<string, (text: string, wanted: Json) => boolean>> = {
  _contains: (text, wanted) => textsOf(wanted).every((part) => text.includes(part)),
  _lacks: (text, wanted) => textsOf(wanted).every((part) => !text.includes(part)),
  _starts_with: (text, wanted) => textsOf(wanted).every((part) => text.startsWith(part)),
  _in_order: (text, wanted) => {
    const places = textsOf(wanted).map((part) => text.indexOf(part));
    return places.every((at, index) => at >= 0 && (index === 0 || at > (places[index - 1] ?? 0)));
  },
  _occurrences: (text, wanted) =>
    isObject(wanted) && Object.entries(wanted).every(([part, times]) => text.split(part).length - 1 === times),
  _well_formed: (text) => !/\p{Surrogate}/u.test(text) && !text.includes('\uFFFD'),
};

function textsOf(wanted: Json): readonly string[] {
  const list: readonly Json[] = Array.isArray(wanted) ? (wanted as readonly Json[]) : [wanted];
  return list.map((part) => textOf(part).replaceAll('{{INSTRUCTION}}', INSTRUCTION));
}

function compareMember(place: string, actual: JsonObject, key: string, expected: Json): readonly string[] {
  const ending = Object.keys(rules).find((name) => key.endsWith(name));
  if (ending === undefined) return compareListed(`${place}.${key}`, actual[key], expected);
  const member = key.slice(0, -ending.length);
  const text = actual[member];
  const holds = typeof text === 'string' && rules[ending]?.(text, expected) === true;
  return holds ? [] : [`${place}.${member}: rule ${ending} ${show(expected)} does not hold for ${show(text)}`];
}

/** What an error has to be; only what is listed is compared. */
export function compareError(place: string, thrown: unknown, expected: Json): readonly string[] {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const { code, rpc, reason, contains } = isObject(expected) ? expected : {};
  const problems: string[] = [];
  const given = thrown as { readonly rpc?: unknown; readonly reason?: unknown };
  if (typeof code === 'string' && !message.includes(code)) problems.push(`expected ${code}: ${message}`);
  if (code === null && message.includes('HARN-RMD-')) problems.push(`expected no code: ${message}`);
  if (rpc !== undefined && given.rpc !== rpc) problems.push(`expected error ${show(rpc)}, got ${show(given.rpc)}`);
  if (reason !== undefined && given.reason !== reason) {
    problems.push(`expected reason ${show(reason)}, got ${show(given.reason)}`);
  }
  for (const part of contains === undefined ? [] : textsOf(contains)) {
    if (!message.includes(part)) problems.push(`the error does not name ${show(part)}: ${message}`);
  }
  return problems.map((problem) => `${place}: ${problem}`);
}

function differs(place: string, actual: unknown, expected: Json): string {
  return `${place}: expected ${show(expected)}, got ${show(actual)}`;
}

export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}

/** A value as text: a text as it is, nothing as nothing, anything else as JSON. */
export function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
