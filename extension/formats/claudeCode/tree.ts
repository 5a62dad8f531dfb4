import { FLAG, TYPE } from './draft';
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

/** How the records of a file hang together. Every record belongs to exactly one branch or sidechain. */
export interface Tree {
  /** Parent by record, with missing, wrong and circular ones mended; -1 for a root. */
  readonly parent: Int32Array;
  /** Records in an order in which parents come first; null when the order of the file is one. */
  readonly order: Int32Array | null;
  /** By record: a branch's number, or -2 minus a sidechain's number. */
  readonly branchOf: Int32Array;
  readonly branches: readonly Branch[];
  readonly sidechains: readonly Sidechain[];
}

/** A record that says something of its own in the conversation; two of these below one parent are a fork. */
export function isAlternative(records: RecordTable, record: number): boolean {
  if (records.has(record, FLAG.loose)) return false;
  const type = records.type[record];
  return type === TYPE.assistant || (type === TYPE.user && records.has(record, FLAG.prompt));
}

/**
 * Arranges the records of a file as branches and sidechains. The active branch ends at the last message of the main
 * chain, as the agent itself resumes. A record whose parent is missing follows the one before it in the file; a
 * compaction boundary follows its logical parent. Takes time and memory linear in the number of records.
 */
export function arrange(records: RecordTable, messageIds: number): Tree {
  const isAgentFile = holdsOnlySidechains(records);
  const isSide = (record: number): boolean => !isAgentFile && records.has(record, FLAG.sidechain);
  const parent = mendParents(records, isSide);
  const order = orderByParents(parent);
  const size = records.size;
  const at = (i: number): number => (order ? order[i]! : i);

  const lastLeaf = new Int32Array(size).fill(-1);
  let activeLeaf = -1;
  for (let i = size - 1; i >= 0; i--) {
    const record = at(i);
    if (isSide(record)) continue;
    if (isLeaf(records, record)) lastLeaf[record] = Math.max(lastLeaf[record]!, record);
    const above = parent[record]!;
    if (above >= 0) lastLeaf[above] = Math.max(lastLeaf[above]!, lastLeaf[record]!);
    activeLeaf = Math.max(activeLeaf, lastLeaf[record]!);
  }

  const branchOf = new Int32Array(size);
  const branches: Branch[] = [{ leaf: activeLeaf, first: -1, from: -1 }];
  const sidechains: Sidechain[] = [];
  const sidechainOfAgent = new Map<number, number>();
  const branchOfMessage = new Int32Array(messageIds).fill(-1);
  for (let i = 0; i < size; i++) {
    const record = at(i);
    const above = parent[record]!;
    if (isSide(record)) {
      branchOf[record] = -2 - sidechainOf(record, above);
      continue;
    }
    let branch = above >= 0 ? branchOf[above]! : 0;
    const message = records.message[record]!;
    const joins = !isAlternative(records, record) || (message >= 0 && branchOfMessage[message] === branch);
    if (!joins && lastLeaf[record] !== branches[branch]!.leaf) {
      branch = branches.length;
      branches.push({ leaf: lastLeaf[record]!, first: record, from: above });
    }
    branchOf[record] = branch;
    if (message >= 0) branchOfMessage[message] = branch;
  }
  return { parent, order, branchOf, branches, sidechains };

  function sidechainOf(record: number, above: number): number {
    if (above >= 0) return -2 - branchOf[above]!;
    const agent = records.agent[record]!;
    const known = agent >= 0 ? sidechainOfAgent.get(agent) : undefined;
    if (known !== undefined) return known;
    sidechains.push({ first: record, agent });
    if (agent >= 0) sidechainOfAgent.set(agent, sidechains.length - 1);
    return sidechains.length - 1;
  }
}

/** By record, whether it is on the way through the session that ends with this branch; 1 for yes. */
export function recordsOfBranch(records: RecordTable, tree: Tree, branch: number, messageIds: number): Uint8Array {
  const { parent, order, branchOf, branches } = tree;
  const size = records.size;
  const inside = new Uint8Array(size);
  if (branch === 0) {
    for (let i = 0; i < size; i++) if (branchOf[i] === 0) inside[i] = 1;
    return inside;
  }
  for (let i = branches[branch]!.leaf; i >= 0 && inside[i] === 0; i = parent[i]!) inside[i] = 1;
  const seen = new Uint8Array(messageIds);
  for (let i = 0; i < size; i++) {
    const record = order ? order[i]! : i;
    if (branchOf[record]! < 0) continue;
    const message = records.message[record]!;
    if (inside[record] === 0) {
      const above = parent[record]!;
      const joins = !isAlternative(records, record) || (message >= 0 && seen[message] === 1);
      if (joins && (above < 0 || inside[above] === 1)) inside[record] = 1;
    }
    if (inside[record] === 1 && message >= 0) seen[message] = 1;
  }
  return inside;
}

/** By record, whether it belongs to this sidechain; 1 for yes. */
export function recordsOfSidechain(tree: Tree, sidechain: number): Uint8Array {
  return Uint8Array.from(tree.branchOf, (branch) => (branch === -2 - sidechain ? 1 : 0));
}

function holdsOnlySidechains(records: RecordTable): boolean {
  let side = false;
  for (let i = 0; i < records.size; i++) {
    if (records.has(i, FLAG.sidechain)) side = true;
    else if (records.type[i] === TYPE.user || records.type[i] === TYPE.assistant) return false;
  }
  return side;
}

function isLeaf(records: RecordTable, record: number): boolean {
  if (records.has(record, FLAG.loose)) return false;
  const type = records.type[record];
  return type === TYPE.user || type === TYPE.assistant || records.has(record, FLAG.compaction);
}

function mendParents(records: RecordTable, isSide: (record: number) => boolean): Int32Array {
  const parent = new Int32Array(records.size);
  /** The last record of the main chain, and of each sub-agent, that later ones may follow. */
  let lastMain = -1;
  const lastOfAgent = new Map<number, number>();
  for (let i = 0; i < records.size; i++) {
    const side = isSide(i);
    const loose = records.has(i, FLAG.loose);
    const agent = records.agent[i]!;
    const before = side ? (lastOfAgent.get(agent) ?? -1) : lastMain;
    let above = before;
    if (!loose) {
      if (records.has(i, FLAG.parentNull)) {
        above = -1;
        if (records.has(i, FLAG.compaction)) {
          const logical = records.find(records.logicalParent.get(i) ?? -1);
          above = logical >= 0 && logical !== i && isSide(logical) === side ? logical : before;
        }
      } else {
        const given = records.find(records.parent[i]!);
        if (given >= 0 && given !== i) {
          if (isSide(given) === side) above = given;
          else if (side) above = -1;
        }
      }
      if (side) lastOfAgent.set(agent, i);
      else lastMain = i;
    }
    parent[i] = above;
  }
  return parent;
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
