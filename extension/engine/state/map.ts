/** Five bits of the hash choose the slot on each level of the tree. */
const BITS = 5;
const MASK = (1 << BITS) - 1;

interface Leaf<V> {
  readonly hash: number;
  /** More than one only where different keys have the same hash. */
  readonly entries: readonly (readonly [string, V])[];
}

interface Branch<V> {
  /** Which of the 32 slots are filled; `children` holds just these, in order. */
  readonly bitmap: number;
  readonly children: readonly Node<V>[];
}

type Node<V> = Leaf<V> | Branch<V>;

function isBranch<V>(node: Node<V>): node is Branch<V> {
  return 'bitmap' in node;
}

function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

function slotOf(bitmap: number, bit: number): number {
  let rest = bitmap & (bit - 1);
  let count = 0;
  while (rest !== 0) {
    rest &= rest - 1;
    count++;
  }
  return count;
}

function put<V>(node: Node<V> | null, shift: number, hash: number, key: string, value: V): Node<V> {
  if (node === null) return { hash, entries: [[key, value]] };
  if (!isBranch(node)) {
    if (node.hash === hash) {
      return { hash, entries: [...node.entries.filter(([other]) => other !== key), [key, value]] };
    }
    const branch: Branch<V> = { bitmap: 1 << ((node.hash >>> shift) & MASK), children: [node] };
    return put(branch, shift, hash, key, value);
  }
  const bit = 1 << ((hash >>> shift) & MASK);
  const slot = slotOf(node.bitmap, bit);
  if ((node.bitmap & bit) === 0) {
    const children = node.children.toSpliced(slot, 0, { hash, entries: [[key, value]] });
    return { bitmap: node.bitmap | bit, children };
  }
  const child = put(node.children[slot] ?? null, shift + BITS, hash, key, value);
  return { bitmap: node.bitmap, children: node.children.with(slot, child) };
}

function remove<V>(node: Node<V>, shift: number, hash: number, key: string): Node<V> | null {
  if (!isBranch(node)) {
    const entries = node.entries.filter(([other]) => other !== key);
    return entries.length === 0 ? null : { hash: node.hash, entries };
  }
  const bit = 1 << ((hash >>> shift) & MASK);
  const slot = slotOf(node.bitmap, bit);
  const child = node.children[slot];
  if (child === undefined) return node;
  const left = remove(child, shift + BITS, hash, key);
  if (left !== null) return { bitmap: node.bitmap, children: node.children.with(slot, left) };
  const bitmap = node.bitmap & ~bit;
  return bitmap === 0 ? null : { bitmap, children: node.children.toSpliced(slot, 1) };
}

function* entriesOf<V>(node: Node<V> | null): Generator<readonly [string, V]> {
  if (node === null) return;
  if (isBranch(node)) for (const child of node.children) yield* entriesOf(child);
  else yield* node.entries;
}

/**
 * An immutable map from text to anything: a hash tree in which a change copies only the path to what changed, so that
 * `set` and `delete` cost a few small arrays whatever the size. No order is promised (see `OrderedMap`).
 */
export class PersistentMap<V> {
  readonly size: number;
  readonly #root: Node<V> | null;

  private constructor(root: Node<V> | null, size: number) {
    this.#root = root;
    this.size = size;
  }

  static empty<V>(): PersistentMap<V> {
    return new PersistentMap<V>(null, 0);
  }

  get(key: string): V | undefined {
    let node = this.#root;
    const hash = hashOf(key);
    for (let shift = 0; node !== null; shift += BITS) {
      if (!isBranch(node)) return node.entries.find(([other]) => other === key)?.[1];
      const bit = 1 << ((hash >>> shift) & MASK);
      if ((node.bitmap & bit) === 0) return undefined;
      node = node.children[slotOf(node.bitmap, bit)] ?? null;
    }
    return undefined;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: V): PersistentMap<V> {
    return new PersistentMap(put(this.#root, 0, hashOf(key), key, value), this.size + (this.has(key) ? 0 : 1));
  }

  delete(key: string): PersistentMap<V> {
    if (this.#root === null || !this.has(key)) return this;
    return new PersistentMap(remove(this.#root, 0, hashOf(key), key), this.size - 1);
  }

  entries(): IterableIterator<readonly [string, V]> {
    return entriesOf(this.#root);
  }
}

interface Placed<V> {
  readonly place: number;
  readonly value: V;
}

/** An immutable map that keeps the order in which its keys came; setting a key again leaves it where it is. */
export class OrderedMap<V> {
  readonly #map: PersistentMap<Placed<V>>;
  readonly #next: number;
  #items: readonly (readonly [string, V])[] | null = null;

  private constructor(map: PersistentMap<Placed<V>>, next: number) {
    this.#map = map;
    this.#next = next;
  }

  static empty<V>(): OrderedMap<V> {
    return new OrderedMap<V>(PersistentMap.empty(), 0);
  }

  get size(): number {
    return this.#map.size;
  }

  get(key: string): V | undefined {
    return this.#map.get(key)?.value;
  }

  has(key: string): boolean {
    return this.#map.has(key);
  }

  set(key: string, value: V): OrderedMap<V> {
    const place = this.#map.get(key)?.place ?? this.#next;
    return new OrderedMap(this.#map.set(key, { place, value }), Math.max(this.#next, place + 1));
  }

  delete(key: string): OrderedMap<V> {
    return this.#map.has(key) ? new OrderedMap(this.#map.delete(key), this.#next) : this;
  }

  /** Key and value in order; sorted once for each version and kept, so do not change it. */
  entries(): readonly (readonly [string, V])[] {
    this.#items ??= [...this.#map.entries()]
      .sort(([, a], [, b]) => a.place - b.place)
      .map(([key, { value }]) => [key, value] as const);
    return this.#items;
  }

  keys(): string[] {
    return this.entries().map(([key]) => key);
  }

  values(): V[] {
    return this.entries().map(([, value]) => value);
  }
}
