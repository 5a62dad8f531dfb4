import type { MessageFacts } from '../../transcript/facts';
import type { Turn } from '../../transcript/turns';
import type { Decision } from '../decision';

/** The facts of the messages of one turn; asked for no others. */
export type TurnFacts = (index: number) => MessageFacts;

/** What a growth comes to after an append. */
export interface Grown {
  readonly decision: Decision;
  /** What is shown of messages before this index did not change; below 0: the synthetic message did. */
  readonly changed: number;
  readonly dropped: number;
  /** The number of pointers. */
  readonly redacted: number;
  /** Characters (code points), raw minus projected. */
  readonly chars: number;
}

/** A policy that follows a growing transcript. Turns come in order; the last one stays open until the next begins. */
export interface Growth {
  /** A message was appended. */
  add(index: number, facts: MessageFacts): void;
  /** A turn is complete. */
  close(turn: Turn, facts: TurnFacts): void;
  /** All messages of an append are added. `open` is the turn that may still grow; null before the first message. */
  settle(length: number, open: Turn | null, facts: TurnFacts): Grown;
  /** The first raw index from `index` on that is shown; `length` or more when there is none. */
  nextShown(index: number): number;
}
