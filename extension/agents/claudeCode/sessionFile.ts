import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TYPE } from '../../formats/claudeCode/draft';
import type { Entry, Usage } from '../../formats/claudeCode/entry';
import { SessionIndex } from '../../formats/claudeCode/sessionIndex';
import type { Facts } from '../../formats/facts';
import type { Issue } from '../../formats/issue';
import { FileError } from '../../io/fileError';
import { OpenFile } from '../../io/readFile';
import { followFile, type Follower, type TailEvent } from '../../io/tail';
import { agentFilesOf } from './agentFiles';
import { FileUses, type FileUse } from './fileUses';
import type { Lane } from './lane';
import { ACTIVE, Lanes, type LaneChange, type LaneInfo } from './lanes';
import { readLastPage } from './lastPage';
import { readHead, type Head } from './head';
import { RecordReader } from './recordReader';
import { stateOf, type SessionState } from './state';
import { titleOf } from './title';

const CHUNK = 1 << 18;
/** Bytes that are indexed before the event loop gets its turn; a few milliseconds. */
const SLICE = 1 << 22;
/** Bytes before the end of what was read that are compared before reading on. */
const SEAM = 256;

/** What changed in a session file that is open. */
export type SessionChange =
  /** The first reading went on. */
  | { readonly kind: 'progress' }
  /** Messages and entries from these numbers on are new or changed; all before are as they were. 0: another lane. */
  | { readonly kind: 'lane'; readonly lane: string; readonly from_message: number; readonly from_entry: number }
  /** Lanes came or went. */
  | { readonly kind: 'lanes' }
  /** The files that the agent used. */
  | { readonly kind: 'files' }
  | { readonly kind: 'issues' }
  /** `problem` was set or taken back. */
  | { readonly kind: 'problem' };

export interface OpenOptions {
  /** Go on reading as the file grows; default true. */
  readonly follow?: boolean;
  /** Entries of the first page; default 50. */
  readonly page?: number;
}

/** Opens a Claude Code session file; settles as soon as its last page is there. Rejects with a `FileError`. */
export async function openClaudeSession(file: string, options: OpenOptions = {}): Promise<ClaudeSessionFile> {
  const open = OpenFile.open(file);
  try {
    const lastPage = readLastPage(open, options.page ?? 50);
    return new ClaudeSessionFile(file, open, lastPage, readHead(file), options.follow ?? true);
  } catch (error) {
    open.close();
    throw error;
  }
}

/** A Claude Code session file: indexed in slices, read by number, followed as it grows. */
export class ClaudeSessionFile {
  /** Settles when the file has been read to its end once. Never rejects; see `problem`. */
  readonly indexed: Promise<void>;
  /** Why the file cannot be read on, or null. What was read stays there. */
  problem: FileError | null = null;
  /** Goes up with every change. */
  revision = 0;
  private index = newIndex();
  private reader: RecordReader;
  private lanesOfFile: Lanes;
  private readonly uses: FileUses;
  private readonly listeners = new Set<(change: SessionChange) => void>();
  private follower: Follower | null = null;
  private done = false;
  private total: number;
  private disposed = false;
  private working: Promise<void>;
  private agentFiles: readonly LaneInfo[] = [];
  private known: { readonly title: string | null; readonly revision: number } | null = null;
  private seam: Uint8Array = new Uint8Array(0);
  private active: Lane;

  constructor(
    readonly file: string,
    private open: OpenFile,
    /** The last entries, from the end of the file, before anything else is known: without numbers and lanes. */
    readonly lastPage: readonly Entry[],
    private readonly head: Head,
    follow: boolean,
  ) {
    const identity = open.identity();
    this.total = identity.size;
    this.reader = new RecordReader(open, this.index.records);
    this.lanesOfFile = new Lanes(this.index, this.reader);
    this.active = this.lane();
    this.uses = new FileUses(this.active);
    this.indexed = this.readOn(true);
    this.working = this.indexed;
    if (follow) this.follower = followFile(file, identity, (event) => this.take(event));
  }

  get progress(): { readonly bytes: number; readonly total: number; readonly done: boolean } {
    return { bytes: this.index.bytes, total: Math.max(this.total, this.index.bytes), done: this.done };
  }

  /** The figures of the file so far; of the whole file once it is indexed. */
  facts(): Facts {
    return this.index.facts();
  }

  /** At most the first 10,000 issues. */
  issues(): readonly Issue[] {
    return this.index.issues();
  }

  get issueCount(): number {
    return this.index.issueCount;
  }

  /** The active branch, then other branches, sub-agents in this file, and the files of sub-agents. */
  lanes(): readonly LaneInfo[] {
    return [...this.lanesOfFile.list(), ...this.agentFiles];
  }

  /** A lane of this file; it stays valid and grows with the file. Throws for an id that `lanes` does not have. */
  lane(id: string = ACTIVE): Lane {
    const lane = this.lanesOfFile.get(id);
    if (!lane) throw new Error(`${this.file} has no lane "${id}".`);
    return lane;
  }

  /** From the head of the file while the index is not complete; so are `sessionId` and `cwd`. */
  title(): string | null {
    if (!this.done) return this.head.title;
    if (this.known?.revision !== this.revision) {
      this.known = { title: titleOf(this.index, this.reader), revision: this.revision };
    }
    return this.known.title;
  }

  sessionId(): string | null {
    return this.index.about.sessionId ?? this.head.session_id;
  }

  cwd(): string | null {
    return this.index.about.cwd ?? this.head.folders[0] ?? null;
  }

  gitBranch(): string | null {
    return this.index.about.gitBranch;
  }

  model(): string | null {
    return this.index.about.model;
  }

  version(): string | null {
    return this.index.about.version ?? this.head.version;
  }

