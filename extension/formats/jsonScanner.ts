const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const MAX_DEPTH = 1000;
/** The highest bit of each of four bytes. */
const HIGH_BITS = 0x80808080 | 0;

/** What a byte may be after a backslash: 0 nothing, 1 a simple escape, 2 the `u` of four hex digits. */
const ESCAPES = new Uint8Array(256);
for (const c of '"\\/bfnrt') ESCAPES[c.charCodeAt(0)] = 1;
ESCAPES[0x75] = 2;

function isHex(c: number | undefined): boolean {
  return c !== undefined && ((c >= 0x30 && c <= 0x39) || ((c | 0x20) >= 0x61 && (c | 0x20) <= 0x66));
}

function isDigit(c: number | undefined): boolean {
  return c !== undefined && c >= 0x30 && c <= 0x39;
}

/**
 * Walks over JSON text in bytes, without building values. Every `skip…` takes the position of the first byte and gives
 * the position after the last one, or -1 where the text is not JSON; `errorAt` is then the place. What it accepts
 * `JSON.parse` accepts; it refuses nesting beyond 1,000 levels, so a refusal is to be checked by parsing.
 */
export class JsonScanner {
  bytes: Uint8Array = new Uint8Array(0);
  /** The same memory, to be read in words of four bytes. */
  view: DataView = new DataView(new ArrayBuffer(0));
  /** End of the bytes to be read. */
  end = 0;
  errorAt = 0;
  /** True when the last string that was skipped holds an escape. */
  escaped = false;
  private readonly nesting = new Uint8Array(MAX_DEPTH);

  /** Takes new bytes; they are not copied. */
  load(bytes: Uint8Array, end = bytes.length): void {
    // Always a plain Uint8Array, never a subclass of it: code that sees one kind of object runs several times faster.
    this.bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.end = end;
  }

  fail(at: number): -1 {
    this.errorAt = at;
    return -1;
  }

  /** True when the bytes at `at` are this literal; `words` are its whole words of four bytes. */
  startsWith(at: number, literal: Uint8Array, words: Int32Array): boolean {
    const { view, bytes } = this;
    const length = literal.length;
    if (at + length > this.end) return false;
    const count = words.length;
    let i = 0;
    for (; i + 3 < count; i += 4) {
      const from = at + (i << 2);
      const difference =
        (view.getInt32(from, true) ^ words[i]!) |
        (view.getInt32(from + 4, true) ^ words[i + 1]!) |
        (view.getInt32(from + 8, true) ^ words[i + 2]!) |
        (view.getInt32(from + 12, true) ^ words[i + 3]!);
      if (difference !== 0) return false;
    }
    for (; i < count; i++) if (view.getInt32(at + (i << 2), true) !== words[i]) return false;
    for (i = count << 2; i < length; i++) if (bytes[at + i] !== literal[i]) return false;
    return true;
  }

  /** Called with every text (without its quotes) and number that `skipValue` passes. */
  protected passed(_start: number, _end: number, _isNumber: boolean): void {}

  /** Position of the next byte that is no blank. */
  skipBlanks(start: number): number {
    const { bytes, end } = this;
    let at = start;
    while (at < end) {
      const c = bytes[at];
      if (c !== 0x20 && c !== 0x09 && c !== 0x0d) break;
      at++;
    }
    return at;
  }

  /**
   * From after the opening quote to after the closing one, eight bytes at a time up to the next quote, backslash or
   * control character. (Of the bytes `c ^ 2`, just those of quotes and control characters are below 0x21.)
   */
  skipString(start: number): number {
    const { bytes, view, end } = this;
    const last = end - 8;
    let at = start;
    let escaped = false;
    for (;;) {
      while (at <= last) {
        const one = view.getInt32(at, true);
        const two = view.getInt32(at + 4, true);
        const inOne = (((one ^ 0x02020202) - 0x21212121) | ((one ^ 0x5c5c5c5c) - 0x01010101)) & ~one;
        const inTwo = (((two ^ 0x02020202) - 0x21212121) | ((two ^ 0x5c5c5c5c) - 0x01010101)) & ~two;
        if (((inOne | inTwo) & HIGH_BITS) !== 0) {
          const special = inOne & HIGH_BITS;
          if (special !== 0) at += (31 - Math.clz32(special & -special)) >> 3;
          else at += 4 + ((31 - Math.clz32(inTwo & HIGH_BITS & -(inTwo & HIGH_BITS))) >> 3);
          break;
        }
        at += 8;
      }
      if (at >= end) return this.fail(end);
      const c = bytes[at]!;
      if (c === QUOTE) {
        this.escaped = escaped;
        return at + 1;
      }
      if (c === BACKSLASH) {
        escaped = true;
        const kind = at + 1 < end ? ESCAPES[bytes[at + 1]!] : 0;
        if (kind === 1) at += 2;
        else if (
          kind === 2 &&
          at + 5 < end &&
          isHex(bytes[at + 2]) &&
          isHex(bytes[at + 3]) &&
          isHex(bytes[at + 4]) &&
          isHex(bytes[at + 5])
        ) {
          at += 6;
        } else return this.fail(at);
      } else if (c < 0x20) return this.fail(at);
      else at++;
    }
  }

