import type { SessionStatus } from '../../protocol/view';
import type { Disposable, Listen } from '../../session/disposable';
import { Emitter } from '../../session/disposable';
import type { Session } from '../../session/session';
import { Iteration, RunFailure, Stopped } from './iteration';
import type { Firing, LoopPart, LoopStatus, LoopView, RunOutcome } from './loopView';
import type { ModelClient } from './model';
import { Permissions } from './permissions';
import { loopDraft } from './records';
import { repairSession } from './repair';
import type { FileNotes } from './tools/tool';
import type { Workspace } from './tools/workspace';

export interface LoopOptions {
  readonly session: Session;
  readonly workspace: Workspace;
  readonly files: FileNotes;
  /** The model where none was set. */
  readonly models: () => ModelClient | null;
  /** Looks at the files that the agent knows, before each prompt. */
  readonly look: () => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** Most answers in a row. */
  readonly limit?: number;
}

const LIMIT = 50;

/** The loop of one of our own sessions: there is one, and it does one thing at a time. */
export class AgentLoop implements Disposable {
  readonly onDidChange: Listen<LoopView>;
  readonly onDidEmit: Listen<LoopPart>;
  private readonly changed: Emitter<LoopView>;
  private readonly emitted: Emitter<LoopPart>;
  private readonly permissions: Permissions;
  private model: ModelClient | null = null;
  private controller: AbortController | null = null;
  private run: Promise<RunOutcome> | null = null;
  /** Who sent a message while the run before was being stopped: theirs begins right after it. */
  private readonly next: ((run: Promise<RunOutcome>) => void)[] = [];
  private streaming = '';
  private error: string | null = null;
  private shown: LoopView;

  constructor(private readonly options: LoopOptions) {
    this.changed = new Emitter(options.onError);
    this.emitted = new Emitter(options.onError);
    this.onDidChange = this.changed.event;
    this.onDidEmit = this.emitted.event;
    this.permissions = new Permissions(options.session.id, () => this.show());
    this.shown = this.look();
  }

  get view(): LoopView {
    return this.shown;
  }

  /** The model that the next request goes to. */
  get client(): ModelClient | null {
    return this.model ?? this.options.models();
  }

  /** As people see the session. */
  get status(): SessionStatus {
    if (this.controller !== null) return 'running';
    return this.error === null ? 'idle' : 'failed';
  }

  /** Takes effect with the next request; null: the default. */
  setModel(model: ModelClient | null): void {
    this.model = model;
    this.show();
  }

  /**
   * Records a message of the person and starts a turn; while one runs the message waits for the next seam. Rejects when
   * it could not be recorded; `run` never rejects.
   */
  async send(text: string): Promise<{ readonly queued: boolean; readonly run: Promise<RunOutcome> }> {
    if (text.trim() === '') throw new Error('The message is empty. Write something first.');
    if (this.options.session.state.messages.length === 0 && this.controller === null) this.name(text);
    this.options.session.injectUser({ content: text, mode: 'finish_step' });
    const queued = this.controller !== null;
    const stopping = this.controller?.signal.aborted === true;
    const run = stopping ? new Promise<RunOutcome>((resolve) => this.next.push(resolve)) : this.begin();
    this.show();
    return { queued, run };
  }

  /** Starts a turn without a message; while one runs that run goes on. Never rejects. */
  start(_reason: 'fire_now' | 'continue'): Promise<RunOutcome> {
    return this.begin();
  }

  /** Makes a reminder immediate, and starts the turn where none runs. Throws the engine's fault where it cannot be. */
  fire(reminderId: string): Firing {
    const starts = this.controller === null;
    const answer = this.options.session.fireNow(reminderId);
    if (starts) void this.begin();
    return { turn: answer.turn, starts_turn: starts, others: answer.others };
  }

  firePreview(reminderId: string): Firing {
    const { turn, others } = this.options.session.firePreview(reminderId);
    return { turn, starts_turn: this.controller === null, others };
  }

  /** Stops what runs, and what was to run next. Resolves once every call is answered. */
  async stop(): Promise<void> {
    if (this.controller === null || this.run === null) return;
    const { run } = this;
    for (const resolve of this.next.splice(0)) resolve(run);
    this.controller.abort(new Stopped());
    this.show();
    await run;
  }

  /** Answers a request for permission; throws where nothing waits under this id. */
  permit(id: string, allow: boolean, always = false): void {
    this.permissions.answer(id, allow, always);
  }

