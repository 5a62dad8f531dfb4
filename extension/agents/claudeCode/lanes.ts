import { FLAG } from '../../formats/claudeCode/draft';
import { firstDifference, Layout } from '../../formats/claudeCode/layout';
import type { Members } from '../../formats/claudeCode/members';
import { membersOfBranch, membersOfSidechain } from '../../formats/claudeCode/members';
import { MessageCounts } from '../../formats/claudeCode/messageCounts';
import type { SessionIndex } from '../../formats/claudeCode/sessionIndex';
import { Tree } from '../../formats/claudeCode/tree';
import type { AgentFile } from './agentFiles';
import { Lane } from './lane';
import type { RecordReader } from './recordReader';
import { firstText, shortened } from './title';

/** The lane that the agent itself would resume. */
export const ACTIVE = 'active';
/** Lanes beyond this many are named by their line, without reading it. */
const MOST_NAMED = 100;

/** What can be said of a lane without opening it. */
export interface LaneInfo {
  readonly id: string;
  readonly kind: 'active' | 'branch' | 'sidechain' | 'agent_file';
  readonly label: string;
  /** Messages of its own: of a branch, those after it left another; null for a file that is not open. */
  readonly messages: number | null;
  /** Line of its first own record; null for the active lane and for files. */
  readonly line: number | null;
  /** Entry of the active lane after which it goes its own way; null where that is not on the active lane. */
  readonly parent_entry: number | null;
  /** The file of a sub-agent, to be opened for itself; else null. */
  readonly file: string | null;
}

/** A sub-agent's own file as a lane. */
export function laneOfAgentFile({ file, agent_id, title }: AgentFile): LaneInfo {
  const label = title === null ? `Sub-agent ${agent_id}` : `Sub-agent: ${title}`;
  return { id: `agent:${agent_id}`, kind: 'agent_file', label, messages: null, line: null, parent_entry: null, file };
}

/** A lane and the first of its entries that changed. */
export interface LaneChange {
  readonly lane: Lane;
  readonly from_entry: number;
  readonly from_message: number;
}

/** A lane and which records it holds; null where the file has no such lane now. */
interface OpenLane {
  readonly lane: Lane;
  members: Members | null;
}

/** The lanes of one session file over its index: the active branch, other branches, sub-agents in the same file. */
export class Lanes {
  private readonly open = new Map<string, OpenLane>();
  private tree: Tree | null = null;
  private counts: MessageCounts;
  private infos: LaneInfo[] | null = null;
  /** Branches and sidechains, as the tree numbers them, that `infos` is behind with. */
  private readonly touched = new Set<number>();
  private readonly labels = new Map<number, string>();

  constructor(
    private index: SessionIndex,
    private reader: RecordReader | null,
  ) {
    this.counts = new MessageCounts(index.records);
  }

  /** A lane by its id; null where there is none. The same object each time while it is there. */
  get(id: string): Lane | null {
    const known = this.open.get(id);
    if (known) return known.lane;
    const members = this.membersOf(id);
    if (!members && id !== ACTIVE) return null;
    const lane = new Lane(id);
    this.open.set(id, { lane, members });
    lane.update(this.reader, members && Layout.of(this.index.records, members), 0);
    return lane;
  }

  /** Takes what came to the index, in the plain case at a cost that follows it alone; gives what changed on open lanes. */
  update(): LaneChange[] {
    const { tree } = this;
    const from = tree?.size ?? 0;
    if (!tree?.grow()) return this.arrangeAnew();
    for (let record = from; record < tree.size; record++) {
      this.counts.take(tree, record);
      this.touched.add(tree.branchOf[record]!);
    }
    return this.changesOf((open) => (open.members ? this.grow(open.lane, open.members, from) : this.lay(open)));
  }

  /** Goes over to another index, of a file that was replaced: every lane begins anew. */
  replace(index: SessionIndex, reader: RecordReader): LaneChange[] {
    this.index = index;
    this.reader = reader;
    this.labels.clear();
    for (const { lane } of this.open.values()) lane.update(null, null, 0);
    this.arrangeAnew();
    return [...this.open.values()].map(({ lane }) => ({ lane, from_entry: 0, from_message: 0 }));
  }

  /** Number of lanes, without naming them. */
  get count(): number {
    return this.tree ? this.tree.branches.length + this.tree.sidechains.length : 1;
  }

  list(): readonly LaneInfo[] {
    this.infos = this.infos ? this.refreshed(this.infos) : this.describe();
    this.touched.clear();
    return this.infos;
  }

  private arrangeAnew(): LaneChange[] {
    const tree = new Tree(this.index.records);
    this.tree = tree;
    this.counts = new MessageCounts(this.index.records);
    for (let record = 0; record < tree.size; record++) this.counts.take(tree, record);
    this.infos = null;
    return this.changesOf((open) => {
      open.members = null;
      return this.lay(open);
    });
  }

