import type { Turn } from '../transcript/turns';
import { toolOf } from '../transcript/turns';
import type { Cause, Decision, ProjectionInput, Repair } from './decision';
import { hideTurns } from './hidingTurns';
import { lowerBound } from './search';
import type { ProjectionOptions } from './options';

/** The reason that this policy derives. */
export const CLEAN_TOOL_REPAIR = 'clean_tool_repair';

/** Policy clean_tool_repair: hides turns of failed calls whose tools all succeeded later. */
export function decideCleanToolRepair(input: ProjectionInput, options: ProjectionOptions): Decision {
  /** For every tool the messages of its good results, in order. */
  const successes = new Map<string, number[]>();
  return hideTurns(input, options, CLEAN_TOOL_REPAIR, {
    see: (turn) => {
      for (const { tool, at } of goodResults(turn)) {
        const known = successes.get(tool);
        if (known === undefined) {
          successes.set(tool, [at]);
        } else {
          known.push(at);
        }
      }
    },
    judge: ({ turn }) => repairCause(turn, (tool, after) => firstAfter(successes.get(tool) ?? [], after)),
  });
}

function firstAfter(indices: readonly number[], after: number): number | null {
  return indices[lowerBound(indices, after + 1)] ?? null;
}

/** The good results of a turn whose tool is known, in order. */
export function goodResults(turn: Turn): Repair[] {
  const good: Repair[] = [];
  for (const paired of turn.results) {
    const tool = paired.result.failed ? null : toolOf(turn, paired);
    if (tool !== null) {
      good.push({ tool, at: paired.at });
    }
  }
  return good;
}

/**
 * Why a turn of failed calls is hidden: for every tool its first good result after the last failed one. Null when one
 * of them has none.
 * @param firstSuccess the first message after another that holds a good result of a tool.
 */
export function repairCause(turn: Turn, firstSuccess: (tool: string, after: number) => number | null): Cause | null {
  const repairs: Repair[] = [];
  for (const [tool, failedAt] of failuresOf(turn)) {
    const at = tool === null ? null : firstSuccess(tool, failedAt);
    if (tool === null || at === null) {
      return null;
    }
    repairs.push({ tool, at });
  }
  return { kind: 'repaired', repairs };
}

/** The tools of a turn's failed calls with the message of the last failed result of each. */
export function failuresOf(turn: Turn): ReadonlyMap<string | null, number> {
  const failures = new Map<string | null, number>();
  for (const { at, call } of turn.results) {
    if (call !== null) {
      const name = turn.calls[call]?.name ?? null;
      failures.set(name, at);
    }
  }
  return failures;
}
