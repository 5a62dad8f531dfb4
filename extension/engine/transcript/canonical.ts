import type { Json, JsonObject } from './message';
import { isObject } from './message';

/** A value has no canonical form: it holds a lone surrogate or a number that is not finite. */
export class CanonicalError extends Error {
  override readonly name = 'CanonicalError';
}

const LONE = /\p{Surrogate}/u;
const EVERY_LONE = /\p{Surrogate}/gu;
const PLAIN = /^[ !#-[\]-~]*$/;
/** Short plain texts are quoted by hand, which is faster than a call of the serializer. */
const SHORT = 24;
/** Deeper values are written without recursion, so that no nesting overflows the stack. */
const DEEP = 200;
const MAX_KEYS = 4096;
const MAX_KEY = 64;

/**
 * The JSON Canonicalization Scheme (RFC 8785) form of a value.
 * @throws {CanonicalError} for a lone surrogate or a number that is not finite.
 */
export function canonicalJson(value: Json): string {
  const text = write(value, compareUnits, 0, true);
  if (mayHoldLone(text) && replaceLone(text) !== text) {
    throw new CanonicalError('The value holds a lone surrogate, which has no canonical form.');
  }
  return text;
}

/**
 * The canonical form as it is hashed: as `canonicalJson`, but it never fails. A lone surrogate becomes U+FFFD, a number
 * that is not finite becomes null.
 */
export function canonicalText(value: Json): string {
  const text = canonicalDraft(value);
  return mayHoldLone(text) && replaceLone(text) !== text
    ? replaceLone(write(value, compareWellFormed, 0, false))
    : text;
}

/** As `canonicalText`, unless `mayHoldLone` says of the text that it may hold a lone surrogate. */
export function canonicalDraft(value: Json): string {
  return write(value, compareUnits, 0, false);
}

/** JSON on one line, members in their own order. Takes any depth; a number that is not finite becomes null. */
export function compactJson(value: Json): string {
  return write(value, () => 0, 0, false);
}

type Compare = (a: string, b: string) => number;

const compareUnits: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

const compareWellFormed: Compare = (a, b) => compareUnits(wellFormed(a), wellFormed(b));

function wellFormed(text: string): string {
  return LONE.test(text) ? text.replace(EVERY_LONE, '\ufffd') : text;
}

/** JSON writes a lone surrogate as an escape; nothing else in its output begins like that but an escaped backslash. */
export function mayHoldLone(text: string): boolean {
  return text.includes('\\ud');
}

function replaceLone(text: string): string {
  return text.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escape) => (escape.startsWith('\\ud') ? '\ufffd' : escape));
}

function write(value: Json | undefined, compare: Compare, depth: number, strict: boolean): string {
  if (typeof value !== 'object' || value === null) {
    return writePlain(value, strict);
  }
  if (depth > DEEP) {
    return writeDeep(value, compare, strict);
  }
  if (!isObject(value)) {
    let out = '[';
    for (let index = 0; index < value.length; index++) {
      out += (index > 0 ? ',' : '') + write(value[index], compare, depth + 1, strict);
    }
    return out + ']';
  }
  const keys = sortedKeys(value, compare);
  let out = '{';
  let first = true;
  for (const key of keys) {
    const member = value[key];
    if (member !== undefined) {
      out += (first ? '' : ',') + quoteKey(key) + write(member, compare, depth + 1, strict);
      first = false;
    }
  }
  return out + '}';
}

/** One open object or list, with what is still to be written of it. */
interface Frame {
  readonly value: readonly Json[] | JsonObject;
  readonly keys: readonly string[] | null;
  next: number;
  first: boolean;
}

function writeDeep(root: readonly Json[] | JsonObject, compare: Compare, strict: boolean): string {
  const open = (value: readonly Json[] | JsonObject): Frame => ({
    value,
    keys: isObject(value) ? sortedKeys(value, compare) : null,
    next: 0,
    first: true,
  });
  const frames = [open(root)];
  const out: string[] = [isObject(root) ? '{' : '['];
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const { value, keys } = frame;
    const length = keys === null ? (value as readonly Json[]).length : keys.length;
    if (frame.next === length) {
      out.push(keys === null ? ']' : '}');
      frames.pop();
      continue;
    }
    const key = keys?.[frame.next] ?? '';
    const member = keys === null ? (value as readonly Json[])[frame.next] : (value as JsonObject)[key];
    frame.next++;
    if (keys !== null && member === undefined) {
      continue;
    }
    out.push((frame.first ? '' : ',') + (keys === null ? '' : quoteKey(key)));
    frame.first = false;
    if (typeof member === 'object' && member !== null) {
      frames.push(open(member));
      out.push(isObject(member) ? '{' : '[');
    } else {
      out.push(writePlain(member, strict));
    }
  }
  return out.join('');
}

function writePlain(value: null | boolean | number | string | undefined, strict: boolean): string {
  switch (typeof value) {
    case 'string':
      return value.length < SHORT && PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
    case 'number':
      if (Number.isFinite(value)) {
        return String(value);
      }
      if (strict) {
        throw new CanonicalError(`The value holds ${value}, which has no canonical form.`);
      }
      return 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      return 'null';
  }
}

function sortedKeys(value: JsonObject, compare: Compare): readonly string[] {
  const keys = Object.keys(value);
  for (let index = 1; index < keys.length; index++) {
    if (compare(keys[index - 1] ?? '', keys[index] ?? '') > 0) {
      return keys.sort(compare);
    }
  }
  return keys;
}

/** Keys repeat in every message: each is quoted once. */
const quotedKeys = new Map<string, string>();

function quoteKey(key: string): string {
  const known = quotedKeys.get(key);
  if (known !== undefined) {
    return known;
  }
  const quoted = `${JSON.stringify(key)}:`;
  if (quotedKeys.size < MAX_KEYS && key.length <= MAX_KEY) {
    quotedKeys.set(key, quoted);
  }
  return quoted;
}
