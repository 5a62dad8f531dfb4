import type { Memento } from 'vscode';
import type { Disposable } from '../session/disposable';
import { Emitter } from '../session/disposable';
import type { InspectedSession } from '../session/inspected';
import { groups } from './entry';
import type { Group, SessionEntry, Source } from './entry';
import { sessionGone } from './errors';
import type { Report } from './log';

const selectedKey = 'selectedSession';

/** A session that is open, with the entry it was opened from. */
export interface OpenSession {
  readonly key: string;
  readonly entry: SessionEntry;
  readonly inspected: InspectedSession;
}

/** All sessions that are known, which of them are open, and which one is selected. */
export class Sessions implements Disposable {
  private readonly lists = new Map<Group, readonly SessionEntry[]>();
  private readonly opening = new Map<string, Promise<OpenSession>>();
  private readonly open = new Map<string, OpenSession>();
  private readonly listening = new Map<string, Disposable>();
  private readonly subscriptions: Disposable[] = [];
  private readonly entriesChanged: Emitter<void>;
  private readonly selectionChanged: Emitter<OpenSession | null>;
  private readonly selectedChanged: Emitter<OpenSession>;
  private readonly openChanged: Emitter<void>;
  /** What is selected, or will be once it is open. */
  private selectedKey: string | null;
  private current: OpenSession | null = null;
  private selections = 0;
  private refreshing: Promise<void> | null = null;
  private again = false;
  private disposed = false;
  /** Sentences about places that could not be looked into. */
  problems: readonly string[] = [];
  /** Where sessions were looked for. */
  where: readonly string[] = [];
  /** True once every source was listed. */
  listed = false;

  constructor(
    private readonly sources: readonly Source[],
    private readonly memento: Memento,
    private readonly report: Report,
  ) {
    const onError = (error: unknown): void => report.quietly(error, 'tell of a change of the sessions');
    this.entriesChanged = new Emitter(onError);
    this.selectionChanged = new Emitter(onError);
    this.selectedChanged = new Emitter(onError);
    this.openChanged = new Emitter(onError);
    this.selectedKey = memento.get<string | null>(selectedKey, null);
    for (const source of sources)
      this.subscriptions.push(
        source,
        source.onDidChange(() => void this.refresh()),
      );
  }

  /** The list, or something shown in it, changed. */
  get onDidChangeEntries(): Emitter<void>['event'] {
    return this.entriesChanged.event;
  }
  /** Another session (or none) is selected. */
  get onDidSelect(): Emitter<OpenSession | null>['event'] {
    return this.selectionChanged.event;
  }
  /** The selected session changed. */
  get onDidChangeSelected(): Emitter<OpenSession>['event'] {
    return this.selectedChanged.event;
  }
  /** Sessions were opened or closed. */
  get onDidChangeOpen(): Emitter<void>['event'] {
    return this.openChanged.event;
  }

  /** What was found, and what is open though it is not found any more. */
  get entries(): readonly SessionEntry[] {
    const found = groups.flatMap((group) => this.lists.get(group) ?? []);
    const keys = new Set(found.map(({ key }) => key));
    const gone = [...this.open.values()].filter(({ key }) => !keys.has(key)).map(({ entry }) => entry);
    return [...found, ...gone].map((entry) => this.live(entry));
  }

  get openSessions(): readonly OpenSession[] {
    return [...this.open.values()];
  }

  get selected(): OpenSession | null {
    return this.current;
  }

  entry(key: string): SessionEntry | undefined {
    return this.entries.find((entry) => entry.key === key);
  }

