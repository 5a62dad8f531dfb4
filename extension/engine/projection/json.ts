import type { Json } from '../transcript/message';

/** Deeper values are refused: nobody nests messages like that, and a cycle has no end. */
const DEEPEST = 1000;

/**
 * A copy of a value that shares nothing with it. Members that are undefined are left out.
 * @throws {TypeError} for what JSON cannot hold, and for nesting without end.
 */
export function copyJson(value: unknown, depth = 0): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') {
    return value;
  }
  if (depth > DEEPEST) {
    throw new TypeError('it is nested too deeply');
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown) => copyJson(item, depth + 1));
  }
  if (typeof value !== 'object') {
    throw new TypeError(`it holds a value of type ${typeof value}`);
  }
  const entries = Object.entries(value as Readonly<Record<string, unknown>>)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]): [string, Json] => [key, copyJson(member, depth + 1)]);
  return Object.fromEntries(entries);
}
