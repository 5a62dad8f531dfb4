/** The three bytes of a byte order mark, which some editors write before the first line. */
export const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/** True when the bytes from `start` to `end` are well-formed UTF-8: no overlong form, no surrogate, nothing cut. */
export function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end) {
    const c = bytes[at++]!;
    if (c < 0x80) continue;
    let more: number;
    let low = 0x80;
    let high = 0xbf;
    if (c >= 0xc2 && c <= 0xdf) more = 1;
    else if (c >= 0xe0 && c <= 0xef) {
      more = 2;
      if (c === 0xe0) low = 0xa0;
      if (c === 0xed) high = 0x9f;
    } else if (c >= 0xf0 && c <= 0xf4) {
      more = 3;
      if (c === 0xf0) low = 0x90;
      if (c === 0xf4) high = 0x8f;
    } else return false;
    if (at + more > end) return false;
    const first = bytes[at++]!;
    if (first < low || first > high) return false;
    for (let i = 1; i < more; i++) {
      const next = bytes[at++]!;
      if (next < 0x80 || next > 0xbf) return false;
    }
  }
  return true;
}

/** The UTF-8 bytes of a text; a lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (const character of text) {
    let c = character.codePointAt(0)!;
    if (c >= 0xd800 && c <= 0xdfff) c = 0xfffd;
    if (c < 0x80) bytes[length++] = c;
    else if (c < 0x800) {
      bytes[length++] = 0xc0 | (c >> 6);
      bytes[length++] = 0x80 | (c & 63);
    } else if (c < 0x10000) {
      bytes[length++] = 0xe0 | (c >> 12);
      bytes[length++] = 0x80 | ((c >> 6) & 63);
      bytes[length++] = 0x80 | (c & 63);
    } else {
      bytes[length++] = 0xf0 | (c >> 18);
      bytes[length++] = 0x80 | ((c >> 12) & 63);
      bytes[length++] = 0x80 | ((c >> 6) & 63);
      bytes[length++] = 0x80 | (c & 63);
    }
  }
  return bytes.subarray(0, length);
}
