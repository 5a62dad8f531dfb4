import { encodeUtf8 } from './utf8';

/** Longest id that is remembered word by word, in bytes. */
const MOST_REMEMBERED = 64;

/**
 * Numbers ids (uuids, message ids, call ids) from 0 in the order in which they are first seen, in 16 bytes an id and
 * without a string for any. An id is held as a 128-bit mix of its bytes: two of n are taken for one with a chance of
 * about n² / 2¹²⁹.
 */
export class IdTable {
  private keys = new Int32Array(4 * 1024);
  private slots = new Int32Array(2048).fill(-1);
  private readonly key = new Int32Array(4);
  /** The words of the id that came last, which often comes again at once: as the parent of the next record. */
  private readonly last = new Int32Array((MOST_REMEMBERED >> 2) + 1);
  private lastLength = -1;
  private lastId = -1;
  /** Number of ids. */
  size = 0;

  /** The number of the id in the bytes from `start` to `end`; a new one gets the next number. */
  intern(bytes: DataView, start: number, end: number): number {
    const length = end - start;
    const whole = start + (length & ~3);
    const { last } = this;
    const isShort = length <= MOST_REMEMBERED;
    let same = length === this.lastLength;
    let a = 0x9e3779b9 ^ length;
    let b = 0x243f6a88;
    let c = 0x13198a2e;
    let d = 0x03707344;
    let i = 0;
    for (let at = start; at < whole; at += 4) {
      const word = bytes.getInt32(at, true);
      if (isShort) {
        same &&= last[i] === word;
        last[i++] = word;
      }
      a = Math.imul(a ^ word, 0x9e3779b1);
      b = Math.imul(b + word, 0x85ebca6b) ^ (a >>> 15);
      c = Math.imul(c ^ word, 0xc2b2ae35) ^ (b >>> 13);
      d = Math.imul(d + word, 0x27d4eb2f) ^ (c >>> 11);
    }
    let rest = 0;
    for (let at = whole; at < end; at++) rest = (rest << 8) | bytes.getUint8(at);
    if (isShort) {
      same &&= last[i] === rest;
      last[i] = rest;
    }
    if (same) return this.lastId;
    this.key[0] = Math.imul(a ^ rest ^ (d >>> 7), 0x9e3779b1);
    this.key[1] = Math.imul(b + rest, 0x85ebca6b) ^ (a >>> 15);
    this.key[2] = Math.imul(c ^ rest, 0xc2b2ae35) ^ (b >>> 13);
    this.key[3] = Math.imul(d + rest, 0x27d4eb2f) ^ (c >>> 11);
    this.lastLength = isShort ? length : -1;
    return (this.lastId = this.place());
  }

  internText(id: string): number {
    const bytes = encodeUtf8(id);
    return this.intern(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
  }

  private slotOf(a: number, b: number, c: number, d: number): number {
    let h = Math.imul(a ^ Math.imul(b, 0x85ebca6b), 0x9e3779b1) ^ Math.imul(c ^ Math.imul(d, 0xc2b2ae35), 0x27d4eb2f);
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    return (h ^ (h >>> 13)) & (this.slots.length - 1);
  }

  private place(): number {
    const { keys, slots, key } = this;
    const a = key[0]!;
    const b = key[1]!;
    const c = key[2]!;
    const d = key[3]!;
    let slot = this.slotOf(a, b, c, d);
    for (let id = slots[slot]!; id >= 0; id = slots[slot]!) {
      const at = id << 2;
      if (keys[at] === a && keys[at + 1] === b && keys[at + 2] === c && keys[at + 3] === d) return id;
      slot = (slot + 1) & (slots.length - 1);
    }
    const id = this.size++;
    slots[slot] = id;
    if (this.size << 2 > keys.length) {
      this.keys = new Int32Array(keys.length * 2);
      this.keys.set(keys);
    }
    this.keys.set(key, id << 2);
    if (this.size * 2 > slots.length) this.rehash();
    return id;
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 2).fill(-1);
    this.slots = slots;
    for (let id = 0; id < this.size; id++) {
      const at = id << 2;
      let slot = this.slotOf(this.keys[at]!, this.keys[at + 1]!, this.keys[at + 2]!, this.keys[at + 3]!);
      while (slots[slot]! >= 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = id;
    }
  }
}
