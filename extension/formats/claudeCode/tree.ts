import { FLAG, TYPE } from './draft';
import { fitted } from './fitted';
import { Parents } from './parents';
import type { RecordTable } from './recordTable';

/** A way through the session: from its root to one leaf. The first one is the active branch. */
export interface Branch {
  /** Its last message; -1 where the file has none. */
  readonly leaf: number;
  /** The first record that is its own; -1 for the active branch. */
  readonly first: number;
  /** The record after which it leaves another branch; -1 where it begins at a root. */
  readonly from: number;
}

/** The records of one sub-agent in the file of the session that started it. */
export interface Sidechain {
  readonly first: number;
  /** Number of its agent's id, or -1. */
  readonly agent: number;
}

/**
 * How the records of a file hang together, as branches and sidechains. Every record belongs to exactly one of them. The
 * active branch ends at the last message of the main chain, as the agent itself resumes. A record whose parent is missing
 * follows the one before it in the file; a compaction boundary follows its logical parent. The columns may have more
 * places than there are records.
 */
export class Tree {
  /** Records that are arranged. */
  size: number;
  /** Parent by record, with missing, wrong and circular ones mended; -1 for a root. */
  parent: Int32Array;
  /** By record: a branch's number, or -2 minus a sidechain's number. */
  branchOf: Int32Array;
  readonly branches: Branch[];
  readonly sidechains: Sidechain[] = [];
  private readonly parents: Parents;
  /** Records in an order in which parents come first, and its inverse; null when the order of the file is one. */
  private order: Int32Array | null;
  private rank: Int32Array | null = null;
  /** By record: 1 when it goes on with the branch of its parent, wherever that ends. */
  private joined: Uint8Array;
  private readonly sidechainOfAgent = new Map<number, number>();
  private branchOfMessage = new Int32Array(0);

  /** Arranges all records; takes time and memory linear in their number. */
  constructor(private readonly records: RecordTable) {
    const { size } = records;
    this.size = size;
    this.parents = new Parents(records);
    this.parent = new Int32Array(size);
    for (let i = 0; i < size; i++) this.parent[i] = this.parents.take(i);
    this.order = orderByParents(this.parent);
    if (this.order) {
      this.rank = new Int32Array(size);
      for (let i = 0; i < size; i++) this.rank[this.order[i]!] = i;
    }
    this.branchOf = new Int32Array(size);
    this.joined = new Uint8Array(size);
    const lastLeaf = new Int32Array(size).fill(-1);
    this.branches = [{ leaf: this.findLeaves(lastLeaf), first: -1, from: -1 }];
    for (let i = 0; i < size; i++) this.place(this.at(i), lastLeaf);
  }

  /** The record at this place of an order in which parents come first. */
  at(place: number): number {
    return this.order ? this.order[place]! : place;
  }

  /**
   * Takes the records that were appended, at a cost that follows their number alone. False: they change the place of
   * others, as a fork does; this tree is void then, and another one is to be made.
   */
  grow(): boolean {
    const { records, parents } = this;
    const { size } = records;
    this.parent = fitted(this.parent, size);
    this.branchOf = fitted(this.branchOf, size);
    this.joined = fitted(this.joined, size);
    if (this.order && this.rank) {
      this.order = fitted(this.order, size);
      this.rank = fitted(this.rank, size);
    }
    for (let record = this.size; record < size; record++) {
      if (!parents.isPlain(record)) return false;
      const above = parents.take(record);
      if (above >= record) return false;
      this.parent[record] = above;
      if (this.order && this.rank) this.order[record] = this.rank[record] = record;
      if (!parents.isSide(record) && isLeaf(records, record)) {
        if (!this.leadsOn(above)) return false;
        this.branches[0] = { leaf: record, first: -1, from: -1 };
      }
      this.place(record, null);
      this.size++;
    }
    return true;
  }

