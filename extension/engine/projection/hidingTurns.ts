import type { Turn } from '../transcript/turns';
import { eachTurn } from '../transcript/turns';
import type { Cause, Decision, ProjectionInput } from './decision';
import type { FailedTurn } from './failedTurns';
import { failedTurn } from './failedTurns';
import type { ProjectionOptions } from './options';
import { settle } from './settle';

/** Decides about turns. */
export interface TurnJudge {
  /** Told of every turn, in order, before any is judged. */
  readonly see?: (turn: Turn) => void;
  /** Why a turn of failed calls is hidden; null: it stays. */
  readonly judge: (failed: FailedTurn) => Cause | null;
}

/** Hides whole turns of failed calls, as far as the judge, unanswered results and signed reasoning allow. */
export function hideTurns(
  input: ProjectionInput,
  options: ProjectionOptions,
  reason: string,
  { see, judge }: TurnJudge,
): Decision {
  const candidates: FailedTurn[] = [];
  let lastAssistant: number | null = null;
  eachTurn(input.length, input.facts, (turn) => {
    see?.(turn);
    lastAssistant = turn.at;
    const failed = failedTurn(turn, input.facts);
    if (failed !== null) {
      candidates.push(failed);
    }
  });
  const hidden = new Map<number, Cause>();
  const spared = new Map<number, number>();
  let firstSigned: number | null = null;
  for (const failed of candidates) {
    const { turn, messages, signed } = failed;
    const cause = options.protect_unanswered && turn.at === lastAssistant ? null : judge(failed);
    if (cause === null) {
      continue;
    }
    if (signed !== null && options.respect_provider_signatures === 'per_turn') {
      messages.forEach((index) => spared.set(index, signed));
    } else {
      hideTurn(failed, cause, hidden);
      firstSigned ??= signed;
    }
  }
  return settle(options, input.length, { reason, hidden, spared, signed: firstSigned });
}

/** Adds the messages of a turn, each with its cause. */
export function hideTurn({ turn, messages }: FailedTurn, cause: Cause, hidden: Map<number, Cause>): void {
  const withCall: Cause = { kind: 'with_call', at: turn.at };
  for (const index of messages) {
    hidden.set(index, index === turn.at ? cause : withCall);
  }
}
