import { tokensOf } from '../../transcript/estimate';
import type { MessageFacts } from '../../transcript/facts';
import type { CreateHash } from '../../transcript/hash';
import type { Message } from '../../transcript/message';
import { resultsOf } from '../../transcript/results';
import type { PairedResult, Turn } from '../../transcript/turns';
import type { Decision, Redaction } from '../decision';
import type { ProjectionOptions } from '../options';
import {
  argumentsOf,
  eachOrdinal,
  isCandidate,
  REACHABILITY_GC,
  REACHABILITY_GC_NO_BARRIER,
  REACHABILITY_GC_TOO_LITTLE,
  referrerOf,
  toolNamesOf,
} from '../reachabilityGc';
import { redactionOf } from '../redaction';
import { eachIdentifier, rootTokens } from '../references';
import { rootsConsulted, suppliedRoots } from '../roots';
import { settle } from '../settle';
import type { Candidate } from './candidates';
import { Candidates } from './candidates';
import type { Grown, Growth } from './growth';
import { RootCounts } from './rootCounts';

/** A result of a complete turn that is still in the window. */
interface Pending {
  readonly turn: Turn;
  readonly paired: PairedResult;
  readonly ordinal: number;
}

/** reachability_gc over a growing transcript. */
export class ReachabilityGrowth implements Growth {
  private readonly supplied;
  /** A required write barrier is missing: nothing is ever done. */
  private readonly isOff: boolean;
  private readonly roots: RootCounts;
  /** The root tokens of the messages in the window. */
  private readonly window = new Map<number, ReadonlySet<string>>();
  /** The root tokens of unanswered results before the window. */
  private readonly unanswered = new Map<number, ReadonlySet<string>>();
  private readonly candidates = new Candidates((token) => this.roots.isRoot(token));
  /** Results in order, the first of them at `nextPending`. */
  private pending: Pending[] = [];
  private nextPending = 0;
  private readonly redactions = new Map<number, readonly Redaction[]>();
  private readonly signedMessages = new Set<number>();
  private readonly signedRedacted = new Set<number>();
  private pointers = 0;
  private chars = 0;
  private length = 0;
  private windowStart = 0;
  private active = false;
  private changed = Infinity;

  constructor(
    private readonly options: ProjectionOptions,
    private readonly message: (index: number) => Message,
    private readonly createHash: CreateHash,
  ) {
    this.supplied = suppliedRoots(options);
    this.isOff = options.require_write_barrier && !this.supplied.barrier;
    this.roots = new RootCounts(this.supplied.tokens);
  }

  add(index: number, facts: MessageFacts): void {
    if (facts.signed && facts.results.length > 0) {
      this.signedMessages.add(index);
    }
    toolNamesOf(facts, (name) => this.roots.addToolName(name));
  }

  close(turn: Turn): void {
    for (const tokens of this.unanswered.values()) {
      this.roots.leave(tokens);
    }
    this.unanswered.clear();
    eachOrdinal(turn, (paired, ordinal) => {
      if (!this.isOff && isCandidate(paired, this.options.min_chars)) {
        this.pending.push({ turn, paired, ordinal });
      }
    });
  }

  settle(length: number, open: Turn | null): Grown {
    const before = this.length;
    this.length = length;
    if (this.isOff) {
      const decision = this.decide(REACHABILITY_GC_NO_BARRIER, null, false);
      return { decision, changed: before, dropped: 0, redacted: 0, chars: 0 };
    }
    this.moveWindow(before);
    this.keepUnanswered(open);
    this.turnRoots();
    this.takeCandidates(open);
    const enough = tokensOf(this.chars) >= this.options.clear_at_least;
    const signed = this.signedRedacted.size === 0 ? null : Math.min(...this.signedRedacted);
    const decision = enough
      ? this.decide(REACHABILITY_GC, signed, true)
      : this.decide(REACHABILITY_GC_TOO_LITTLE, null, false);
    const active = enough && decision.blocked_by === null;
    if (active !== this.active) {
      for (const index of this.redactions.keys()) {
        this.changed = Math.min(this.changed, index);
      }
    } else if (!active) {
      this.changed = Infinity;
    }
    this.active = active;
    const changed = Math.min(before, this.changed);
    this.changed = Infinity;
    return {
      decision,
      changed,
      dropped: 0,
      redacted: active ? this.pointers : 0,
      chars: active ? this.chars : 0,
    };
  }

  nextShown(index: number): number {
    return index;
  }

  private decide(reason: string, signed: number | null, redacts: boolean): Decision {
    return settle(this.options, this.length, {
      reason,
      roots_consulted: rootsConsulted(this.options, this.length, this.supplied),
      ...(redacts ? { redactions: this.redactions } : {}),
      signed,
    });
  }

