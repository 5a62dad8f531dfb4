import type { MessageFacts } from '../transcript/facts';
import type { Turn } from '../transcript/turns';

/** A turn that a policy may hide. */
export interface FailedTurn {
  readonly turn: Turn & { readonly at: number };
  /** The assistant message and the messages of its results, in order. */
  readonly messages: readonly number[];
  /** The first signed message among them. */
  readonly signed: number | null;
}

/**
 * The turn with all its messages when every call in it failed and it can go whole: no message of its results holds
 * anything else. Null for any other turn.
 */
export function failedTurn(turn: Turn, facts: (index: number) => MessageFacts): FailedTurn | null {
  const { at, outcomes, results } = turn;
  if (at === null || outcomes.length === 0 || outcomes.some((outcome) => outcome !== 'failed')) {
    return null;
  }
  const messages = [at];
  let lonely = -1;
  for (const { at: index, call } of results) {
    if (call === null) {
      lonely = index;
    } else if (messages.at(-1) !== index) {
      messages.push(index);
    }
    if (lonely === messages.at(-1)) {
      return null;
    }
  }
  if (messages.some((index) => index !== at && facts(index).other)) {
    return null;
  }
  const signed = messages.find((index) => facts(index).signed) ?? null;
  return { turn: { ...turn, at }, messages, signed };
}