  /** Resolves when the loop is idle. */
  async settled(): Promise<void> {
    while (this.controller !== null && this.run !== null) await this.run;
  }

  dismissError(): void {
    this.error = null;
    this.show();
  }

  dispose(): void {
    this.controller?.abort(new Stopped());
    this.changed.dispose();
    this.emitted.dispose();
  }

  private begin(): Promise<RunOutcome> {
    if (this.controller !== null && this.run !== null) return this.run;
    const controller = new AbortController();
    this.controller = controller;
    this.error = null;
    this.run = this.perform(controller.signal);
    this.show();
    return this.run;
  }

  private async perform(signal: AbortSignal): Promise<RunOutcome> {
    let outcome: RunOutcome;
    try {
      // Another window may have had the session until now, and ended in the middle of a turn.
      repairSession(this.options.session);
      this.options.session.setStatus('running');
      this.options.session.drain('daemon_idle_post');
      outcome = await this.iterate(signal);
    } catch (error) {
      outcome = this.outcomeOf(error, signal);
    }
    this.close(outcome);
    const waiting = this.next.splice(0);
    if (waiting.length > 0) {
      const run = this.begin();
      for (const resolve of waiting) resolve(run);
    }
    return outcome;
  }

  private async iterate(signal: AbortSignal): Promise<RunOutcome> {
    const limit = this.options.limit ?? LIMIT;
    for (let count = 1; count <= limit; count += 1) {
      const iteration = new Iteration({
        ...this.options,
        model: () => this.client,
        permissions: this.permissions,
        signal,
        emit: (part) => this.emitted.fire(part),
        stream: (text) => {
          this.streaming = text;
          this.show();
        },
      });
      if ((await iteration.perform(count === limit)) === 'done') return { reason: 'finished', error: null };
    }
    return {
      reason: 'limit',
      error: `The agent was stopped after ${limit} answers in a row. Look at what it did; send a message to let it go on.`,
    };
  }

  /** The end of a run, in one go: nothing may come in between, or a message that arrives meanwhile would be left lying. */
  private close(outcome: RunOutcome): void {
    this.streaming = '';
    this.error = outcome.error;
    try {
      const { session } = this.options;
      session.append([loopDraft('run.ended', { ...outcome, text: outcome.error ?? ENDS[outcome.reason] })]);
      session.drain('loop_exit');
      session.drain('daemon_idle_pre');
      session.setStatus('idle');
    } catch (error) {
      this.error ??= `What happened could not be recorded: ${messageOf(error)}`;
      this.options.onError(error);
    } finally {
      this.controller = null;
      this.show();
    }
  }

  private outcomeOf(error: unknown, signal: AbortSignal): RunOutcome {
    if (signal.aborted) return { reason: 'stopped', error: null };
    if (error instanceof RunFailure) return { reason: 'failed', error: error.message };
    this.options.onError(error);
    return { reason: 'failed', error: `${messageOf(error)} Nothing was lost; send a message to go on.` };
  }

  private name(text: string): void {
    const { session } = this.options;
    if (session.title !== UNTITLED) return;
    const line = text.trim().split('\n', 1)[0] ?? '';
    session.setTitle([...line].length > 60 ? `${[...line].slice(0, 59).join('')}…` : line);
  }

  private show(): void {
    this.shown = this.look();
    this.changed.fire(this.shown);
  }

  private look(): LoopView {
    const { state } = this.options.session;
    const running = this.controller !== null;
    const permissions = this.permissions.views;
    return {
      status: statusOf(this.controller, permissions.length),
      turn: running ? state.turn : null,
      model: this.client?.name ?? null,
      permissions,
      streaming: this.streaming,
      queued: state.queue.keys().filter((id) => state.queue.get(id)?.kind === 'user').length,
      error: this.error,
    };
  }
}

/** The title of a session until its first message gives it one. */
export const UNTITLED = 'New session';

const ENDS = {
  finished: 'The agent finished.',
  stopped: 'Stopped by the person.',
  failed: 'The run failed.',
  limit: 'The agent was stopped.',
} as const satisfies Record<RunOutcome['reason'], string>;

function statusOf(controller: AbortController | null, asked: number): LoopStatus {
  if (controller === null) return 'idle';
  if (controller.signal.aborted) return 'stopping';
  return asked > 0 ? 'asking' : 'running';
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
