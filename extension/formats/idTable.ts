import { encodeUtf8 } from './utf8';

/**
 * Numbers ids (uuids, message ids, call ids) from 0 in the order in which they are first seen, in 16 bytes an id and
 * without a string for any. An id is held as a 128-bit mix of its bytes: two of n are taken for one with a chance of
 * about n² / 2¹²⁹.
 */
export class IdTable {
  private keys = new Int32Array(4 * 1024);
  private slots = new Int32Array(2048).fill(-1);
  private readonly key = new Int32Array(4);
  /** The id that came last, since it often comes again at once: as the parent of the next record. */
  private readonly last = new Uint8Array(64);
  private lastLength = -1;
  private lastId = -1;
  /** Number of ids. */
  size = 0;

  /** The number of the id in the bytes from `start` to `end`; a new one gets the next number. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    const { last } = this;
    if (length === this.lastLength) {
      let i = 0;
      while (i < length && bytes[start + i] === last[i]) i++;
      if (i === length) return this.lastId;
    }
    this.mix(bytes, start, end);
    this.lastLength = -1;
    this.lastId = this.place();
    if (length <= last.length) {
      for (let i = 0; i < length; i++) last[i] = bytes[start + i]!;
      this.lastLength = length;
    }
    return this.lastId;
  }

  internText(id: string): number {
    const bytes = encodeUtf8(id);
    return this.intern(bytes, 0, bytes.length);
  }

  private mix(bytes: Uint8Array, start: number, end: number): void {
    let a = 0x9e3779b9 ^ (end - start);
    let b = 0x243f6a88;
    let c = 0x13198a2e;
    let d = 0x03707344;
    for (let i = start; i < end; i += 4) {
      const left = end - i;
      const word =
        left >= 4
          ? bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24)
          : bytes[i]! | (left > 1 ? bytes[i + 1]! << 8 : 0) | (left > 2 ? bytes[i + 2]! << 16 : 0);
      a = Math.imul(a ^ word, 0x9e3779b1);
      b = Math.imul(b + word, 0x85ebca6b) ^ (a >>> 15);
      c = Math.imul(c ^ word, 0xc2b2ae35) ^ (b >>> 13);
      d = Math.imul(d + word, 0x27d4eb2f) ^ (c >>> 11);
    }
    this.key[0] = a ^ (d >>> 7);
    this.key[1] = b;
    this.key[2] = c;
    this.key[3] = d;
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
