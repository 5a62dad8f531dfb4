import { resultsOf } from '../../engine/transcript/results';
import type { Message } from '../../engine/transcript/message';
import type { Entry as ClaudeEntry, MessageEntry } from '../../formats/claudeCode/entry';
import type { IssueView, LaneView, SessionView } from '../../protocol/view';
import type { Listen } from '../../session/disposable';
import { Emitter } from '../../session/disposable';
import type { Entry, InspectedSession, LaneReader, SessionChange } from '../../session/inspected';
import type { Session } from '../../session/session';
import type { Lane } from './lane';
import { ACTIVE } from './lanes';
import type { LaneInfo } from './lanes';
import type { ClaudeSessionFile } from './sessionFile';
import { openClaudeSession } from './sessionFile';

export interface InspectOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Size of the context window in tokens; null: not known. */
  readonly window: number | null;
}

const NONE: ReadonlySet<string> = new Set();

function clearedIn(message: Message, cleared: ReadonlySet<string>): readonly string[] {
  if (cleared.size === 0) return [];
  return resultsOf(message).flatMap(({ id }) => (id !== null && cleared.has(id) ? [id] : []));
}

function notesOf(entry: MessageEntry): readonly string[] {
  const notes: string[] = [];
  if (entry.compact_summary) notes.push('summary of the compaction');
  if (entry.synthetic) notes.push('written by the agent, not by the model');
  else if (entry.meta) notes.push('written by the agent');
  if (entry.context === 'not_sent') notes.push('not sent to the model');
  return notes;
}

function entryOf(entry: ClaudeEntry, message: number, cleared: ReadonlySet<string>): Entry {
  const { time_ms } = entry;
  const line = entry.lines[0] ?? null;
  switch (entry.kind) {
    case 'message': {
      const { message: value, model } = entry;
      const gone = clearedIn(value, cleared);
      return { kind: 'message', message, value, time_ms, cleared: gone, model, notes: notesOf(entry) };
    }
    case 'boundary':
      return { kind: 'boundary', boundary: entry.boundary, text: entry.text, time_ms, line };
    case 'record':
      return { kind: 'record', name: entry.type, text: entry.text, time_ms, line };
  }
}

/** The end of a file of which nothing else is known yet. */
function readerOfPage(lane: LaneView, page: readonly ClaudeEntry[]): LaneReader {
  const messages: { readonly entry: number; readonly value: Message }[] = [];
  const entries = page.map((entry, index) => {
    const number = messages.length;
    if (entry.kind === 'message') messages.push({ entry: index, value: entry.message });
    return entryOf(entry, number, NONE);
  });
  return {
    lane: { ...lane, messages: messages.length },
    provisional: true,
    length: entries.length,
    messages: messages.length,
    context_start: 0,
    read: (start, end) => Promise.resolve(entries.slice(start, end)),
    message: (index) => messages[index]?.value ?? {},
    entryOf: (message) => messages[message]?.entry ?? entries.length,
    contextStartAt: () => 0,
    usageAt: () => null,
    turns: { length: 0, at: () => -1 },
  };
}

/** A lane of an indexed file. */
class ClaudeLane implements LaneReader {
  readonly provisional = false;

  constructor(
    private readonly source: Lane,
    private readonly describe: () => LaneView,
  ) {}

  get lane(): LaneView {
    return { ...this.describe(), messages: this.source.length };
  }

  get length(): number {
    return this.source.entries;
  }

  get messages(): number {
    return this.source.length;
  }

  get context_start(): number {
    return this.source.contextStart;
  }

  get turns(): LaneReader['turns'] {
    return this.source.turns;
  }

  async read(start: number, end: number): Promise<readonly Entry[]> {
    const entries = await this.source.read(start, end);
    const cleared = this.source.cleared();
    return entries.map((entry) => {
      const message = entry.kind === 'message' ? (entry.index ?? 0) : 0;
      return entryOf(entry, message, message < this.source.contextStart ? NONE : cleared);
    });
  }

  message(index: number): Message {
    return this.source.message(index);
  }

  entryOf(message: number): number {
    const entry = this.source.entryOf(message);
    return entry < 0 ? this.source.entries : entry;
  }

  contextStartAt(message: number): number {
    return this.source.contextStartAt(message);
  }

  usageAt(message: number): number | null {
    return this.source.usageAt(message);
  }
}

function laneView({ id, label, kind, messages }: LaneInfo): LaneView {
  return { id, label, kind: kind === 'agent_file' ? 'sidechain' : kind, messages };
}

/** A Claude Code session file, its sub-agents' files among its lanes, with our own log about it beside. */
class InspectedClaude implements InspectedSession {
  readonly own = false;
  readonly onDidChange: Listen<SessionChange>;
  private readonly changes: Emitter<SessionChange>;
  private readonly readers = new Map<string, LaneReader>();
  /** Files of sub-agents, opened when somebody looks at them; null: being opened. */
  private readonly agents = new Map<string, ClaudeSessionFile | null>();
  private readonly listening: { dispose(): void }[] = [];
  private readonly ready = new WeakSet<ClaudeSessionFile>();
  private disposed = false;

