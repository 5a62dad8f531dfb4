import type { Turn } from '../../transcript/turns';
import { CLEAN_TOOL_REPAIR, failuresOf, goodResults, repairCause } from '../cleanToolRepair';
import type { Cause, Decision } from '../decision';
import type { FailedTurn } from '../failedTurns';
import { failedTurn } from '../failedTurns';
import { hideTurn } from '../hidingTurns';
import type { ProjectionOptions } from '../options';
import { settle } from '../settle';
import { SQUASH_FAILED_CALLS, squashCause } from '../squashFailedCalls';
import type { Grown, Growth, TurnFacts } from './growth';

/** A failed turn that waits for its tools to succeed. */
interface Waiting {
  readonly failed: FailedTurn;
  readonly chars: number;
  /** Tools that succeeded since, with their first good result. */
  readonly successes: Map<string, number>;
  done: boolean;
}

/** clean_tool_repair and squash_failed_calls over a growing transcript. */
export class HidingGrowth implements Growth {
  private readonly hidden = new Map<number, Cause>();
  private readonly spared = new Map<number, number>();
  private readonly waiting = new Map<string, Waiting[]>();
  private chars = 0;
  private signed: number | null = null;
  private firstHidden = Infinity;
  private changed = Infinity;
  private length = 0;
  private blocked = false;
  /** How many results of the open turn were told to those who wait. */
  private told = 0;
  /** The open turn, hidden or spared for the time being; only where unanswered results are not protected. */
  private passing: { readonly failed: FailedTurn; readonly chars: number; readonly signed: number | null } | null =
    null;

  constructor(private readonly options: ProjectionOptions) {}

  add(): void {
    // Turns say everything.
  }

  close(turn: Turn, facts: TurnFacts): void {
    this.takeBack();
    this.tell(turn);
    this.told = 0;
    const failed = failedTurn(turn, facts);
    if (failed === null) {
      return;
    }
    const chars = charsOfTurn(failed, facts);
    const cause = this.causeOf(failed, facts);
    if (cause !== null) {
      this.hide(failed, cause, chars);
    } else if (this.options.policy === 'clean_tool_repair') {
      this.wait({ failed, chars, successes: new Map(), done: false });
    }
  }

  settle(length: number, open: Turn | null, facts: TurnFacts): Grown {
    const before = this.length;
    this.length = length;
    if (open !== null) {
      this.takeBack();
      this.tell(open);
      this.passBy(open, facts);
    }
    const signed = this.passing?.signed ?? null;
    const lowest = Math.min(this.signed ?? Infinity, signed ?? Infinity);
    const reason = this.options.policy === 'clean_tool_repair' ? CLEAN_TOOL_REPAIR : SQUASH_FAILED_CALLS;
    const decision: Decision = settle(this.options, length, {
      reason,
      hidden: this.hidden,
      spared: this.spared,
      signed: lowest === Infinity ? null : lowest,
    });
    const blocked = decision.blocked_by !== null;
    if (blocked !== this.blocked) {
      this.changed = Math.min(this.changed, this.firstHidden);
    } else if (blocked) {
      this.changed = Infinity;
    }
    this.blocked = blocked;
    const changed = Math.min(this.changed, before);
    this.changed = Infinity;
    return {
      decision,
      changed,
      dropped: decision.hidden.size,
      redacted: 0,
      chars: blocked ? 0 : this.chars,
    };
  }

  nextShown(index: number): number {
    let next = index;
    while (!this.blocked && this.hidden.has(next)) {
      next++;
    }
    return next;
  }

  private causeOf(failed: FailedTurn, facts: TurnFacts): Cause | null {
    return this.options.policy === 'clean_tool_repair'
      ? repairCause(failed.turn, firstSuccess(failed.turn, NO_SUCCESSES))
      : squashCause(failed, facts);
  }

  /** Tells those who wait of the good results that are new in a turn. */
  private tell(turn: Turn): void {
    if (this.options.policy !== 'clean_tool_repair') {
      return;
    }
    const fresh = { ...turn, results: turn.results.slice(this.told) };
    this.told = turn.results.length;
    for (const { tool, at } of goodResults(fresh)) {
      const waiting = this.waiting.get(tool);
      if (waiting === undefined) {
        continue;
      }
      this.waiting.delete(tool);
      for (const entry of waiting) {
        entry.successes.set(tool, at);
        const cause = entry.done
          ? null
          : repairCause(entry.failed.turn, firstSuccess(entry.failed.turn, entry.successes));
        if (cause !== null) {
          entry.done = true;
          this.hide(entry.failed, cause, entry.chars);
        }
      }
    }
  }

  private wait(entry: Waiting): void {
    const tools = new Set<string>();
    for (const tool of failuresOf(entry.failed.turn).keys()) {
      if (tool === null) {
        return;
      }
      tools.add(tool);
    }
    for (const tool of tools) {
      const waiting = this.waiting.get(tool);
      if (waiting === undefined) {
        this.waiting.set(tool, [entry]);
      } else {
        waiting.push(entry);
      }
    }
  }

  private hide(failed: FailedTurn, cause: Cause, chars: number): void {
    if (this.spares(failed)) {
      this.spare(failed);
      return;
    }
    hideTurn(failed, cause, this.hidden);
    this.chars += chars;
    this.signed = failed.signed === null ? this.signed : Math.min(this.signed ?? failed.signed, failed.signed);
    this.touch(failed);
  }

  private spares(failed: FailedTurn): boolean {
    return failed.signed !== null && this.options.respect_provider_signatures === 'per_turn';
  }

  private spare({ messages, signed }: FailedTurn): void {
    messages.forEach((index) => this.spared.set(index, signed ?? index));
  }

  private touch({ turn }: FailedTurn): void {
    this.changed = Math.min(this.changed, turn.at);
    this.firstHidden = Math.min(this.firstHidden, turn.at);
  }

  /** Hides the open turn until it grows. */
  private passBy(open: Turn, facts: TurnFacts): void {
    const failed = this.options.protect_unanswered ? null : failedTurn(open, facts);
    const cause = failed === null ? null : this.causeOf(failed, facts);
    if (failed === null || cause === null) {
      return;
    }
    if (this.spares(failed)) {
      this.spare(failed);
      this.passing = { failed, chars: 0, signed: null };
      return;
    }
    const chars = charsOfTurn(failed, facts);
    hideTurn(failed, cause, this.hidden);
    this.chars += chars;
    this.touch(failed);
    this.passing = { failed, chars, signed: failed.signed };
  }

  private takeBack(): void {
    if (this.passing === null) {
      return;
    }
    const { failed, chars } = this.passing;
    for (const index of failed.messages) {
      this.hidden.delete(index);
      this.spared.delete(index);
    }
    this.chars -= chars;
    this.touch(failed);
    this.passing = null;
  }
}

const NO_SUCCESSES: ReadonlyMap<string, number> = new Map();

/** The first good result of a tool after a failed one: in the turn itself, else the first one since. */
function firstSuccess(turn: Turn, since: ReadonlyMap<string, number>): (tool: string, after: number) => number | null {
  const own = goodResults(turn);
  return (tool, after) => own.find((good) => good.tool === tool && good.at > after)?.at ?? since.get(tool) ?? null;
}

function charsOfTurn({ messages }: FailedTurn, facts: TurnFacts): number {
  return messages.reduce((sum, index) => sum + facts(index).chars, 0);
}