  /** Applies a change to each open lane, which gives the first entry that differs. */
  private changesOf(apply: (open: OpenLane) => number): LaneChange[] {
    const changes: LaneChange[] = [];
    for (const open of this.open.values()) {
      const { lane } = open;
      const { entries } = lane;
      const from_entry = apply(open);
      if (from_entry === lane.entries && entries === lane.entries) continue;
      changes.push({ lane, from_entry, from_message: lane.messagesBefore(from_entry) });
    }
    return changes;
  }

  /** Lays a lane out anew. */
  private lay(open: OpenLane): number {
    const { lane } = open;
    open.members ??= this.membersOf(lane.id);
    const layout = open.members && Layout.of(this.index.records, open.members);
    const from = layout ? firstDifference(lane.shape, layout) : 0;
    lane.update(this.reader, layout, from);
    return from;
  }

  /** Takes the records from this one on into a lane. */
  private grow(lane: Lane, members: Members, first: number): number {
    const { records } = this.index;
    const { shape } = lane;
    let from = shape.entries;
    let compacts = false;
    let isCheap = true;
    for (let record = first; record < records.size; record++) {
      if (!members.takes(record) || !isCheap) continue;
      if (records.has(record, FLAG.compaction | FLAG.microcompaction)) compacts = true;
      const entry = shape.append(records, record);
      if (entry === null) isCheap = false;
      else from = Math.min(from, entry);
    }
    if (isCheap) lane.grew(from, compacts);
    else {
      const layout = Layout.of(records, members);
      from = Math.min(from, firstDifference(shape, layout));
      lane.update(this.reader, layout, from);
    }
    return from;
  }

  private membersOf(id: string): Members | null {
    const { tree, index } = this;
    if (!tree) return null;
    const [kind, place] = id.split(':L');
    if (id === ACTIVE) return membersOfBranch(index.records, tree, 0);
    const isFirst = ({ first }: { first: number }): boolean =>
      first >= 0 && String(index.records.line[first]) === place;
    if (kind === 'branch') {
      const branch = tree.branches.findIndex(isFirst);
      return branch < 0 ? null : membersOfBranch(index.records, tree, branch);
    }
    const sidechain = kind === 'sidechain' ? tree.sidechains.findIndex(isFirst) : -1;
    return sidechain < 0 ? null : membersOfSidechain(tree, sidechain);
  }

  private describe(): LaneInfo[] {
    const { tree } = this;
    if (!tree) return [this.describeActive()];
    const entryOf = entriesOf(this.get(ACTIVE)!);
    return [
      this.describeActive(),
      ...tree.branches.slice(1).map((_, i) => this.describeBranch(tree, i + 1, entryOf)),
      ...tree.sidechains.map((_, i) => this.describeSidechain(tree, i, entryOf)),
    ];
  }

  /** The list with what was touched since; lanes that came are at its end. */
  private refreshed(infos: LaneInfo[]): LaneInfo[] {
    const { tree, touched } = this;
    if (!tree || touched.size === 0) return infos;
    const entryOf = entriesOf(this.get(ACTIVE)!);
    const next = infos.slice();
    for (const place of touched) {
      if (place === 0) next[0] = this.describeActive();
      else if (place > 0) next[place] = this.describeBranch(tree, place, entryOf);
      else next[tree.branches.length - 2 - place] = this.describeSidechain(tree, -2 - place, entryOf);
    }
    return next;
  }

  private describeActive(): LaneInfo {
    const messages = this.get(ACTIVE)!.length;
    return { ...common, id: ACTIVE, kind: 'active', label: 'Active branch', messages };
  }

  private describeBranch(tree: Tree, place: number, entryOf: EntryOf): LaneInfo {
    const { first, from } = tree.branches[place]!;
    const line = this.index.records.line[first]!;
    const text = place <= MOST_NAMED ? this.textOf(first) : '';
    return {
      ...common,
      id: `branch:L${line}`,
      kind: 'branch',
      label: text === '' ? `Branch at line ${line}` : `Branch: ${text}`,
      messages: this.counts.at(place),
      line,
      parent_entry: entryOf(from),
    };
  }

  private describeSidechain(tree: Tree, number: number, entryOf: EntryOf): LaneInfo {
    const { first } = tree.sidechains[number]!;
    const line = this.index.records.line[first]!;
    const text = number < MOST_NAMED ? this.textOf(first) : '';
    return {
      ...common,
      id: `sidechain:L${line}`,
      kind: 'sidechain',
      label: text === '' ? `Sub-agent at line ${line}` : `Sub-agent: ${text}`,
      messages: this.counts.at(-2 - number),
      line,
      parent_entry: entryOf(first),
    };
  }

  private textOf(record: number): string {
    if (!this.reader) return '';
    const label = this.labels.get(record) ?? shortened(firstText(this.reader.read(record)));
    this.labels.set(record, label);
    return label;
  }
}

const common = { line: null, parent_entry: null, file: null };

/** The entry of a lane that holds a record, or else the last one before it in the file. */
type EntryOf = (record: number) => number | null;

function entriesOf(lane: Lane): EntryOf {
  const { start, records, entries } = lane.shape;
  return (record) => {
    let low = 0;
    let high = entries;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (records[start[middle]!]! <= record) low = middle + 1;
      else high = middle;
    }
    return record < 0 || low === 0 ? null : low - 1;
  };
}
