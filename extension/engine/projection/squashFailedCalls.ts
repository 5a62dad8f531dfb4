import type { MessageFacts } from '../transcript/facts';
import type { Cause, Decision, ProjectionInput } from './decision';
import type { FailedTurn } from './failedTurns';
import { hideTurns } from './hidingTurns';
import type { ProjectionOptions } from './options';

/** The reason that this policy derives. */
export const SQUASH_FAILED_CALLS = 'squash_failed_calls';

const ONLY_FAILED: Cause = { kind: 'only_failed_calls' };

/** Policy squash_failed_calls: hides turns of which nothing came but failed calls. */
export function decideSquashFailedCalls(input: ProjectionInput, options: ProjectionOptions): Decision {
  return hideTurns(input, options, SQUASH_FAILED_CALLS, {
    judge: (failed) => squashCause(failed, input.facts),
  });
}

/** Why a failed turn is hidden; null when its message has an outcome beside its calls. */
export function squashCause({ turn }: FailedTurn, facts: (index: number) => MessageFacts): Cause | null {
  return facts(turn.at).other ? null : ONLY_FAILED;
}
