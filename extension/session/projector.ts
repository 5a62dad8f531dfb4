import type { Decision } from '../engine/projection/decision';
import { stateOf } from '../engine/projection/decision';
import { comparePrefixEntries } from '../engine/projection/compare';
import type { PrefixEntry } from '../engine/projection/compare';
import { decide } from '../engine/projection/decide';
import { HashTrail } from '../engine/projection/growing/hashTrail';
import type { ProjectionOptions } from '../engine/projection/options';
import { projectedMessage } from '../engine/projection/project';
import { charsOf, tokensOf } from '../engine/transcript/estimate';
import { factsOf } from '../engine/transcript/facts';
import type { MessageFacts } from '../engine/transcript/facts';
import type { CreateHash } from '../engine/transcript/hash';
import type { Message } from '../engine/transcript/message';
import type { LaneReader } from './inspected';

/** Lets other work go on between two slices; rejects when the work is no longer wanted. */
export type Pause = () => Promise<void>;

/** Characters of text that are looked at in one slice. */
const SLICE_CHARACTERS = 400_000;

/** Messages that are looked at in one slice at most. */
const SLICE_MESSAGES = 500;

/** A stretch of a lane that is the context of one request. */
export interface Stretch {
  /** First message. */
  readonly offset: number;
  /** Behind the last one. */
  readonly end: number;
}

/** What a projection came to. */
export interface Figures {
  readonly kept: number;
  readonly hidden: number;
  readonly redacted: number;
  readonly reclaimed_tokens: number;
  /** Estimated tokens of what is sent. */
  readonly tokens: number;
}

/** How a request relates to the one before it; messages are numbered in the lane. */
export interface Relation {
  readonly relation: 'initial' | 'append_only' | 'diverged';
  readonly at: number | null;
  readonly how: 'changed' | 'moved' | 'vanished' | null;
  readonly reread_tokens: number;
}

/** A decision about a stretch. */
export interface Decided extends Stretch {
  readonly decision: Decision;
}

/**
 * Projects stretches of one lane. Keeps the small facts of each message it has looked at, never the messages, and a few
 * states of the hash, so that a lane that only grew costs what was added.
 */
export class Projector {
  private readonly facts: (MessageFacts | undefined)[] = [];
  /** First message that may have changed since it was hashed. */
  private intact = Infinity;
  private trail: { readonly offset: number; readonly hashes: HashTrail; decided: Decided } | null = null;

  constructor(
    private readonly reader: LaneReader,
    private readonly createHash: CreateHash,
  ) {}

  /** Forgets what it knows of messages from this one on. */
  forget(from: number): void {
    this.facts.length = Math.min(this.facts.length, from);
    this.intact = Math.min(this.intact, from);
  }

  /** Looks at every message of a stretch, in slices. */
  async load({ offset, end }: Stretch, pause: Pause): Promise<void> {
    let characters = 0;
    let messages = 0;
    for (let index = offset; index < end; index++) {
      if (this.facts[index]) continue;
      const facts = factsOf(this.reader.message(index));
      this.facts[index] = facts;
      characters += facts.chars + 100;
      if (characters > SLICE_CHARACTERS || ++messages >= SLICE_MESSAGES) {
        characters = 0;
        messages = 0;
        await pause();
      }
    }
  }

  /** What a policy does with a stretch that was loaded. */
  decide({ offset, end }: Stretch, options: ProjectionOptions, summary: string | null): Decided {
    const input = {
      length: end - offset,
      facts: (index: number) => this.factsAt(offset + index),
      message: (index: number) => this.reader.message(offset + index),
      summary,
    };
    return { offset, end, decision: decide(input, options, this.createHash) };
  }

  figures({ decision, offset, end }: Decided): Figures {
    let sparedBelow = 0;
    for (const index of decision.spared.keys()) if (index < decision.cut) sparedBelow++;
    const hidden = decision.hidden.size + decision.cut - sparedBelow;
    const redacted = decision.redactions.size;
    let all = 0;
    let gone = 0;
    for (let index = offset; index < end; index++) {
      const { chars } = this.factsAt(index);
      all += chars;
      if (stateOf(decision, index - offset) === 'hidden') gone += chars;
    }
    for (const redactions of decision.redactions.values()) for (const redaction of redactions) gone += redaction.chars;
    if (decision.synthetic) gone -= charsOf(decision.synthetic);
    const kept = end - offset - hidden - redacted;
    return { kept, hidden, redacted, reclaimed_tokens: tokensOf(gone), tokens: tokensOf(all - gone) };
  }

