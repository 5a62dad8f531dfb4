import { setImmediate as nextTurn } from 'node:timers/promises';
import { TYPE } from '../../formats/claudeCode/draft';
import type { Entry, Usage } from '../../formats/claudeCode/entry';
import type { SessionIndex } from '../../formats/claudeCode/sessionIndex';
import type { Facts } from '../../formats/facts';
import type { Issue } from '../../formats/issue';
import { FileError } from '../../io/fileError';
import { OpenFile } from '../../io/readFile';
import { followFile, type Follower, type TailEvent } from '../../io/tail';
import { agentFilesOf, type AgentFile } from './agentFiles';
import type { OpenOptions, SessionChange } from './change';
import { createIndex, feedIndex, readSeam } from './feed';
import { FileUses, type FileUse } from './fileUses';
import type { Lane } from './lane';
import { ACTIVE, laneOfAgentFile, Lanes, type LaneChange, type LaneInfo } from './lanes';
import { readLastPage } from './lastPage';
import { readHead, type Head } from './head';
import { RecordReader } from './recordReader';
import { stateOf, type SessionState } from './state';
import { TitleFinder } from './title';

export type { OpenOptions, SessionChange } from './change';

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
  private index = createIndex();
  private reader: RecordReader;
  private lanesOfFile: Lanes;
  private readonly uses: FileUses;
  private readonly listeners = new Set<(change: SessionChange) => void>();
  private follower: Follower | null = null;
  private done = false;
  private total: number;
  private disposed = false;
  private working: Promise<void>;
  private agentFiles: readonly AgentFile[] = [];
  private titles: TitleFinder;
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
    this.titles = new TitleFinder(this.index, this.reader);
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
    return [...this.lanesOfFile.list(), ...this.agentFiles.map(laneOfAgentFile)];
  }

  /** A lane of this file; it stays valid and grows with the file. Throws for an id that `lanes` does not have. */
  lane(id: string = ACTIVE): Lane {
    const lane = this.lanesOfFile.get(id);
    if (!lane) throw new Error(`${this.file} has no lane "${id}".`);
    return lane;
  }

  /** From the head of the file while the index is not complete; so are `sessionId` and `cwd`. */
  title(): string | null {
    return this.done ? this.titles.find() : this.head.title;
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
    return this.reader.lineText(line);
  }

  onDidChange(listener: (change: SessionChange) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Looks at the file now, and settles once all there was to read has been read. */
  async check(): Promise<void> {
    await this.follower?.check();
    for (let working: Promise<void> | null = null; working !== this.working;) await (working = this.working);
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
      const index = createIndex();
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
      this.titles = new TitleFinder(index, this.reader);
      if (this.problem) this.fail(null);
      await this.findAgentFiles();
      this.announce(this.lanesOfFile.replace(index, this.reader));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (!this.disposed) this.fail(error);
    }
  }

  private async feed(index: SessionIndex, open: OpenFile, reports: boolean): Promise<boolean> {
    const whole = await feedIndex(
      index,
      open,
      () => this.disposed,
      () => {
        if (reports) this.emit({ kind: 'progress' });
      },
    );
    if (whole && !this.disposed) this.seam = readSeam(open, index.bytes);
    return whole;
  }

  /** False when what was read before is not in the file any more, as after a file was written over in place. */
  private isSameBefore(): boolean {
    const end = this.index.bytes;
    return this.open.read(end - this.seam.length, end).equals(this.seam);
  }

  private async findAgentFiles(): Promise<void> {
    this.agentFiles = await agentFilesOf(this.file, this.agentFiles);
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