  /** Messages that left the window are no roots any more, those that are new in it are. */
  private moveWindow(before: number): void {
    const start = this.length - Math.min(this.options.root_window, this.length);
    for (let index = this.windowStart; index < Math.min(start, before); index++) {
      const tokens = this.window.get(index);
      if (tokens !== undefined) {
        this.roots.leave(tokens);
        this.window.delete(index);
      }
    }
    for (let index = Math.max(start, before); index < this.length; index++) {
      const tokens = rootTokens(this.message(index), 'message');
      this.window.set(index, tokens);
      this.roots.enter(tokens);
    }
    this.windowStart = start;
  }

  /** Results that are not answered yet are roots before the window, too. */
  private keepUnanswered(open: Turn | null): void {
    if (open === null || open.at === null || !this.options.protect_unanswered) {
      return;
    }
    for (const { at } of open.results) {
      if (at >= this.windowStart) {
        return;
      }
      if (!this.unanswered.has(at)) {
        const tokens = new Set<string>();
        for (const { list, value } of resultsOf(this.message(at))) {
          rootTokens(value, list === null ? 'message' : 'block').forEach((token) => tokens.add(token));
        }
        this.unanswered.set(at, tokens);
        this.roots.enter(tokens);
      }
    }
  }

  private turnRoots(): void {
    this.roots.eachTurned((token, isRoot) => {
      this.candidates.turn(token, isRoot, (candidate) => this.refresh(candidate.at));
    });
  }

  /** Results that left the window become candidates; those of the open turn only where they are not protected. */
  private takeCandidates(open: Turn | null): void {
    for (let next = this.pending[this.nextPending]; next !== undefined && next.paired.at < this.windowStart;) {
      this.consider(next.turn, next.paired, next.ordinal);
      next = this.pending[++this.nextPending];
    }
    if (this.nextPending > 1024 && this.nextPending * 2 > this.pending.length) {
      this.pending = this.pending.slice(this.nextPending);
      this.nextPending = 0;
    }
    if (open !== null && (open.at === null || !this.options.protect_unanswered)) {
      eachOrdinal(open, (paired, ordinal) => {
        if (paired.at < this.windowStart && isCandidate(paired, this.options.min_chars)) {
          this.consider(open, paired, ordinal);
        }
      });
    }
  }

  private consider(turn: Turn, paired: PairedResult, ordinal: number): void {
    const { at, call } = paired;
    if (this.options.respect_provider_signatures === 'per_turn' && this.signedMessages.has(at)) {
      return;
    }
    const known = this.candidates.find(at, ordinal);
    if (known !== undefined) {
      if (known.call === call) {
        return;
      }
      this.candidates.remove(known);
    }
    const message = this.message(at);
    const identifiers = new Set<string>();
    eachIdentifier(
      referrerOf(message, ordinal),
      argumentsOf(turn, paired, this.message),
      () => true,
      (token) => {
        identifiers.add(token);
        return false;
      },
    );
    const candidate: Candidate = {
      at,
      ordinal,
      call,
      identifiers: [...identifiers].map(ownText),
      witness: null,
      redaction: undefined,
      callFacts: call === null ? null : (turn.calls[call] ?? null),
    };
    this.candidates.add(candidate);
    this.refresh(at);
  }

  /** Makes the redactions of a message those of its candidates that nothing reaches. */
  private refresh(at: number): void {
    const before = this.redactions.get(at) ?? [];
    const after: Redaction[] = [];
    for (const candidate of this.candidates.of(at)) {
      if (candidate.witness !== null) {
        continue;
      }
      if (candidate.redaction === undefined) {
        candidate.redaction = redactionOf(
          this.message(at),
          at,
          candidate.ordinal,
          candidate.callFacts,
          this.createHash,
        );
      }
      if (candidate.redaction !== null) {
        after.push(candidate.redaction);
      }
    }
    if (after.length === before.length && after.every((redaction, index) => redaction === before[index])) {
      return;
    }
    const sum = (list: readonly Redaction[]): number => list.reduce((total, redaction) => total + redaction.chars, 0);
    this.chars += sum(after) - sum(before);
    this.pointers += after.length - before.length;
    this.changed = Math.min(this.changed, at);
    if (after.length > 0) {
      this.redactions.set(at, after);
    } else {
      this.redactions.delete(at);
    }
    if (this.signedMessages.has(at)) {
      if (after.length > 0) {
        this.signedRedacted.add(at);
      } else {
        this.signedRedacted.delete(at);
      }
    }
  }
}

/** A copy of a text that does not keep the longer text alive that it was cut from. */
function ownText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