  constructor(
    private readonly file: ClaudeSessionFile,
    readonly session: Session,
    private readonly options: InspectOptions,
  ) {
    this.changes = new Emitter(session.reportError);
    this.onDidChange = this.changes.event;
    this.follow(file, (lane) => lane);
    this.listening.push(session.onDidChange(() => this.changes.fire({ kind: 'about' })));
  }

  get id(): string {
    return this.session.id;
  }

  get view(): SessionView {
    const { file, session } = this;
    const version = file.version();
    return {
      id: session.id,
      title: file.title() ?? session.title,
      agent: version === null ? 'Claude Code' : `Claude Code ${version}`,
      status: file.problem ? 'failed' : file.state(this.options.now()),
      fidelity:
        "Messages as Claude Code's own log has them; its system prompt, tools and reminders are not among them.",
      live: file.problem === null,
      no_route: 'There is no way into this session yet, so directives wait here.',
      no_composer: 'This agent runs in its own window. Write to it there.',
      model: file.model(),
    };
  }

  get lanes(): readonly LaneView[] {
    return this.infos().map((info) => {
      const agent = this.agents.get(info.id);
      return agent ? { ...laneView(info), messages: agent.lane().length } : laneView(info);
    });
  }

  reader(lane: string): LaneReader | undefined {
    const info = this.infos().find(({ id }) => id === lane);
    if (!info) return undefined;
    const known = this.readers.get(lane);
    if (known) return known;
    const made = info.file === null ? this.readerOf(this.file, info, info.id) : this.agentReader(info, info.file);
    this.readers.set(lane, made);
    return made;
  }

  get issues(): { readonly total: number; readonly first: readonly IssueView[] } {
    const own = this.session.issues;
    const all = this.file.issues();
    // While the file is being read, its last line so far is only cut because the rest of it comes next.
    const first = this.file.progress.done ? all : all.filter(({ kind }) => kind !== 'truncated');
    const total = this.file.issueCount - (all.length - first.length);
    return { total: total + own.total, first: [...first, ...own.first] };
  }

  get problem(): string | null {
    return this.file.problem?.message ?? null;
  }

  get progress(): number | null {
    const { bytes, total, done } = this.file.progress;
    return done && this.isReady(this.file) ? null : total === 0 ? 0 : bytes / total;
  }

  get window(): number | null {
    return this.options.window;
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    for (const part of this.listening) part.dispose();
    this.changes.dispose();
    for (const agent of this.agents.values()) agent?.dispose();
    this.file.dispose();
    this.session.dispose();
  }

  private infos(): readonly LaneInfo[] {
    return this.file.lanes();
  }

  private readerOf(file: ClaudeSessionFile, info: LaneInfo, lane: string): LaneReader {
    const describe = (): LaneView => laneView(this.infos().find(({ id }) => id === info.id) ?? info);
    return this.isReady(file) ? new ClaudeLane(file.lane(lane), describe) : readerOfPage(describe(), file.lastPage);
  }

  private agentReader(info: LaneInfo, path: string): LaneReader {
    const agent = this.agents.get(info.id);
    if (agent) return this.readerOf(agent, info, ACTIVE);
    if (agent === undefined) {
      this.agents.set(info.id, null);
      this.openAgent(info.id, path).catch((error: unknown) => {
        this.agents.delete(info.id);
        this.session.reportError(error);
      });
    }
    return readerOfPage(laneView(info), []);
  }

  private async openAgent(lane: string, path: string): Promise<void> {
    const file = await openClaudeSession(path);
    if (this.disposed) {
      file.dispose();
      return;
    }
    this.agents.set(lane, file);
    this.follow(file, () => lane);
    this.readers.delete(lane);
    this.changes.fire({ kind: 'reset', lane });
  }

  /** Hands on what changed in a file; `nameOf` gives the name that its lanes have here. */
  private follow(file: ClaudeSessionFile, nameOf: (lane: string) => string): void {
    const own = file === this.file ? null : nameOf(ACTIVE);
    const listening = file.onDidChange((change) => {
      if (change.kind !== 'lane') this.changes.fire({ kind: 'about' });
      else if (!this.isReady(file)) this.makeReady(file, own);
      else if (change.from_entry === 0) this.changes.fire({ kind: 'reset', lane: nameOf(change.lane) });
      else {
        const from = { lane: nameOf(change.lane), message: change.from_message, entry: change.from_entry };
        this.changes.fire({ kind: 'grew', from });
      }
    });
    this.listening.push(listening);
    file.indexed.then(() => this.makeReady(file, own), this.session.reportError);
  }

  /** Whether the lanes of a file can be read by number; before, there is only its end. */
  private isReady(file: ClaudeSessionFile): boolean {
    return this.ready.has(file);
  }

  /** `lane`: the one lane that is in the file; null: all of them. */
  private makeReady(file: ClaudeSessionFile, lane: string | null): void {
    if (this.disposed || this.isReady(file)) return;
    this.ready.add(file);
    if (lane === null) this.readers.clear();
    else this.readers.delete(lane);
    this.changes.fire({ kind: 'reset', lane });
  }
}

/** What the inspector shows of a Claude Code session file. Disposing it closes the file and lets go of the session. */
export function inspectClaude(file: ClaudeSessionFile, session: Session, options: InspectOptions): InspectedSession {
  return new InspectedClaude(file, session, options);
}
