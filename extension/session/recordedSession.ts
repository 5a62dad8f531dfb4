import type { SessionAbout, SessionDeps } from './deps';
import { ReadOnlySession } from './deps';
import type { Disposable, Listen } from './disposable';
import { Emitter } from './disposable';
import type { Place } from './log';
import { LogFailure } from './log';
import { MATERIAL, joinOptions } from './projectionMaterial';
import { SessionLog } from './sessionLog';
import { Timeline } from './timeline';
import { directivesOf } from '../engine/reminders/directives';
import { lifecycleRowOf } from '../engine/reminders/lifecycle';
import type { Directive, LifecycleRow } from '../engine/rows/row';
import type { Decision } from '../engine/state/decision';
import { draftOf } from '../engine/state/kinds';
import type { EventDraft, LogRecord } from '../engine/state/record';
import { reduceRecord } from '../engine/state/reduce';
import type { SessionState } from '../engine/state/state';
import { initialState } from '../engine/state/state';
import type { Json, JsonObject } from '../engine/transcript/message';
import { isObject } from '../engine/transcript/message';
import type { LifecycleFilter } from '../protocol/messages';
import type { IssueView } from '../protocol/view';

/** Most issues of one log that are kept; beyond it they are only counted. */
const MAX_ISSUES = 1000;

/** A page of the records about reminders, newest last. */
export interface LifecyclePage {
  readonly total: number;
  /** Kinds that occur at all, whatever the filter. */
  readonly kinds: readonly string[];
  readonly rows: readonly LifecycleRow[];
}

/**
 * The log of a session and the state that follows from it. Whatever happens is written and flushed first, then reduced,
 * then announced; so what is announced survives the process.
 */
export class RecordedSession implements Disposable {
  private current: SessionState;
  /** Messages, boundaries and requests in order, for our own sessions. */
  readonly timeline = new Timeline();
  /** Large values of projection options, by their hashes. */
  protected readonly materials = new Map<string, Json>();
  private log: SessionLog | null = null;
  private readonly places = new Map<string, Place>();
  private readonly lifecycleRows: LifecycleRow[] = [];
  private readonly kinds = new Set<string>();
  private readonly found: IssueView[] = [];
  private issueCount = 0;
  private arrived: LogRecord[] = [];
  private shownDirectives: { readonly state: SessionState; readonly list: readonly Directive[] } | null = null;
  private uses = 1;
  private following: Promise<void> | null = null;
  private readonly appended: Emitter<readonly LogRecord[]>;
  private readonly changed: Emitter<SessionState>;
  private readonly closedEmitter: Emitter<void>;

  protected constructor(
    readonly id: string,
    readonly file: string,
    protected readonly deps: SessionDeps,
  ) {
    this.current = initialState(id);
    this.appended = new Emitter(deps.onError);
    this.changed = new Emitter(deps.onError);
    this.closedEmitter = new Emitter(deps.onError);
    this.onDidAppend = this.appended.event;
    this.onDidChange = this.changed.event;
    this.onDidClose = this.closedEmitter.event;
  }

  /** Records, after they were written and flushed and the state was reduced by them. */
  readonly onDidAppend: Listen<readonly LogRecord[]>;
  /** The state, once after each append. */
  readonly onDidChange: Listen<SessionState>;
  /** The last user let go of it. */
  readonly onDidClose: Listen<void>;

  /** Reads the log, and begins it with `about` when it is empty. */
  protected async load(about?: SessionAbout): Promise<void> {
    const options = { token: this.deps.newId(), flush: this.deps.flush ?? true };
    this.log = await SessionLog.open(this.file, options, {
      record: (record, place, line) => this.takeRead(record, place, line),
      issue: (issue) => this.note(issue),
    });
    this.arrived = [];
    const { refusal } = this.log;
    if (about && this.places.size === 0 && refusal !== null) {
      this.dispose();
      throw new LogFailure(refusal);
    }
    if (about && this.places.size === 0 && this.log.heldBy === null) {
      this.append([draftOf(this.current, 'session.opened', { ...about })]);
    }
  }

  get state(): SessionState {
    return this.current;
  }

  /** What the first record says; fields that it lacks have their plainest values. */
  get about(): SessionAbout {
    const about = this.current.about;
    const text = (key: string): string | null => (typeof about[key] === 'string' ? about[key] : null);
    return {
      title: text('title') ?? '',
      agent: text('agent') ?? '',
      own: about['own'] === true,
      workspace: text('workspace'),
      source: text('source'),
      deliverable: about['deliverable'] !== false,
    };
  }

  get title(): string {
    return this.current.title ?? this.about.title;
  }

  /** Lines of the log that could not be read. */
  get issues(): { readonly total: number; readonly first: readonly IssueView[] } {
    return { total: this.issueCount, first: this.found };
  }

  /** Why this window may not write; null: it may. */
  get readOnly(): string | null {
    const holder = this.log?.heldBy ?? null;
    if (!this.log) return 'This session was closed.';
    if (this.log.refusal !== null) return this.log.refusal;
    if (holder === null) return null;
    return `This session is open in another window (process ${holder}). Use it there, or close it there and try again.`;
  }

