import { FLAG, TYPE } from '../../formats/claudeCode/draft';
import type { Layout } from '../../formats/claudeCode/layout';
import { firstDifference, layOut } from '../../formats/claudeCode/layout';
import type { SessionIndex } from '../../formats/claudeCode/sessionIndex';
import type { Tree } from '../../formats/claudeCode/tree';
import { arrange, recordsOfBranch, recordsOfSidechain } from '../../formats/claudeCode/tree';
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

/** The lanes of one session file over its index: the active branch, other branches, sub-agents in the same file. */
export class Lanes {
  private readonly open = new Map<string, Lane>();
  private tree: Tree | null = null;
  private infos: readonly LaneInfo[] | null = null;

  constructor(
    private index: SessionIndex,
    private reader: RecordReader | null,
  ) {}

  /** A lane by its id; null where there is none. The same object each time while it is there. */
  get(id: string): Lane | null {
    const known = this.open.get(id);
    if (known) return known;
    const layout = this.layoutOf(id);
    if (!layout && id !== ACTIVE) return null;
    const lane = new Lane(id);
    this.open.set(id, lane);
    lane.update(this.reader, layout, 0);
    return lane;
  }

  /** Arranges the records anew after the index grew; gives what changed on the lanes that are open. */
  update(): LaneChange[] {
    this.tree = arrange(this.index.records, this.index.ids.messages.size);
    this.infos = null;
    const changes: LaneChange[] = [];
    for (const lane of this.open.values()) {
      const layout = this.layoutOf(lane.id);
      const from_entry = layout ? firstDifference(lane.shape, layout) : 0;
      const entries = lane.entries;
      lane.update(this.reader, layout, from_entry);
      if (from_entry === lane.entries && entries === lane.entries) continue;
      changes.push({ lane, from_entry, from_message: lane.messagesBefore(from_entry) });
    }
    return changes;
  }

  /** Goes over to another index, of a file that was replaced: every lane begins anew. */
  replace(index: SessionIndex, reader: RecordReader): LaneChange[] {
    this.index = index;
    this.reader = reader;
    for (const lane of this.open.values()) lane.update(null, null, 0);
    this.update();
    return [...this.open.values()].map((lane) => ({ lane, from_entry: 0, from_message: 0 }));
  }

  /** Number of lanes, without naming them. */
  get count(): number {
    return this.tree ? this.tree.branches.length + this.tree.sidechains.length : 1;
  }

  list(): readonly LaneInfo[] {
    return (this.infos ??= this.describe());
  }

  private layoutOf(id: string): Layout | null {
    const { tree, index } = this;
    if (!tree) return null;
    const messageIds = index.ids.messages.size;
    const [kind, place] = id.split(':L');
    if (id === ACTIVE) return layOut(index.records, recordsOfBranch(index.records, tree, 0, messageIds), messageIds);
    const isFirst = ({ first }: { first: number }): boolean =>
      first >= 0 && String(index.records.line[first]) === place;
    if (kind === 'branch') {
      const branch = tree.branches.findIndex(isFirst);
      if (branch < 0) return null;
      return layOut(index.records, recordsOfBranch(index.records, tree, branch, messageIds), messageIds);
    }
    const sidechain = kind === 'sidechain' ? tree.sidechains.findIndex(isFirst) : -1;
    return sidechain < 0 ? null : layOut(index.records, recordsOfSidechain(tree, sidechain), messageIds);
  }

  private describe(): LaneInfo[] {
    const { tree, index } = this;
    const active = this.get(ACTIVE)!;
    const common = { line: null, parent_entry: null, file: null };
    const first: LaneInfo = { ...common, id: ACTIVE, kind: 'active', label: 'Active branch', messages: active.length };
    if (!tree) return [first];
    const { ofBranch, ofSidechain } = countMessages(index, tree);
    const entryOf = entriesOf(active);
    const branches = tree.branches.slice(1).map((branch, i): LaneInfo => {
      const line = index.records.line[branch.first]!;
      const text = i < MOST_NAMED ? this.textOf(branch.first) : '';
      return {
        ...common,
        id: `branch:L${line}`,
        kind: 'branch',
        label: text === '' ? `Branch at line ${line}` : `Branch: ${text}`,
        messages: ofBranch[i + 1]!,
        line,
        parent_entry: entryOf(branch.from),
      };
    });
    const sidechains = tree.sidechains.map((sidechain, i): LaneInfo => {
      const line = index.records.line[sidechain.first]!;
      const text = i < MOST_NAMED ? this.textOf(sidechain.first) : '';
      return {
        ...common,
        id: `sidechain:L${line}`,
        kind: 'sidechain',
        label: text === '' ? `Sub-agent at line ${line}` : `Sub-agent: ${text}`,
        messages: ofSidechain[i]!,
        line,
        parent_entry: entryOf(sidechain.first),
      };
    });
    return [first, ...branches, ...sidechains];
  }

  private textOf(record: number): string {
    return this.reader ? shortened(firstText(this.reader.read(record))) : '';
  }
}

/** Finds the entry of a lane that holds a record, or else the last one before it in the file. */
function entriesOf(lane: Lane): (record: number) => number | null {
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

function countMessages(index: SessionIndex, tree: Tree): { ofBranch: Uint32Array; ofSidechain: Uint32Array } {
  const { records } = index;
  const ofBranch = new Uint32Array(tree.branches.length);
  const ofSidechain = new Uint32Array(tree.sidechains.length);
  const laneOfMessage = new Int32Array(index.ids.messages.size).fill(-1);
  for (let i = 0; i < records.size; i++) {
    const type = records.type[i];
    if (type !== TYPE.user && type !== TYPE.assistant) continue;
    const lane = tree.branchOf[i]!;
    const message = records.message[i]!;
    if (message >= 0 && !records.has(i, FLAG.loose)) {
      const key = lane < 0 ? lane - 1 : lane;
      if (laneOfMessage[message] === key) continue;
      laneOfMessage[message] = key;
    }
    if (lane >= 0) ofBranch[lane]!++;
    else ofSidechain[-2 - lane]!++;
  }
  return { ofBranch, ofSidechain };
}
