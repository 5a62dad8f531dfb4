/** What a character is to a token: not looked up yet, outside, inside. */
const UNKNOWN = 0;
const OUTSIDE = 1;
const INSIDE = 2;
const COLON = 0x3a;
const FULL_STOP = 0x2e;
const WORD = /^[\p{L}\p{M}\p{Nd}_\-./\\#]$/u;

/** Kinds of the characters of the Basic Multilingual Plane, filled as they are met. */
const kinds = new Uint8Array(0x10000);

function isInside(codePoint: number): boolean {
  if (codePoint > 0xffff) {
    return WORD.test(String.fromCodePoint(codePoint));
  }
  if (kinds[codePoint] === UNKNOWN) {
    kinds[codePoint] = WORD.test(String.fromCodePoint(codePoint)) ? INSIDE : OUTSIDE;
  }
  return kinds[codePoint] === INSIDE;
}

/**
 * Calls `visit` with every token of a text until it answers true; gives whether it did. A token is a run of letters,
 * marks, digits, `_ - . / \ #` and `::`, without full stops at its end.
 */
export function eachToken(text: string, visit: (token: string) => boolean): boolean {
  const { length } = text;
  let start = -1;
  for (let at = 0; at <= length;) {
    let width = 0;
    if (at < length) {
      const unit = text.charCodeAt(at);
      if (unit === COLON) {
        width = text.charCodeAt(at + 1) === COLON ? 2 : 0;
      } else if (unit >= 0xd800 && unit <= 0xdfff) {
        const codePoint = text.codePointAt(at) ?? 0;
        width = isInside(codePoint) ? (codePoint > 0xffff ? 2 : 1) : 0;
      } else {
        width = isInside(unit) ? 1 : 0;
      }
    }
    if (width > 0) {
      start = start < 0 ? at : start;
      at += width;
      continue;
    }
    if (start >= 0) {
      let end = at;
      while (end > start && text.charCodeAt(end - 1) === FULL_STOP) {
        end--;
      }
      if (end > start && visit(text.slice(start, end))) {
        return true;
      }
      start = -1;
    }
    at++;
  }
  return false;
}

const FILE_ENDING = /\.\p{L}[\p{L}\p{M}\p{Nd}]{0,7}$/u;
const LETTER = /\p{L}/u;
const INNER_CAPITAL = /\p{Ll}\p{Lu}/u;
const HEX = /^[0-9a-f]{7,64}$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NUMBER_SIGN = /^#\p{Nd}+$/u;

/** Whether a token is spelled like a path, symbol, object id, hash or `#` number. An ordinary word is none. */
export function isIdentifier(token: string): boolean {
  return (
    token.includes('/') ||
    token.includes('\\') ||
    token.includes('::') ||
    (token.includes('_') && [...token].length >= 6 && LETTER.test(token)) ||
    (token.includes('.') && FILE_ENDING.test(token)) ||
    INNER_CAPITAL.test(token) ||
    HEX.test(token) ||
    UUID.test(token) ||
    NUMBER_SIGN.test(token)
  );
}
