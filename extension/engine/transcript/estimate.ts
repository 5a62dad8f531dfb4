import type { Json, JsonObject } from './message';
import { isObject } from './message';

const SURROGATE = /[\ud800-\udfff]/;
const DATA_ADDRESS = /^data:[^,]*;base64,/i;

/** How many characters (Unicode code points) a text has. */
export function codePoints(text: string): number {
  const first = text.search(SURROGATE);
  if (first < 0) {
    return text.length;
  }
  let count = text.length;
  for (let at = first + 1; at < text.length; at++) {
    if (isSurrogate(text, at, 0xdc00) && isSurrogate(text, at - 1, 0xd800)) {
      count--;
    }
  }
  return count;
}

/** True for a unit of the half of the surrogates that starts at `half`. */
function isSurrogate(text: string, at: number, half: 0xd800 | 0xdc00): boolean {
  return (text.charCodeAt(at) & 0xfc00) === half;
}

/**
 * How many characters (code points) of text a value holds: every string value at any depth. Keys, numbers,
 * `_harn_projection`, signatures, encrypted content and image data are no text.
 */
export function charsOf(value: Json | undefined): number {
  if (typeof value === 'string') {
    return charsOfText(value);
  }
  if (typeof value !== 'object' || value === null) {
    return 0;
  }
  let chars = 0;
  const open: (readonly Json[] | JsonObject)[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!isObject(next)) {
      for (const item of next) {
        if (typeof item === 'string') {
          chars += charsOfText(item);
        } else if (typeof item === 'object' && item !== null) {
          open.push(item);
        }
      }
      continue;
    }
    for (const key in next) {
      const member = next[key];
      if (typeof member === 'string') {
        chars += isText(next, key) ? charsOfText(member) : 0;
      } else if (typeof member === 'object' && member !== null && key !== '_harn_projection') {
        open.push(member);
      }
    }
  }
  return chars;
}

function charsOfText(text: string): number {
  return isDataAddress(text) ? 0 : codePoints(text);
}

/** True for a `data:…;base64,` address. */
export function isDataAddress(text: string): boolean {
  return text.startsWith('data:') && DATA_ADDRESS.test(text);
}

/** False for a member whose string is a signature, encrypted content or image data. */
export function isText(owner: JsonObject, key: string): boolean {
  switch (key) {
    case 'signature':
      return owner.type !== 'thinking' && owner.type !== 'reasoning';
    case 'data':
      return owner.media_type === undefined && owner.mimeType === undefined && owner.type !== 'redacted_thinking';
    case 'thinking_signature':
    case 'thoughtSignature':
    case 'encrypted_content':
    case '_harn_projection':
      return false;
    default:
      return true;
  }
}

/** Estimated tokens of so many characters: a quarter, rounded down. Always to be labelled an estimate. */
export function tokensOf(chars: number): number {
  return Math.floor(Math.max(0, chars) / 4);
}
