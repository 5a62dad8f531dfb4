import { tokensOf } from '../../transcript/estimate';
import type { MessageFacts } from '../../transcript/facts';
import { factsOf } from '../../transcript/facts';
import type { Message } from '../../transcript/message';
import type { Decision } from '../decision';
import type { ProjectionOptions } from '../options';
import { parseOptions } from '../options';
import type { ProjectionDeps } from '../project';
import { applyDecision, figuresOf, indexListsOf, inputOf, pointersOf, projectedMessage, resultOf } from '../project';
import { decide } from '../decide';
import type { ProjectionResult } from '../result';
import type { Grown, Growth } from './growth';
import { HashTrail } from './hashTrail';
import { HidingGrowth } from './hidingGrowth';
import { OpenTurn } from './openTurn';
import { RawGrowth } from './rawGrowth';
import { ReachabilityGrowth } from './reachabilityGrowth';
import { SummaryGrowth } from './summaryGrowth';

/** What a growing projection needs beside what any projection needs; both members may be left out. */
export interface GrowingProjectionDeps extends ProjectionDeps {
  /**
   * Reads a message that was appended before, at once. Without it the messages are kept in memory. It must give what
   * was appended.
   */
  readonly message?: (index: number) => Message;
  /** The transcript's own summary. */
  readonly summary?: string | null;
}

/** What can be told of a projection without going through the whole transcript. */
export type ProjectionTotals = Pick<
  ProjectionResult,
  | 'policy'
  | 'reason'
  | 'prefix_hash'
  | 'kept_count'
  | 'dropped_count'
  | 'redacted_count'
  | 'reclaimed_tokens'
  | 'reclaimed_chars'
  | 'roots_consulted'
  | 'provider_safety_blocked'
>;

/** The projection of a transcript that grows: the same as `projectTranscript` over all that was appended. */
export interface GrowingProjection {
  /** How many messages were appended. */
  readonly length: number;
  readonly options: ProjectionOptions;
  /** The figures after the last append. */
  readonly totals: ProjectionTotals;
  /** What was decided, message by message. It follows the projection: after an append it must be asked for again. */
  readonly decision: Decision;
  /**
   * Adds messages at the end. The cost follows their number and what they change, not the length.
   * @throws {ProjectionError} only under policy custom.
   */
  append(messages: readonly Message[]): ProjectionTotals;
  /** Everything, index lists, messages and a new event included: the cost follows the length. */
  result(): ProjectionResult;
}

/**
 * Starts a projection of an empty transcript.
 * @param options as for `projectTranscript`.
 * @throws {ProjectionError} for wrong options.
 */
export function createProjection(options: unknown, deps: GrowingProjectionDeps): GrowingProjection {
  const parsed = parseOptions(options);
  return parsed.policy === 'custom' ? new CustomProjection(parsed, deps) : new PolicyProjection(parsed, deps);
}

/** Messages that were appended: kept, or read again. */
class Messages {
  length = 0;
  private readonly kept: Message[] = [];
  /** Messages of the append that is under way: their reader may not know them yet. */
  private fresh: readonly Message[] = [];

  constructor(private readonly reader: ((index: number) => Message) | undefined) {}

  add(messages: readonly Message[]): void {
    this.length += messages.length;
    if (this.reader === undefined) {
      for (const message of messages) {
        this.kept.push(message);
      }
    } else {
      this.fresh = messages;
    }
  }

  /** The append is done. */
  done(): void {
    this.fresh = [];
  }

  readonly at = (index: number): Message => {
    const fresh = this.fresh[index - (this.length - this.fresh.length)];
    const message = fresh ?? (this.reader === undefined ? this.kept[index] : this.reader(index));
    if (message === undefined) {
      throw new RangeError(`There is no message ${index}.`);
    }
    return message;
  };
}

class PolicyProjection implements GrowingProjection {
  private readonly messages: Messages;
  private readonly growth: Growth;
  private readonly trail: HashTrail;
  private open: OpenTurn | null = null;
  private grown: Grown;
  private current: ProjectionTotals;

