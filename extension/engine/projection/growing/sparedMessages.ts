import { lowerBound } from '../search';

/**
 * Messages that are kept for the sake of signed reasoning, in increasing order, each with the signed message it is kept
 * for. Those of the open turn are added for the time being and taken back when it grows.
 */
export class SparedMessages {
  /** The lowest index added or taken back since this was last set to Infinity. */
  changed = Infinity;
  private readonly indices: number[] = [];
  private readonly signed: number[] = [];
  /** Characters of the first n of them. */
  private readonly sums: number[] = [0];
  private complete = 0;

  push(index: number, signed: number, chars: number, complete: boolean): void {
    this.sums.push((this.sums.at(-1) ?? 0) + chars);
    this.indices.push(index);
    this.signed.push(signed);
    this.changed = Math.min(this.changed, index);
    if (complete) {
      this.complete = this.indices.length;
    }
  }

  /** Takes back what was added for the time being. */
  takeBack(): void {
    const first = this.indices[this.complete];
    if (first !== undefined) {
      this.changed = Math.min(this.changed, first);
      this.indices.length = this.complete;
      this.signed.length = this.complete;
      this.sums.length = this.complete + 1;
    }
  }

  countBefore(limit: number): number {
    return lowerBound(this.indices, limit);
  }

  /** Characters (code points) of the first `count` of them. */
  charsOfFirst(count: number): number {
    return this.sums[count] ?? 0;
  }

  /** The first of them from `index` on. */
  firstFrom(index: number): number | null {
    return this.indices[lowerBound(this.indices, index)] ?? null;
  }

  /** Those below `limit`, as long as nothing is added or taken back. */
  before(limit: number): ReadonlyMap<number, number> {
    return new SparedBefore(this.indices, this.signed, this.countBefore(limit));
  }
}

/** A map from index to signed index over the first `size` entries of two lists. */
class SparedBefore implements ReadonlyMap<number, number> {
  constructor(
    private readonly indices: readonly number[],
    private readonly signed: readonly number[],
    readonly size: number,
  ) {}

  get(key: number): number | undefined {
    const at = lowerBound(this.indices, key);
    return at < this.size && this.indices[at] === key ? this.signed[at] : undefined;
  }

  has(key: number): boolean {
    return this.get(key) !== undefined;
  }

  forEach(visit: (value: number, key: number, map: ReadonlyMap<number, number>) => void): void {
    for (const [key, value] of this) {
      visit(value, key, this);
    }
  }

  *entries(): MapIterator<[number, number]> {
    for (let at = 0; at < this.size; at++) {
      yield [this.indices[at] ?? 0, this.signed[at] ?? 0];
    }
  }

  *keys(): MapIterator<number> {
    for (const [key] of this) {
      yield key;
    }
  }

  *values(): MapIterator<number> {
    for (const [, value] of this) {
      yield value;
    }
  }

  [Symbol.iterator](): MapIterator<[number, number]> {
    return this.entries();
  }
}
