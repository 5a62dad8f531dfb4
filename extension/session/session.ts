import type { SessionAbout, SessionDeps } from './deps';
import { fileNameOf } from './names';
import { RecordedSession } from './recorded';
import { decideInjectUser, decideRemind, decideRevoke, pendingInjections } from '../engine/reminders/bridge';
import { decideFileEvents, decideFileSeen } from '../engine/reminders/fileChanges';
import { decideFireNow, previewFireNow } from '../engine/reminders/fireNow';
import { decideHandOver, decideSeen } from '../engine/reminders/handover';
import { decideClear, decideInject } from '../engine/reminders/inject';
import { decidePlacement, decideRequest } from '../engine/reminders/placement';
import { decideAnswerCalls, decideSeam } from '../engine/reminders/seams';
import { decideEndTurn } from '../engine/reminders/turnBoundary';
import { decideAppend, decidePolicy, decideStatus, decideTitle, decideUsage } from '../engine/state/commands';
import type { Decision, Sources } from '../engine/state/decision';
import type { JsonObject, Message } from '../engine/transcript/message';

type Answer<D extends (...args: never[]) => Decision<unknown>> = ReturnType<D>['answer'];

/**
 * One session. Each command runs a decision of the engine on the present state, records what it decided, and gives its
 * answer; a refusal throws and records nothing.
 */
export class Session extends RecordedSession {
  /**
   * Opens the log of a session below `folder`. `about` is recorded when the log is empty. Rejects for what the file
   * system refuses.
   */
  static async open(folder: string, id: string, deps: SessionDeps, about?: SessionAbout): Promise<Session> {
    const session = new Session(id, fileNameOf(folder, id), deps);
    await session.load(about);
    return session;
  }

  /** Ids for whoever runs a decision of the engine itself through `decide`. */
  get sources(): Sources {
    return { newId: () => this.deps.newId() };
  }

  /** Adds a message to durable history; gives its number. */
  addMessage(message: Message, about: { readonly model?: string | null } = {}): number {
    return this.decide((state) => decideAppend(state, message, about)).index;
  }

  setTitle(title: string): void {
    this.decide((state) => decideTitle(state, title));
  }

  setStatus(status: string): void {
    this.decide((state) => decideStatus(state, status));
  }

  recordUsage(usage: JsonObject): void {
    this.decide((state) => decideUsage(state, usage));
  }

  /** Makes a policy with its options (`{policy, …}`) the session's own. */
  setPolicy(options: JsonObject): void {
    this.decide((state) => decidePolicy(state, options));
  }

  inject(options: unknown): Answer<typeof decideInject> {
    return this.decide((state) => decideInject(state, options, this.sources));
  }
}