  /** Tokens of the last request of the main chain, as the provider reported them. */
  lastUsage(): Usage | null {
    return this.index.about.lastUsage;
  }

  /** Whether the agent works, waits for a person, or seems to be gone, judged from the last records. */
  state(nowMs: number): SessionState {
    const records = this.active.recordsOf(this.active.entryOf(this.active.length - 1));
    const last = records.at(-1);
    if (last === undefined) return 'idle';
    const isOpen =
      this.index.records.type[last] === TYPE.assistant && records.some((record) => this.index.hasOpenCalls(record));
    return stateOf(this.reader.read(last), isOpen, nowMs);
  }

  /** The files that the agent used on the active lane, each once, by their last use; complete after a `files` change. */
  files(): readonly FileUse[] {
    return this.uses.list(this.index);
  }

  /** The text of a line of this file; empty for a line that holds no record. */
  rawLine(line: number): string {
    const { records } = this.index;
    let low = 0;
    let high = records.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (records.line[middle]! < line) low = middle + 1;
      else high = middle;
    }
    return records.line[low] === line ? this.reader.text(low) : '';
  }

  onDidChange(listener: (change: SessionChange) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Looks at the file now, and settles once all there was to read has been read. */
  async check(): Promise<void> {
    await this.follower?.check();
    await this.working;
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.listeners.clear();
    this.follower?.dispose();
    this.open.close();
  }

  private take(event: TailEvent): void {
    switch (event.kind) {
      case 'grew':
        this.total = event.size;
        this.enqueue(() => this.readOn(false));
        break;
      case 'reset':
        this.total = event.size;
        this.enqueue(() => this.startOver());
        break;
      case 'gone':
        this.fail(new FileError('missing', this.file, 'What was read of it stays here until it is closed.'));
        break;
      case 'error':
        this.fail(event.error);
        break;
    }
  }

  private enqueue(work: () => Promise<void>): void {
    this.working = this.working.then(async () => {
      if (!this.disposed) await work();
    });
  }

  /** Reads from where the index ends to the end of the file. */
  private async readOn(first: boolean): Promise<void> {
    try {
      // The last page goes out before the rest is read.
      if (first) await nextTurn();
      if (this.disposed) return;
      const before = this.index.bytes;
      if (!first && !this.isSameBefore()) return await this.startOver();
      if (!(await this.feed(this.index, this.open, first))) return await this.startOver();
      if (this.disposed) return;
      this.done = true;
      if (this.problem) this.fail(null);
      if (!first && this.index.bytes === before) return;
      await this.findAgentFiles();
      this.announce(this.lanesOfFile.update());
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (!this.disposed) this.fail(error);
      this.done = true;
    }
  }

  /** The file was cut, replaced or written over: reads it anew, beside the old index, and goes over to the new one. */
  private async startOver(): Promise<void> {
    try {
      const open = OpenFile.open(this.file);
      const index = newIndex();
      const whole = await this.feed(index, open, false);
      if (this.disposed || !whole) {
        open.close();
        if (!this.disposed) this.enqueue(() => this.startOver());
        return;
      }
      this.open.close();
      this.open = open;
      this.index = index;
      this.reader = new RecordReader(open, index.records);
      if (this.problem) this.fail(null);
      await this.findAgentFiles();
      this.announce(this.lanesOfFile.replace(index, this.reader));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (!this.disposed) this.fail(error);
    }
  }

  /** Feeds an index to the end of the file, in slices. False when the index has to be built anew. */
  private async feed(index: SessionIndex, open: OpenFile, reports: boolean): Promise<boolean> {
    const buffer = Buffer.allocUnsafeSlow(CHUNK);
    for (let slice = 0; !this.disposed;) {
      const count = open.readInto(buffer, index.bytes);
      if (count === 0) break;
      if (!index.push(buffer.subarray(0, count))) return false;
      slice += count;
      if (slice < SLICE) continue;
      slice = 0;
      if (reports) this.emit({ kind: 'progress' });
      await nextTurn();
    }
    if (this.disposed) return true;
    index.settle();
    this.seam = open.read(Math.max(0, index.bytes - SEAM), index.bytes);
    return true;
  }

  /** False when what was read before is not in the file any more, as after a file was written over in place. */
  private isSameBefore(): boolean {
    const end = this.index.bytes;
    return this.open.read(end - this.seam.length, end).equals(this.seam);
  }

  private async findAgentFiles(): Promise<void> {
    const found = await agentFilesOf(this.file);
    this.agentFiles = found.map(({ file, agent_id, title }) => ({
      id: `agent:${agent_id}`,
      kind: 'agent_file',
      label: title === null ? `Sub-agent ${agent_id}` : `Sub-agent: ${title}`,
      messages: null,
      line: null,
      parent_entry: null,
      file,
    }));
  }

  private announce(changes: readonly LaneChange[]): void {
    if (this.disposed) return;
    this.revision++;
    for (const { lane, from_entry, from_message } of changes) {
      if (lane === this.active) this.uses.forget(from_entry);
      this.emit({ kind: 'lane', lane: lane.id, from_message, from_entry });
    }
    this.emit({ kind: 'lanes' });
    this.emit({ kind: 'issues' });
    this.enqueue(async () => {
      if (await this.uses.update(this.reader)) this.emit({ kind: 'files' });
    });
  }

  private fail(problem: FileError | null): void {
    this.problem = problem;
    this.emit({ kind: 'problem' });
  }

  private emit(change: SessionChange): void {
    this.revision++;
    for (const listener of [...this.listeners]) listener(change);
  }
}

function newIndex(): SessionIndex {
  const decoder = new TextDecoder();
  return new SessionIndex({ decode: (bytes) => decoder.decode(bytes), isUtf8: (bytes) => isUtf8(bytes) });
}
