import type { Turn } from '../transcript/turns';
import { eachTurn } from '../transcript/turns';
import type { Cause, Decision, ProjectionInput } from './decision';
import type { FailedTurn } from './failedTurns';
import { failedTurn, isUnanswered } from './failedTurns';
import type { ProjectionOptions } from './options';
import { settle } from './settle';

/** Why a turn is hidden, or null when it stays. Turns are asked about from the last to the first. */
export type TurnJudge = {
  /** Null: the turn stays. */
  judge(failed: FailedTurn): Cause | null;
  /** Told of every turn after it was judged. */
  seen?(turn: Turn): void;
};

/** Hides whole turns of failed calls, as far as the judge, unanswered results and signed reasoning allow. */
export function hideTurns(
  input: ProjectionInput,
  options: ProjectionOptions,
  reason: string,
  judge: TurnJudge,
): Decision {
  const { facts } = input;
  const turns: Turn[] = [];
  eachTurn(input.length, facts, (turn) => turns.push(turn));
  const lastAssistant = turns.at(-1)?.at ?? null;
  const hidden = new Map<number, Cause>();
  const spared = new Map<number, number>();
  let signed: number | null = null;
  for (const turn of turns.reverse()) {
    const failed = failedTurn(turn, facts);
    const stays = failed === null || (options.protect_unanswered && isUnanswered(failed, lastAssistant));
    const cause = stays ? null : judge.judge(failed);
    if (cause !== null && failed !== null) {
      if (failed.signed !== null && options.respect_provider_signatures === 'per_turn') {
        for (const index of failed.messages) {
          spared.set(index, failed.signed);
        }
      } else {
        hideTurn(failed, cause, hidden);
        signed = failed.signed ?? signed;
      }
    }
    judge.seen?.(turn);
  }
  return settle(options, input.length, { reason, hidden, spared, signed });
}

/** Adds the messages of a turn, each with its cause. */
export function hideTurn({ turn, messages }: FailedTurn, cause: Cause, hidden: Map<number, Cause>): void {
  const withCall: Cause = { kind: 'with_call', at: turn.at };
  for (const index of messages) {
    hidden.set(index, index === turn.at ? cause : withCall);
  }
}