  /** The prefix hash of what a decision sends, in slices. A decision that goes on from the last one costs the difference. */
  async hash(decided: Decided, pause: Pause): Promise<string> {
    const { decision, offset } = decided;
    const before = this.trail?.offset === offset ? this.trail : null;
    const trail = before ?? { offset, hashes: new HashTrail(this.createHash), decided };
    const intact = Math.max(-1, this.intact - offset);
    const changed = before ? Math.min(firstDifference(before.decided.decision, decision), intact) : -1;
    this.trail = null;
    this.intact = Infinity;
    let digest = '';
    let next = changed < 0 ? -1 : changed;
    for (let end = Math.max(0, changed); ;) {
      const start = end;
      let characters = 0;
      while (end < decision.length && characters < SLICE_CHARACTERS && end - start < SLICE_MESSAGES) {
        if (stateOf(decision, end) !== 'hidden') characters += this.factsAt(offset + end).chars + 100;
        end++;
      }
      digest = trail.hashes.digest(this.viewOf(decided, end), next);
      next = end;
      if (end >= decision.length) break;
      await pause();
    }
    trail.decided = decided;
    this.trail = trail;
    return digest;
  }

  /** How what a decision sends relates to what the one before sent. */
  relate(previous: Decided | null, next: Decided): Relation {
    if (!previous) return { relation: 'initial', at: null, how: null, reread_tokens: 0 };
    let same = 0;
    if (previous.offset === next.offset) {
      same = firstDifference(previous.decision, next.decision);
      same = Math.min(Math.max(0, same), previous.decision.length, next.decision.length);
      if (previous.decision.synthetic?.['content'] !== next.decision.synthetic?.['content']) same = 0;
    }
    const entries = this.entriesOf(previous, same);
    const result = comparePrefixEntries(entries, this.entriesOf(next, same));
    const gone = result.at === undefined ? undefined : entries[result.at];
    return {
      relation: result.relation,
      at: gone ? gone.message : null,
      how: result.how ?? null,
      reread_tokens: result.reread_tokens,
    };
  }

  private factsAt(index: number): MessageFacts {
    return (this.facts[index] ??= factsOf(this.reader.message(index)));
  }

  private viewOf({ decision, offset }: Decided, length: number): Parameters<HashTrail['digest']>[0] {
    return {
      length,
      synthetic: decision.synthetic,
      nextShown: (index) => {
        let next = index;
        while (next < length && stateOf(decision, next) === 'hidden') next++;
        return next;
      },
      shown: (index): Message => projectedMessage(decision, index, (at) => this.reader.message(offset + at)),
    };
  }

  /** What is sent from an index on, each by a key that is equal for equal messages of the lane. */
  private entriesOf({ decision, offset }: Decided, from: number): (PrefixEntry & { readonly message: number })[] {
    const entries: (PrefixEntry & { readonly message: number })[] = [];
    const { synthetic } = decision;
    if (synthetic && from === 0) {
      entries.push({ key: JSON.stringify(synthetic), chars: charsOf(synthetic), message: offset });
    }
    for (let index = from; index < decision.length; index++) {
      const state = stateOf(decision, index);
      if (state === 'hidden') continue;
      const redactions = decision.redactions.get(index) ?? [];
      const saved = redactions.reduce((sum, redaction) => sum + redaction.chars, 0);
      const form = redactions.map((redaction) => redaction.result).join();
      const key = `${offset + index} ${form}`;
      entries.push({ key, chars: this.factsAt(offset + index).chars - saved, message: offset + index });
    }
    return entries;
  }
}

function redactedResults(decision: Decision, index: number): string {
  return (decision.redactions.get(index) ?? []).map((redaction) => redaction.result).join();
}

/**
 * First index from which two decisions on the same stretch (of which one may go further) treat messages differently, or
 * the length of the shorter; -1 when what they put in differs.
 */
export function firstDifference(a: Decision, b: Decision): number {
  if (a.synthetic?.['content'] !== b.synthetic?.['content']) return -1;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const state = stateOf(a, index);
    if (state !== stateOf(b, index)) return index;
    if (state === 'redacted' && redactedResults(a, index) !== redactedResults(b, index)) return index;
  }
  return length;
}
