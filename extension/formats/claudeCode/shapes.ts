import type { JsonScanner } from '../jsonScanner';
import { TYPE, type Draft, type Ids } from './draft';

/** What a variable place in a record is to the index; above `usage` come the four figures of a usage. */
export const TARGET = {
  none: 0,
  uuid: 1,
  parent: 2,
  logicalParent: 3,
  agent: 4,
  message: 5,
  call: 6,
  /** Must not be empty. */
  signature: 7,
  usage: 8,
} as const;

const MAX_PLACES = 200;
const MAX_LITERAL = 8192;
const MAX_NODES = 4000;
const MAX_BYTES = 1 << 20;
const MAX_CHILDREN = 48;

/** The variable places of a record, in order: its texts and numbers. Written by the walk that learns a shape. */
export class Places {
  size = 0;
  /** More places than are worth learning. */
  overflow = false;
  readonly start = new Int32Array(MAX_PLACES);
  readonly end = new Int32Array(MAX_PLACES);
  readonly isNumber = new Uint8Array(MAX_PLACES);
  readonly target = new Uint8Array(MAX_PLACES);

  clear(): void {
    this.size = 0;
    this.overflow = false;
  }

  add(start: number, end: number, isNumber: boolean, target: number): void {
    if (this.size === MAX_PLACES) {
      this.overflow = true;
      return;
    }
    this.start[this.size] = start;
    this.end[this.size] = end;
    this.isNumber[this.size] = isNumber ? 1 : 0;
    this.target[this.size++] = target;
  }
}

/** A run of bytes that all records of a shape share, and what follows it. */
class Node {
  readonly words: Int32Array;
  readonly length: number;
  readonly children: Node[] = [];
  /** Set at the end of a shape: what the records of this shape have in common. */
  draft: Draft | null = null;

  constructor(
    readonly literal: Uint8Array,
    readonly isNumber: boolean,
    readonly target: number,
  ) {
    this.length = literal.length;
    this.words = new Int32Array(literal.length >> 2);
    const view = new DataView(literal.buffer, literal.byteOffset, literal.length);
    for (let i = 0; i < this.words.length; i++) this.words[i] = view.getInt32(i << 2, true);
  }
}

/**
 * The shapes of the records seen so far. An agent writes most of its records in a few dozen shapes that differ only in
 * texts and numbers; a record that is byte for byte of a known shape, but for these, is valid where that one was, and
 * needs no walk over its keys. A tree of literals, so that shapes share their beginnings.
 */
export class Shapes {
  private root = new Node(new Uint8Array(0), false, TARGET.none);
  private nodes = 0;
  /** Bytes of all literals. */
  private bytes = 0;
  /** Places with a target in the record that matched last. */
  readonly found = new Places();
  /** After the line end of the record that matched last. */
  endAt = 0;

  /** The common part of the shape of the record at `start`, which ends with its line end; null: no known shape. */
  match(scanner: JsonScanner, start: number): Draft | null {
    const { found } = this;
    const { bytes } = scanner;
    found.clear();
    let node: Node | null = this.root;
    let at = start;
    for (;;) {
      node = this.choose(node, scanner, at);
      if (node === null) return null;
      at += node.length;
      if (node.draft !== null) {
        this.endAt = at;
        return node.draft;
      }
      const after = node.isNumber ? scanner.skipNumber(at) : scanner.skipString(at) - 1;
      if (after < 0) return null;
      if (node.target !== TARGET.none) {
        if (after === at || (!node.isNumber && scanner.escaped)) return null;
        if (node.target >= TARGET.usage) {
          for (let i = at; i < after; i++) if (bytes[i]! > 0x39 || bytes[i]! < 0x30) return null;
        }
        found.add(at, after, node.isNumber, node.target);
      }
      at = after;
    }
  }

  /** Puts what is its own in the record that matched last into the draft of its shape. */
  fill(draft: Draft, { bytes, view }: JsonScanner, ids: Ids): void {
    const { found } = this;
    let calls = 0;
    for (let i = 0; i < found.size; i++) {
      const start = found.start[i]!;
      const end = found.end[i]!;
      const target = found.target[i]!;
      switch (target) {
        case TARGET.uuid:
          draft.uuid = ids.records.intern(view, start, end);
          break;
        case TARGET.parent:
          draft.parent = ids.records.intern(view, start, end);
          break;
        case TARGET.logicalParent:
          draft.logicalParent = ids.records.intern(view, start, end);
          break;
        case TARGET.agent:
          draft.agent = ids.agents.intern(view, start, end);
          break;
        case TARGET.message:
          if (draft.type === TYPE.assistant) draft.message = ids.messages.intern(view, start, end);
          break;
        case TARGET.call:
          if (calls < draft.calls) draft.callIds[calls++] = ids.calls.intern(view, start, end);
          break;
        case TARGET.signature:
          break;
        default: {
          let figure = 0;
          for (let at = start; at < end; at++) figure = figure * 10 + bytes[at]! - 0x30;
          draft.usage[target - TARGET.usage] = figure;
        }
      }
    }
  }

  private choose(parent: Node, scanner: JsonScanner, at: number): Node | null {
    const { children } = parent;
    for (let i = 0; i < children.length; i++) {
      const child = children[i]!;
      if (!scanner.startsWith(at, child.literal, child.words)) continue;
      if (child.isNumber) {
        const c = scanner.bytes[at + child.length]!;
        if (c !== 0x2d && (c < 0x30 || c > 0x39)) continue;
      }
      if (i > 0) {
        children[i] = children[i - 1]!;
        children[i - 1] = child;
      }
      return child;
    }
    return null;
  }

  /** Learns the shape of a record from `start` to `end` (after its line end) with these variable places. */
  learn(bytes: Uint8Array, start: number, end: number, places: Places, draft: Draft): void {
    if (places.overflow) return;
    let literals = end - start;
    for (let i = 0; i < places.size; i++) literals -= places.end[i]! - places.start[i]!;
    if (literals > MAX_LITERAL) return;
    if (this.nodes + places.size > MAX_NODES || this.bytes + literals > MAX_BYTES) {
      this.root = new Node(new Uint8Array(0), false, TARGET.none);
      this.nodes = 0;
      this.bytes = 0;
    }
    let node = this.root;
    let at = start;
    for (let i = 0; i < places.size; i++) {
      const isNumber = places.isNumber[i] === 1;
      const target = places.target[i]!;
      node = this.child(node, bytes.slice(at, places.start[i]), isNumber, target);
      at = places.end[i]!;
    }
    const last = this.child(node, bytes.slice(at, end), false, TARGET.none);
    last.draft = draft;
  }

  private child(parent: Node, literal: Uint8Array, isNumber: boolean, target: number): Node {
    for (const child of parent.children) {
      if (
        child.length === literal.length &&
        child.isNumber === isNumber &&
        child.target === target &&
        child.draft === null &&
        child.literal.every((byte, i) => byte === literal[i])
      ) {
        return child;
      }
    }
    const node = new Node(literal, isNumber, target);
    this.nodes++;
    this.bytes += literal.length;
    if (parent.children.length === MAX_CHILDREN) parent.children.pop();
    parent.children.unshift(node);
    return node;
  }
}