  /** Lists all sources again; calls that come while it does so are one more round. */
  refresh(): Promise<void> {
    this.again = true;
    this.refreshing ??= this.rounds().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  /** Takes an entry into the list before its source is listed again. */
  include(entry: SessionEntry): void {
    const others = (this.lists.get(entry.group) ?? []).filter(({ key }) => key !== entry.key);
    this.lists.set(entry.group, [...others, entry]);
    this.entriesChanged.fire();
  }

  /** Selects and opens a session. The last call wins; an earlier one that is slower changes nothing any more. */
  async select(key: string): Promise<OpenSession> {
    const turn = ++this.selections;
    const session = await this.acquire(key);
    if (turn !== this.selections || this.disposed) return session;
    if (this.current !== session) {
      this.choose(session);
      this.closeUnused();
      await this.memento.update(selectedKey, key);
    }
    return session;
  }

  /** Selects again what was selected before the window was reloaded; nothing when it is gone. */
  async restore(): Promise<void> {
    const key = this.selectedKey;
    if (key === null || !this.entry(key)) return;
    await this.select(key);
  }

  /** Closes a session; when it was the selected one, none is selected. */
  async close(key: string): Promise<void> {
    const selected = this.selectedKey === key;
    if (selected) {
      this.selections++;
      this.choose(null);
    }
    this.release(key);
    if (selected) await this.memento.update(selectedKey, null);
  }

  dispose(): void {
    this.disposed = true;
    for (const key of [...this.open.keys()]) this.release(key);
    for (const subscription of this.subscriptions) subscription.dispose();
    for (const emitter of [this.entriesChanged, this.selectionChanged, this.selectedChanged, this.openChanged])
      emitter.dispose();
  }

  private choose(session: OpenSession | null): void {
    this.current = session;
    this.selectedKey = session?.key ?? null;
    this.selectionChanged.fire(session);
    this.entriesChanged.fire();
  }

  private async rounds(): Promise<void> {
    while (this.again && !this.disposed) {
      this.again = false;
      const problems: string[] = [];
      const where: string[] = [];
      await Promise.all(
        this.sources.map(async (source) => {
          try {
            const listing = await source.list();
            this.lists.set(source.group, listing.entries);
            problems.push(...listing.problems);
            where.push(...listing.where);
          } catch (error) {
            this.report.quietly(error, 'list sessions');
            problems.push(error instanceof Error ? error.message : String(error));
          }
        }),
      );
      this.problems = problems;
      this.where = where;
      this.listed = true;
      if (!this.disposed) this.entriesChanged.fire();
    }
  }

  /** What an open session says of itself goes before what the list knew. */
  private live(entry: SessionEntry): SessionEntry {
    const view = this.open.get(entry.key)?.inspected.view;
    return view ? { ...entry, title: view.title, status: view.status } : entry;
  }

  private acquire(key: string): Promise<OpenSession> {
    const known = this.opening.get(key);
    if (known) return known;
    const entry = this.entry(key);
    const source = this.sources.find((each) => each.group === entry?.group);
    if (!entry || !source) return Promise.reject(sessionGone());
    const opening = source.open(entry).then((inspected) => this.opened(key, entry, inspected));
    this.opening.set(key, opening);
    opening.catch(() => this.opening.delete(key));
    return opening;
  }

  private opened(key: string, entry: SessionEntry, inspected: InspectedSession): OpenSession {
    const session = { key, entry, inspected };
    if (this.disposed) {
      inspected.dispose();
      return session;
    }
    this.open.set(key, session);
    this.listening.set(
      key,
      inspected.onDidChange((change) => {
        if (change.kind === 'about') this.entriesChanged.fire();
        if (this.current === session) this.selectedChanged.fire(session);
      }),
    );
    this.openChanged.fire();
    return session;
  }

  private release(key: string): void {
    const session = this.open.get(key);
    this.listening.get(key)?.dispose();
    this.listening.delete(key);
    this.opening.delete(key);
    this.open.delete(key);
    if (!session) return;
    session.inspected.dispose();
    if (!this.disposed) this.openChanged.fire();
  }

  /** Memory follows what is looked at: what neither is selected nor runs is closed. */
  private closeUnused(): void {
    for (const [key, session] of this.open) {
      if (key !== this.selectedKey && session.inspected.view.status !== 'running') this.release(key);
    }
  }
}