  skipNumber(start: number): number {
    const { bytes } = this;
    let at = start;
    if (bytes[at] === 0x2d) at++;
    if (bytes[at] === 0x30) at++;
    else if (isDigit(bytes[at])) while (isDigit(bytes[at])) at++;
    else return this.fail(at);
    if (bytes[at] === 0x2e) {
      at++;
      if (!isDigit(bytes[at])) return this.fail(at);
      while (isDigit(bytes[at])) at++;
    }
    if (bytes[at] === 0x65 || bytes[at] === 0x45) {
      at++;
      if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
      if (!isDigit(bytes[at])) return this.fail(at);
      while (isDigit(bytes[at])) at++;
    }
    return at > this.end ? this.fail(this.end) : at;
  }

  private skipWord(start: number, word: string): number {
    for (let i = 0; i < word.length; i++) {
      if (start + i >= this.end || this.bytes[start + i] !== word.charCodeAt(i)) return this.fail(start + i);
    }
    return start + word.length;
  }

  /** A string, number, `true`, `false` or `null`. */
  private skipPlain(at: number): number {
    switch (this.bytes[at]) {
      case QUOTE: {
        const after = this.skipString(at + 1);
        this.passed(at + 1, after - 1, false);
        return after;
      }
      case 0x74:
        return this.skipWord(at, 'true');
      case 0x66:
        return this.skipWord(at, 'false');
      case 0x6e:
        return this.skipWord(at, 'null');
      default: {
        const after = this.skipNumber(at);
        this.passed(at, after, true);
        return after;
      }
    }
  }

  /** From the opening quote of a key to the first byte of its value. */
  skipKey(start: number): number {
    if (start >= this.end || this.bytes[start] !== QUOTE) return this.fail(start);
    let at = this.skipString(start + 1);
    if (at < 0) return -1;
    if (this.bytes[at] !== COLON) at = this.skipBlanks(at);
    if (at >= this.end || this.bytes[at] !== COLON) return this.fail(at);
    return this.skipBlanks(at + 1);
  }

  /** Any value. */
  skipValue(start: number): number {
    const { bytes, end, nesting } = this;
    let depth = 0;
    let at = start;
    for (;;) {
      // At the first byte of a value.
      if (at >= end) return this.fail(end);
      const c = bytes[at]!;
      if (c === OPEN_BRACE || c === OPEN_BRACKET) {
        const inner = this.skipBlanks(at + 1);
        if (inner < end && bytes[inner] === (c === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)) {
          at = inner + 1;
        } else {
          if (depth === MAX_DEPTH) return this.fail(at);
          nesting[depth++] = c;
          if (c === OPEN_BRACE) {
            at = this.skipKey(inner);
            if (at < 0) return -1;
          } else at = inner;
          continue;
        }
      } else {
        at = this.skipPlain(at);
        if (at < 0) return -1;
      }
      // After a value: close what ends here, up to the next value.
      for (;;) {
        if (depth === 0) return at;
        at = this.skipBlanks(at);
        if (at >= end) return this.fail(end);
        const open = nesting[depth - 1]!;
        if (bytes[at] === COMMA) {
          at = this.skipBlanks(at + 1);
          if (open === OPEN_BRACE) {
            at = this.skipKey(at);
            if (at < 0) return -1;
          }
          break;
        }
        if (bytes[at] !== (open === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)) return this.fail(at);
        at++;
        depth--;
      }
    }
  }

  /** After a member of an object: position of the next key's quote; -2 when the object ended (`errorAt` is after it). */
  nextMember(start: number): number {
    const at = this.skipBlanks(start);
    if (at < this.end && this.bytes[at] === COMMA) return this.skipBlanks(at + 1);
    if (at < this.end && this.bytes[at] === CLOSE_BRACE) {
      this.errorAt = at + 1;
      return -2;
    }
    return this.fail(at);
  }

  /** After an item of an array: position of the next item; -2 when the array ended (`errorAt` is after it). */
  nextItem(start: number): number {
    const at = this.skipBlanks(start);
    if (at < this.end && this.bytes[at] === COMMA) return this.skipBlanks(at + 1);
    if (at < this.end && this.bytes[at] === CLOSE_BRACKET) {
      this.errorAt = at + 1;
      return -2;
    }
    return this.fail(at);
  }
}
