import { isAbsolute, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '../../engine/transcript/message';
import { isObject } from '../../engine/transcript/message';
import { timeOf } from '../../formats/claudeCode/build';
import { FLAG, TYPE } from '../../formats/claudeCode/draft';
import type { SessionIndex } from '../../formats/claudeCode/sessionIndex';
import type { Lane } from './lane';
import type { RecordReader } from './recordReader';

/** A file that the agent used on a lane, by its last use. */
export interface FileUse {
  /** Absolute where the record says the working folder. */
  readonly path: string;
  readonly read: boolean;
  readonly written: boolean;
  /** The agent was told of a change that was made outside. */
  readonly noted: boolean;
  /** Message number of the last use on the lane. */
  readonly message: number;
  readonly call_id: string | null;
  /** Milliseconds since the epoch, or null. */
  readonly time_ms: number | null;
}

interface Use {
  readonly path: string;
  readonly kind: 'read' | 'written' | 'noted';
  readonly entry: number;
  readonly call_id: string | null;
  readonly time_ms: number | null;
  /** Its place among all uses of the lane. */
  readonly order: number;
}

/** What a record says of a use. */
type Said = Omit<Use, 'order'>;

/** The tools that name a file, with the member that holds its path. */
const TOOLS: Readonly<Record<string, { readonly member: string; readonly kind: 'read' | 'written' }>> = {
  Read: { member: 'file_path', kind: 'read' },
  NotebookRead: { member: 'notebook_path', kind: 'read' },
  Write: { member: 'file_path', kind: 'written' },
  Edit: { member: 'file_path', kind: 'written' },
  MultiEdit: { member: 'file_path', kind: 'written' },
  NotebookEdit: { member: 'notebook_path', kind: 'written' },
};

const SLICE_BYTES = 1 << 20;

/** Finds the files that the agent used, from its tool calls; goes on from where it was as the lane grows. */
export class FileUses {
  /** In order of the lane. */
  private readonly uses: Use[] = [];
  private readonly paths = new Map<string, UsesOfPath>();
  /** Those of which more is known since they were last listed, or may come to be known. */
  private readonly stale = new Set<UsesOfPath>();
  private done = 0;
  private relapses = 0;
  /** Goes up with each change of the lane, so that a walk that was overtaken stops. */
  private round = 0;

  constructor(private readonly lane: Lane) {}

  /** Entries from here on are new or changed. */
  forget(from: number): void {
    this.round++;
    this.done = Math.min(this.done, from);
    for (let last = this.uses.at(-1); last !== undefined && last.entry >= from; last = this.uses.at(-1)) {
      this.uses.pop();
      const path = this.paths.get(last.path)!;
      path.pop();
      this.stale.add(path);
    }
  }

  /** Looks at the entries that are new, in slices. True when any file came with them. */
  async update(reader: RecordReader): Promise<boolean> {
    const round = this.round;
    const { lane } = this;
    const { records } = reader;
    let found = false;
    let bytes = 0;
    while (this.done < lane.entries) {
      const entry = this.done;
      for (const record of lane.recordsOf(entry)) {
        const isCall = records.has(record, FLAG.toolCalls);
        if (!isCall && records.type[record] !== TYPE.attachment) continue;
        bytes += records.length[record]!;
        const value = reader.read(record);
        const uses = isCall ? usesOf(value, entry) : notesOf(value, entry);
        if (uses.length > 0) found = true;
        for (const use of uses) this.add(use);
      }
      this.done = entry + 1;
      if (bytes < SLICE_BYTES) continue;
      bytes = 0;
      await nextTurn();
      if (round !== this.round) return found;
    }
    return found;
  }

  /** Each file once, in the order of their last uses; calls that failed are no use. */
  list(index: SessionIndex): FileUse[] {
    if (this.relapses !== index.relapses) {
      this.relapses = index.relapses;
      for (const path of this.paths.values()) {
        path.reset();
        this.stale.add(path);
      }
    }
    for (const path of [...this.stale]) if (path.settle(index, this.lane)) this.stale.delete(path);
    const known = [...this.paths.values()].filter(({ sum }) => sum !== null);
    return known.sort((a, b) => a.order - b.order).map(({ sum }) => sum!);
  }

  private add(use: Said): void {
    const numbered = { ...use, order: this.uses.length };
    this.uses.push(numbered);
    let path = this.paths.get(use.path);
    if (!path) this.paths.set(use.path, (path = new UsesOfPath()));
    path.uses.push(numbered);
    this.stale.add(path);
  }
}

/** The uses of one file. Those whose calls were answered are added up once. */
class UsesOfPath {
  readonly uses: Use[] = [];
  /** Of all uses so far; null where no call did any good. */
  sum: FileUse | null = null;
  /** Place of the last use among all uses. */
  order = -1;
  private settled = 0;
  private settledSum: FileUse | null = null;
  private settledOrder = -1;

  pop(): void {
    this.uses.pop();
    if (this.uses.length < this.settled) this.reset();
  }

  reset(): void {
    this.settled = 0;
    this.settledSum = null;
    this.settledOrder = -1;
  }

  /** Adds up what there is. True when all calls were answered, so that nothing can change. */
  settle(index: SessionIndex, lane: Lane): boolean {
    let isSettled = true;
    this.sum = this.settledSum;
    this.order = this.settledOrder;
    for (let i = this.settled; i < this.uses.length; i++) {
      const use = this.uses[i]!;
      if (use.call_id !== null && !index.isAnswered(use.call_id)) isSettled = false;
      if (use.call_id === null || !index.hasFailed(use.call_id)) {
        this.sum = added(this.sum, use, lane);
        this.order = use.order;
      }
      if (!isSettled) continue;
      this.settled = i + 1;
      this.settledSum = this.sum;
      this.settledOrder = this.order;
    }
    return isSettled;
  }
}

function added(before: FileUse | null, use: Use, lane: Lane): FileUse {
  return {
    path: use.path,
    read: use.kind === 'read' || before?.read === true,
    written: use.kind === 'written' || before?.written === true,
    noted: use.kind === 'noted' || before?.noted === true,
    message: lane.messageAt(use.entry) ?? Math.max(0, lane.messagesBefore(use.entry) - 1),
    call_id: use.call_id,
    time_ms: use.time_ms,
  };
}

function usesOf(record: JsonObject, entry: number): Said[] {
  const message = record['message'];
  const content = isObject(message) ? message['content'] : undefined;
  if (!Array.isArray(content)) return [];
  const uses: Said[] = [];
  for (const block of content as unknown[]) {
    if (!isObject(block) || block['type'] !== 'tool_use') continue;
    const { name, input, id } = block;
    const tool = typeof name === 'string' && Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
    const path = tool && isObject(input) ? input[tool.member] : undefined;
    if (!tool || typeof path !== 'string' || path === '') continue;
    uses.push({
      path: absolute(path, record),
      kind: tool.kind,
      entry,
      call_id: typeof id === 'string' ? id : null,
      time_ms: timeOf(record['timestamp']),
    });
  }
  return uses;
}

function notesOf(record: JsonObject, entry: number): Said[] {
  const attachment = record['attachment'];
  if (!isObject(attachment) || attachment['type'] !== 'edited_text_file') return [];
  const path = attachment['filename'];
  if (typeof path !== 'string' || path === '') return [];
  const time_ms = timeOf(record['timestamp']);
  return [{ path: absolute(path, record), kind: 'noted', entry, call_id: null, time_ms }];
}

function absolute(path: string, record: JsonObject): string {
  const cwd = record['cwd'];
  return isAbsolute(path) || typeof cwd !== 'string' ? path : resolve(cwd, path);
}
