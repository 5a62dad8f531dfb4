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
}

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
  private uses: Use[] = [];
  private done = 0;
  /** Goes up with each change of the lane, so that a walk that was overtaken stops. */
  private round = 0;

  constructor(private readonly lane: Lane) {}

  /** Entries from here on are new or changed. */
  forget(from: number): void {
    this.round++;
    if (from >= this.done) return;
    this.done = from;
    this.uses = this.uses.filter((use) => use.entry < from);
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
        this.uses.push(...uses);
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
    const files = new Map<string, FileUse>();
    for (const use of this.uses) {
      if (use.call_id !== null && index.hasFailed(use.call_id)) continue;
      const before = files.get(use.path);
      files.delete(use.path);
      files.set(use.path, {
        path: use.path,
        read: use.kind === 'read' || before?.read === true,
        written: use.kind === 'written' || before?.written === true,
        noted: use.kind === 'noted' || before?.noted === true,
        message: this.lane.messageAt(use.entry) ?? Math.max(0, this.lane.messagesBefore(use.entry) - 1),
        call_id: use.call_id,
        time_ms: use.time_ms,
      });
    }
    return [...files.values()];
  }
}

function usesOf(record: JsonObject, entry: number): Use[] {
  const message = record['message'];
  const content = isObject(message) ? message['content'] : undefined;
  if (!Array.isArray(content)) return [];
  const uses: Use[] = [];
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

function notesOf(record: JsonObject, entry: number): Use[] {
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
