import { charsOf } from '../../transcript/estimate';
import type { MessageFacts } from '../../transcript/facts';
import type { Turn } from '../../transcript/turns';
import { membersOf } from '../../transcript/turns';
import type { Decision } from '../decision';
import type { ProjectionOptions } from '../options';
import { settle } from '../settle';
import { SUMMARY_PREFIX, SUMMARY_PREFIX_NOOP, summaryFor, syntheticMessage } from '../summaryPrefix';
import type { Grown, Growth, TurnFacts } from './growth';
import { lowerBound } from '../search';
import { SparedMessages } from './sparedMessages';

/** summary_prefix over a growing transcript. */
export class SummaryGrowth implements Growth {
  /** Characters of text before each index. */
  private readonly charsBefore: number[] = [0];
  /** Assistant messages of complete turns, and for each the last message with a result of its calls. */
  private readonly turnStarts: number[] = [];
  private readonly turnEnds: number[] = [];
  private readonly spared = new SparedMessages();
  /** Signed messages that are not in `spared` yet. */
  private loose: number[] = [];
  private firstSigned: number | null = null;
  private length = 0;
  /** Where the shown messages began. */
  private cut = 0;
  private body: string | null = null;

  constructor(
    private readonly options: ProjectionOptions,
    private readonly summary: string | null,
  ) {}

  add(index: number, facts: MessageFacts): void {
    this.charsBefore.push((this.charsBefore[index] ?? 0) + facts.chars);
    if (facts.signed) {
      this.firstSigned ??= index;
      this.loose.push(index);
    }
  }

  close(turn: Turn, facts: TurnFacts): void {
    this.spareSigned(turn, facts, true);
    if (turn.at !== null) {
      this.turnStarts.push(turn.at);
      this.turnEnds.push(lastResultOf(turn) ?? turn.at);
    }
  }

  settle(length: number, open: Turn | null, facts: TurnFacts): Grown {
    const before = this.length;
    this.length = length;
    if (open !== null) {
      this.spareSigned(open, facts, false);
    }
    const cut = this.cutOf(length, open);
    const spares = this.options.respect_provider_signatures === 'per_turn';
    const sparedCount = spares ? this.spared.countBefore(cut) : 0;
    const given = this.options.summary ?? this.summary;
    const decision = this.decide(cut, sparedCount, given);
    const body = decision.synthetic === null ? null : (given ?? summaryFor(cut - sparedCount));
    const changed =
      body !== this.body ? -1 : body === null ? before : Math.min(before, this.cut, cut, this.spared.changed);
    this.spared.changed = Infinity;
    this.body = body;
    this.cut = decision.cut;
    const chars =
      decision.synthetic === null
        ? 0
        : (this.charsBefore[cut] ?? 0) -
          (spares ? this.spared.charsOfFirst(sparedCount) : 0) -
          charsOf(decision.synthetic);
    return { decision, changed, dropped: decision.cut === 0 ? 0 : cut - sparedCount, redacted: 0, chars };
  }

  nextShown(index: number): number {
    if (index >= this.cut) {
      return index;
    }
    const next = this.options.respect_provider_signatures === 'per_turn' ? this.spared.firstFrom(index) : null;
    return next !== null && next < this.cut ? next : this.cut;
  }

  private decide(cut: number, sparedCount: number, given: string | null): Decision {
    const { options, length } = this;
    if (cut === sparedCount) {
      return settle(options, length, { reason: SUMMARY_PREFIX_NOOP, summary: given, signed: null });
    }
    const spares = options.respect_provider_signatures === 'per_turn';
    const signed = !spares && this.firstSigned !== null && this.firstSigned < cut ? this.firstSigned : null;
    const body = given ?? summaryFor(cut - sparedCount);
    return settle(options, length, {
      reason: SUMMARY_PREFIX,
      cut,
      synthetic: syntheticMessage(body),
      summary: signed === null || options.respect_provider_signatures === false ? body : given,
      ...(spares ? { spared: this.spared.before(cut) } : {}),
      signed,
    });
  }

  /** See `summaryPrefix.ts`. */
  private cutOf(length: number, open: Turn | null): number {
    let cut = Math.max(0, length - this.options.keep_last);
    const openAt = open?.at ?? null;
    if (this.options.protect_unanswered && open !== null && openAt !== null) {
      cut = Math.min(cut, open.results[0]?.at ?? cut);
    }
    if (open !== null && openAt !== null && openAt < cut) {
      return (lastResultOf(open) ?? openAt) >= cut ? openAt : cut;
    }
    const turn = lowerBound(this.turnStarts, cut) - 1;
    const at = this.turnStarts[turn];
    return at !== undefined && (this.turnEnds[turn] ?? at) >= cut ? at : cut;
  }

  /** Spares the signed messages of a turn and, where one is the call or a result, the whole turn with it. */
  private spareSigned(turn: Turn, facts: TurnFacts, complete: boolean): void {
    this.spared.takeBack();
    const found = new Map<number, number>(this.loose.map((index) => [index, index]));
    const members = membersOf(turn);
    const signed = members.find((index) => facts(index).signed);
    if (signed !== undefined) {
      members.forEach((index) => found.set(index, signed));
    }
    for (const [index, forSigned] of [...found].sort(([a], [b]) => a - b)) {
      this.spared.push(index, forSigned, facts(index).chars, complete);
    }
    if (complete) {
      this.loose = [];
    }
  }
}

function lastResultOf(turn: Turn): number | null {
  return turn.results.findLast((result) => result.call !== null)?.at ?? null;
}
