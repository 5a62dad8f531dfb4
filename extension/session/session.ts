import { decideInjectUser, decideRemind, decideRevoke, pendingInjections } from '../engine/reminders/bridge';
import { decideFireNow, previewFireNow } from '../engine/reminders/fireNow';
import type { FirePreview } from '../engine/reminders/fireNow';
import { decideClear, decideInject } from '../engine/reminders/inject';
import type { Selector } from '../engine/reminders/inject';
import type { Seam } from '../engine/reminders/modes';
import { decidePlacement, decideRequest } from '../engine/reminders/placement';
import { decideSeam } from '../engine/reminders/seams';
import type { Drained } from '../engine/reminders/seams';
import { decideEndTurn } from '../engine/reminders/turnBoundary';
import type { TurnEnd } from '../engine/reminders/turnBoundary';
import { decideAppend, decidePolicy, decideStatus, decideTitle, decideUsage } from '../engine/state/commands';
import type { Decision, Sources } from '../engine/state/decision';
import type { SessionState } from '../engine/state/state';
import type { JsonObject, Message } from '../engine/transcript/message';
import type { SessionAbout, SessionDeps } from './deps';
import { fileNameOf } from './logNames';
import { Prompts } from './prompts';
import type { Prompt } from './prompts';
import { RecordedSession } from './recordedSession';

/**
 * One session. Each command runs a decision of the engine on the present state, records what it decided, and gives its
 * answer; a refusal throws and records nothing.
 */
export class Session extends RecordedSession {
  private readonly prompts = new Prompts(this, this.deps);

  /**
   * Opens the log of a session below `folder`. `about` is recorded when the log is empty. Rejects for what the file
   * system refuses.
   */
  static async open(folder: string, id: string, deps: SessionDeps, about?: SessionAbout): Promise<Session> {
    const session = new Session(id, fileNameOf(folder, id), deps);
    await session.load(about);
    return session;
  }

  /** Runs any decision of the engine, records it in one append, and gives its answer. */
  run<Answer>(decide: (state: SessionState, sources: Sources) => Decision<Answer>): Answer {
    return this.decide((state) => decide(state, { newId: () => this.deps.newId() }));
  }

  /** Adds a message to durable history; gives its index there. */
  addMessage(message: Message, about: { readonly model?: string | null } = {}): number {
    return this.run((state) => decideAppend(state, message, about)).index;
  }

  setTitle(title: string): void {
    this.run((state) => decideTitle(state, title));
  }

  setStatus(status: string): void {
    this.run((state) => decideStatus(state, status));
  }

  /** What a provider reported for the last request: `input_tokens`, `output_tokens`, and so on. */
  recordUsage(usage: JsonObject): void {
    this.run((state) => decideUsage(state, usage));
  }

  /** Makes a policy with its options (`{policy, …}`) the session's own. Throws a `ProjectionError` for bad ones. */
  setPolicy(options: JsonObject): void {
    this.prompts.check(options);
    this.run((state) => decidePolicy(state, options));
  }

  /** The options that prompts are projected by: the session's own, or the defaults, with the setting for signatures. */
  get policy(): JsonObject {
    return this.prompts.policy;
  }

  inject(options: unknown): { readonly reminder_id: string; readonly deduped_count: number } {
    return this.run((state, sources) => decideInject(state, options, sources));
  }

  clear(selector: Selector): { readonly removed_count: number } {
    return this.run((state) => decideClear(state, selector));
  }

  /** `session/remind`. Throws a `ReminderFault` with the coded message. */
  remind(params: unknown): { readonly reminderId: string } {
    return this.run((state, sources) => decideRemind(state, params, sources));
  }

  /** `session/revoke_reminder`. Throws a `ReminderFault` with what happened when it cannot be taken back. */
  revoke(reminderId: string): { readonly reminderId: string; readonly status: 'revoked' | 'already_revoked' } {
    return this.run((state) => decideRevoke(state, reminderId));
  }

  /** `session/inject`: input of the person, waiting for a seam. */
  injectUser(params: { readonly content: unknown; readonly mode?: unknown }): { readonly messageId: string } {
    return this.run((state, sources) => decideInjectUser(state, params, sources));
  }

  pendingInjections(): ReturnType<typeof pendingInjections> {
    return pendingInjections(this.state);
  }

  firePreview(reminderId: string): FirePreview {
    return previewFireNow(this.state, reminderId);
  }

  fireNow(reminderId: string): FirePreview {
    return this.run((state) => decideFireNow(state, reminderId));
  }

  /** Drains what is due at a seam. */
  drain(seam: Seam, about: { readonly finishing?: boolean } = {}): Drained {
    return this.run((state) => decideSeam(state, seam, about));
  }

  /** Commits the envelope, projects what is durable then, and records how: right before a request. */
  buildPrompt(): Prompt {
    const { reminder_ids } = this.run((state) => decidePlacement(state));
    return this.prompts.build(reminder_ids);
  }

  /** The provider took the request: what its envelope carried is delivered. */
  promptAccepted(): { readonly fired: readonly string[] } {
    return this.run((state) => decideRequest(state, { valid: true }));
  }

  /** The provider refused the request: the envelope stays for the next one. */
  promptRefused(): void {
    this.run((state) => decideRequest(state, { valid: false }));
  }

  /** The turn boundary: what was delivered ages. */
  endTurn(): TurnEnd {
    return this.run((state) => decideEndTurn(state));
  }
}
