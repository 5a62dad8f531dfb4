import { decideFireNow, previewFireNow } from '../../engine/reminders/fireNow';
import { decideInjectUser } from '../../engine/reminders/bridge';
import { decideRequest } from '../../engine/reminders/placement';
import { decideAnswerCalls, decideSeam } from '../../engine/reminders/seams';
import type { Seam } from '../../engine/reminders/modes';
import { decideEndTurn } from '../../engine/reminders/turnBoundary';
import { decideAppend, decideStatus, decideTitle, decideUsage } from '../../engine/state/commands';
import type { Message } from '../../engine/transcript/message';
import type { SessionStatus } from '../../protocol/view';
import type { Session } from '../../session/session';
import type { Usage } from './answer';
import type { LoopRecord } from './records';
import { loopDraft } from './records';

/** What the loop does to a session, each step decided by the engine and written before it counts. */
export class Steps {
  constructor(
    readonly session: Session,
    private readonly newId: () => string,
  ) {}

  status(status: SessionStatus): void {
    if (this.session.state.status !== status) this.session.decide((state) => decideStatus(state, status));
  }

  title(title: string): void {
    this.session.decide((state) => decideTitle(state, title));
  }

  /** A message of the person, waiting for the next seam. */
  queue(text: string): void {
    this.session.decide((state) => decideInjectUser(state, { content: text, mode: 'finish_step' }, this.sources));
  }

  drain(seam: Seam, finishing = false): { readonly continue: boolean; readonly skips_batch: boolean } {
    return this.session.decide((state) => decideSeam(state, seam, { finishing }));
  }

  append(message: Message, model: string | null = null): void {
    this.session.decide((state) => decideAppend(state, message, { model }));
  }

  usage(usage: Usage, model: string): void {
    this.session.decide((state) => decideUsage(state, { ...usage, model }));
  }

  /** The request of this turn was taken or refused; gives the reminders that were delivered with it. */
  request(valid: boolean): readonly string[] {
    return this.session.decide((state) => decideRequest(state, { valid })).fired;
  }

  /** Answers every call that has no result yet, so that none is left behind; gives how many. */
  answerCalls(reason: string): number {
    const open = this.session.state.open_calls.length;
    if (open > 0) this.session.decide((state) => decideAnswerCalls(state, reason));
    return open;
  }

  endTurn(): void {
    this.session.decide((state) => decideEndTurn(state));
  }

  fire(reminderId: string): { readonly turn: number; readonly others: number } {
    return this.session.decide((state) => decideFireNow(state, reminderId));
  }

  firePreview(reminderId: string): { readonly turn: number; readonly others: number } {
    return previewFireNow(this.session.state, reminderId);
  }

  record(kind: LoopRecord, payload: Parameters<typeof loopDraft>[1]): void {
    this.session.append([loopDraft(kind, payload)]);
  }

  private get sources(): { readonly newId: () => string } {
    return { newId: this.newId };
  }
}
