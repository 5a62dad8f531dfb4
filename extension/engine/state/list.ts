/**
 * An append-only list of which every version is immutable. All versions share one growing buffer: a version sees the
 * items below its own length only, the buffer is only ever pushed to, and a version that is not the newest copies its
 * items before it appends. So appending costs one push, and no one ever sees a list change.
 */
export class List<T> implements Iterable<T> {
  readonly length: number;
  readonly #buffer: T[];
  #array: readonly T[] | null = null;

  private constructor(buffer: T[], length: number) {
    this.#buffer = buffer;
    this.length = length;
  }

  /** A list of these items; the iterable is read once and not kept. */
  static of<T>(items: Iterable<T> = []): List<T> {
    const buffer = [...items];
    return new List(buffer, buffer.length);
  }

  /** A new list with one more item. */
  append(item: T): List<T> {
    const buffer = this.#buffer.length === this.length ? this.#buffer : this.#buffer.slice(0, this.length);
    buffer.push(item);
    return new List(buffer, this.length + 1);
  }

  /** The item at an index, from 0; undefined outside. */
  at(index: number): T | undefined {
    return index >= 0 && index < this.length ? this.#buffer[index] : undefined;
  }

  /** The last item; undefined in an empty list. */
  get last(): T | undefined {
    return this.at(this.length - 1);
  }

  /** A fresh array of the items from `start` up to `end` (not included), both clamped to the list. */
  slice(start = 0, end = this.length): T[] {
    return this.#buffer.slice(Math.max(0, start), Math.min(end, this.length));
  }

  /** All items as an array; made once for each version and kept, so do not change it. */
  toArray(): readonly T[] {
    this.#array ??= this.slice();
    return this.#array;
  }

  *[Symbol.iterator](): IterableIterator<T> {
    for (let index = 0; index < this.length; index++) yield this.#buffer[index] as T;
  }
}