  /**
   * Writes and flushes the drafts as one, then reduces and announces them. Throws `ReadOnlySession`, or `LogFailure`
   * when the disk refuses; then nothing has happened.
   */
  append(drafts: readonly EventDraft[]): readonly LogRecord[] {
    this.checkWritable();
    if (drafts.length === 0) return [];
    const at = this.deps.now();
    const records = drafts.map((draft, index): LogRecord => {
      const batch = drafts.length > 1 ? { batch: `${index + 1}/${drafts.length}` } : {};
      const headers = { session_id: this.id, ...draft.headers, ...batch };
      return {
        id: this.deps.newId(),
        event: { kind: draft.kind, payload: draft.payload, headers, occurred_at_ms: at },
      };
    });
    const places = this.log?.append(records) ?? [];
    records.forEach((record, index) => {
      const place = places[index];
      if (place) this.take(record, place);
    });
    this.announce();
    return records;
  }

  /** Runs a decision of the engine on the present state, records it, and gives its answer. */
  decide<Answer>(decision: (state: SessionState) => Decision<Answer>): Answer {
    this.checkWritable();
    const { drafts, answer } = decision(this.current);
    this.append(drafts);
    return answer;
  }

  /** A record of the log, read back from the file; null when there is none of that id. */
  record(record_id: string): LogRecord | null {
    const place = this.places.get(record_id);
    if (!place || !this.log) return null;
    return JSON.parse(this.log.textAt(place)) as LogRecord;
  }

  /** The directives as people see them, in order of their first record. */
  directives(): readonly Directive[] {
    if (this.shownDirectives?.state !== this.current) {
      this.shownDirectives = { state: this.current, list: directivesOf(this.current) };
    }
    return this.shownDirectives.list;
  }

  /** Ids of the reminders in message `message` of the timeline, when it is an envelope that the engine issued. */
  envelopeAt(message: number): readonly string[] | null {
    const { contextStart } = this.timeline;
    const kept = message < contextStart ? undefined : this.current.envelopes.get(String(message - contextStart));
    return kept ?? this.timeline.envelopeAt(message);
  }

  /** Message of the timeline that holds the envelope of a reminder last; null: none does. */
  messageOfReminder(reminder_id: string): number | null {
    return this.timeline.messageOfReminder(reminder_id);
  }

  /** Options that a projection was made by, in full; null when none of that number is recorded. */
  projectionOptions(number: number): JsonObject | null {
    const options = this.current.projections.at(number)?.['options'];
    return isObject(options) ? joinOptions(options, this.materials) : null;
  }

  hasMaterial(hash: string): boolean {
    return this.materials.has(hash);
  }

  /** Number of records about reminders. */
  get lifecycleTotal(): number {
    return this.lifecycleRows.length;
  }

  lifecycle(filter: LifecycleFilter, start: number, count: number): LifecyclePage {
    const kinds = new Set(filter.kinds);
    const { reminder_id, since_ms, until_ms } = filter;
    const rows = this.lifecycleRows.filter(
      (row) =>
        (kinds.size === 0 || kinds.has(row.kind)) &&
        (reminder_id === null || (row.reminder_id?.startsWith(reminder_id) ?? false)) &&
        (since_ms === null || row.occurred_at_ms >= since_ms) &&
        (until_ms === null || row.occurred_at_ms <= until_ms),
    );
    return { total: rows.length, kinds: [...this.kinds].sort(), rows: rows.slice(start, start + count) };
  }

  /** Something failed where nobody waits for an answer. */
  readonly reportError = (error: unknown): void => this.deps.onError(error);

  /** In a window that does not write: reads what the other one wrote, and takes over if it is gone. */
  catchUp(): Promise<void> {
    this.following ??= this.follow().finally(() => (this.following = null));
    return this.following;
  }

  /** One more user of this object; each disposes it once. */
  retain(): this {
    this.uses++;
    return this;
  }

  dispose(): void {
    if (this.uses === 0 || --this.uses > 0) return;
    this.log?.close();
    this.log = null;
    this.closedEmitter.fire();
    for (const emitter of [this.appended, this.changed, this.closedEmitter]) emitter.dispose();
  }

  private async follow(): Promise<void> {
    if (!this.log || this.log.heldBy === null) return;
    const holder = this.log.heldBy;
    if (!(await this.log.claim())) await this.log.read();
    if (this.arrived.length > 0 || this.log?.heldBy !== holder) this.announce();
  }

  private checkWritable(): void {
    const reason = this.readOnly;
    if (reason === null) return;
    if (this.log) this.catchUp().catch((error: unknown) => this.deps.onError(error));
    throw new ReadOnlySession(reason);
  }

  /** A record that stands twice in the file (written again after a copy or a merge of logs) happened once. */
  private takeRead(record: LogRecord, place: Place, line: number): void {
    if (this.places.has(record.id)) {
      const text = 'This record was there before (same id); only the first one counts.';
      this.note({ line, kind: 'duplicate', text });
    } else this.take(record, place);
  }

  private take(record: LogRecord, place: Place): void {
    this.current = reduceRecord(this.current, record);
    this.places.set(record.id, place);
    this.timeline.take(record);
    if (record.event.kind === MATERIAL) this.keepMaterial(record.event.payload);
    const row = lifecycleRowOf(record, this.current);
    if (row) {
      this.lifecycleRows.push(row);
      this.kinds.add(row.kind);
    }
    this.arrived.push(record);
  }

  private keepMaterial({ hash, value }: JsonObject): void {
    if (typeof hash === 'string' && value !== undefined) this.materials.set(hash, value);
  }

  private note(issue: IssueView): void {
    this.issueCount++;
    if (this.found.length < MAX_ISSUES) this.found.push(issue);
  }

  private announce(): void {
    const records = this.arrived;
    this.arrived = [];
    if (records.length > 0) this.appended.fire(records);
    this.changed.fire(this.current);
  }
}