  constructor(
    readonly options: ProjectionOptions,
    private readonly deps: GrowingProjectionDeps,
  ) {
    this.messages = new Messages(deps.message);
    this.growth = growthOf(options, deps, this.messages.at);
    this.trail = new HashTrail(deps.createHash);
    this.grown = this.growth.settle(0, null, noFacts);
    this.current = this.measure();
  }

  get length(): number {
    return this.messages.length;
  }

  get totals(): ProjectionTotals {
    return this.current;
  }

  get decision(): Decision {
    return this.grown.decision;
  }

  append(messages: readonly Message[]): ProjectionTotals {
    let index = this.messages.length;
    this.messages.add(messages);
    for (const message of messages) {
      const facts = factsOf(message);
      if (this.open === null || facts.assistant) {
        if (this.open !== null) {
          this.growth.close(this.open.turn(), this.open.facts);
        }
        this.open = new OpenTurn(index);
      }
      this.open.add(facts);
      this.growth.add(index, facts);
      index++;
    }
    this.grown = this.growth.settle(this.messages.length, this.open?.turn() ?? null, this.open?.facts ?? noFacts);
    this.current = this.measure();
    this.messages.done();
    return this.current;
  }

  result(): ProjectionResult {
    const { decision } = this;
    return resultOf(
      decision,
      { ...this.current, ...indexListsOf(decision), redaction_pointers: pointersOf(decision) },
      applyDecision(decision, this.messages.at),
      this.options,
      this.deps,
    );
  }

  private measure(): ProjectionTotals {
    const { decision, changed, dropped, redacted, chars } = this.grown;
    const prefix_hash = this.trail.digest(
      {
        length: decision.length,
        synthetic: decision.synthetic,
        nextShown: (index) => this.growth.nextShown(index),
        shown: (index) => projectedMessage(decision, index, this.messages.at),
      },
      changed,
    );
    return {
      policy: decision.policy,
      reason: decision.reason,
      prefix_hash,
      kept_count: decision.length - dropped,
      dropped_count: dropped,
      redacted_count: redacted,
      reclaimed_tokens: tokensOf(chars),
      reclaimed_chars: Math.max(0, chars),
      roots_consulted: decision.roots_consulted,
      provider_safety_blocked: decision.blocked_by !== null,
    };
  }
}

function noFacts(index: number): MessageFacts {
  throw new RangeError(`There is no message ${index}.`);
}

function growthOf(
  options: ProjectionOptions,
  deps: GrowingProjectionDeps,
  message: (index: number) => Message,
): Growth {
  switch (options.policy) {
    case 'clean_tool_repair':
    case 'squash_failed_calls':
      return new HidingGrowth(options);
    case 'summary_prefix':
      return new SummaryGrowth(options, deps.summary || null);
    case 'reachability_gc':
      return new ReachabilityGrowth(options, message, deps.createHash);
    case 'raw':
    case 'custom':
      return new RawGrowth(options);
  }
}

/** A projector sees all messages each time, so a custom projection starts over with every append. */
class CustomProjection implements GrowingProjection {
  private readonly messages: Messages;
  private current: ProjectionResult;
  private decided: Decision;

  constructor(
    readonly options: ProjectionOptions,
    private readonly deps: GrowingProjectionDeps,
  ) {
    this.messages = new Messages(deps.message);
    [this.decided, this.current] = this.project();
  }

  get length(): number {
    return this.messages.length;
  }

  get totals(): ProjectionTotals {
    return this.current;
  }

  get decision(): Decision {
    return this.decided;
  }

  append(messages: readonly Message[]): ProjectionTotals {
    this.messages.add(messages);
    try {
      [this.decided, this.current] = this.project();
    } finally {
      this.messages.done();
    }
    return this.current;
  }

  result(): ProjectionResult {
    return this.current;
  }

  private project(): [Decision, ProjectionResult] {
    const all = Array.from({ length: this.messages.length }, (_, index) => this.messages.at(index));
    const input = inputOf(all, this.deps.summary || null);
    const decision = decide(input, this.options, this.deps.createHash);
    const projected = applyDecision(decision, input.message);
    const figures = figuresOf(decision, input, projected, this.deps.createHash);
    return [decision, resultOf(decision, figures, projected, this.options, this.deps)];
  }
}