  /** Whether the active branch can go on below this record without leaving any other behind that would be a fork. */
  private leadsOn(above: number): boolean {
    const { parent, branchOf, joined, rank } = this;
    let old = this.branches[0]!.leaf;
    if (old < 0) return true;
    const rankOf = (record: number): number => (rank && record >= 0 ? rank[record]! : record);
    for (let at = above; old !== at;) {
      if (rankOf(old) > rankOf(at)) {
        if (joined[old] === 0) return false;
        old = parent[old]!;
      } else {
        if (branchOf[at] !== 0) return false;
        at = parent[at]!;
      }
    }
    return true;
  }

  /** Fills in the last leaf below each record of the main chain; gives the last of all. */
  private findLeaves(lastLeaf: Int32Array): number {
    const { records, parent, parents } = this;
    let last = -1;
    for (let i = this.size - 1; i >= 0; i--) {
      const record = this.at(i);
      if (parents.isSide(record)) continue;
      if (isLeaf(records, record)) lastLeaf[record] = Math.max(lastLeaf[record]!, record);
      const above = parent[record]!;
      if (above >= 0) lastLeaf[above] = Math.max(lastLeaf[above]!, lastLeaf[record]!);
      last = Math.max(last, lastLeaf[record]!);
    }
    return last;
  }

  /** Finds the branch of a record whose parent has its own; `lastLeaf` null: it is the last record. */
  private place(record: number, lastLeaf: Int32Array | null): void {
    const { records, branches, branchOf } = this;
    const above = this.parent[record]!;
    if (this.parents.isSide(record)) {
      branchOf[record] = -2 - this.sidechainOf(record, above);
      return;
    }
    let branch = above >= 0 ? branchOf[above]! : 0;
    const message = records.message[record]!;
    if (message >= 0) this.branchOfMessage = fitted(this.branchOfMessage, message + 1, -1);
    const joins = !isAlternative(records, record) || (message >= 0 && this.branchOfMessage[message] === branch);
    if (joins) this.joined[record] = 1;
    else {
      const leaf = lastLeaf ? lastLeaf[record]! : record;
      if (leaf !== branches[branch]!.leaf) {
        branch = branches.length;
        branches.push({ leaf, first: record, from: above });
      }
    }
    branchOf[record] = branch;
    if (message >= 0) this.branchOfMessage[message] = branch;
  }

  private sidechainOf(record: number, above: number): number {
    if (above >= 0) return -2 - this.branchOf[above]!;
    const agent = this.records.agent[record]!;
    const known = agent >= 0 ? this.sidechainOfAgent.get(agent) : undefined;
    if (known !== undefined) return known;
    this.sidechains.push({ first: record, agent });
    if (agent >= 0) this.sidechainOfAgent.set(agent, this.sidechains.length - 1);
    return this.sidechains.length - 1;
  }
}

/** A record that says something of its own in the conversation; two of these below one parent are a fork. */
export function isAlternative(records: RecordTable, record: number): boolean {
  if (records.has(record, FLAG.loose)) return false;
  const type = records.type[record];
  return type === TYPE.assistant || (type === TYPE.user && records.has(record, FLAG.prompt));
}

function isLeaf(records: RecordTable, record: number): boolean {
  if (records.has(record, FLAG.loose)) return false;
  const type = records.type[record];
  return type === TYPE.user || type === TYPE.assistant || records.has(record, FLAG.compaction);
}

/** Cuts circles in `parent` and gives an order in which parents come first; null when the order of the file is one. */
function orderByParents(parent: Int32Array): Int32Array | null {
  let ordered = true;
  for (let i = 0; i < parent.length && ordered; i++) ordered = parent[i]! < i;
  if (ordered) return null;
  const order = new Int32Array(parent.length);
  const state = new Uint8Array(parent.length);
  const path: number[] = [];
  let size = 0;
  for (let i = 0; i < parent.length; i++) {
    for (let at = i; at >= 0 && state[at] === 0; at = parent[at]!) {
      state[at] = 1;
      path.push(at);
    }
    const top = path.at(-1);
    if (top !== undefined && parent[top]! >= 0 && state[parent[top]!] === 1) parent[top] = -1;
    for (let record = path.pop(); record !== undefined; record = path.pop()) {
      state[record] = 2;
      order[size++] = record;
    }
  }
  return order;
}
