import type { CallFacts } from '../../transcript/facts';
import type { Redaction } from '../decision';

/** A result whose body may be replaced. */
export interface Candidate {
  readonly at: number;
  readonly ordinal: number;
  /** The call that it answers, and its number in the turn. */
  readonly callFacts: CallFacts | null;
  readonly call: number | null;
  readonly identifiers: readonly string[];
  /** How many of its identifiers are roots. */
  reached: number;
  /** The replacement; null when it would not be shorter; undefined until it is needed. */
  redaction: Redaction | null | undefined;
}

/** The candidates of a growing transcript, by message and by identifier. */
export class Candidates {
  private readonly byMessage = new Map<number, Candidate[]>();
  private readonly byIdentifier = new Map<string, Set<Candidate> | Candidate>();

  find(at: number, ordinal: number): Candidate | undefined {
    return this.byMessage.get(at)?.find((candidate) => candidate.ordinal === ordinal);
  }

  /** The candidates of a message, in order. */
  of(at: number): readonly Candidate[] {
    return this.byMessage.get(at) ?? [];
  }

  add(candidate: Candidate): void {
    const siblings = this.byMessage.get(candidate.at) ?? [];
    siblings.push(candidate);
    siblings.sort((a, b) => a.ordinal - b.ordinal);
    this.byMessage.set(candidate.at, siblings);
    for (const identifier of candidate.identifiers) {
      const known = this.byIdentifier.get(identifier);
      if (known === undefined) {
        this.byIdentifier.set(identifier, candidate);
      } else if (known instanceof Set) {
        known.add(candidate);
      } else {
        this.byIdentifier.set(identifier, new Set([known, candidate]));
      }
    }
  }

  remove(candidate: Candidate): void {
    const siblings = (this.byMessage.get(candidate.at) ?? []).filter((other) => other !== candidate);
    if (siblings.length > 0) {
      this.byMessage.set(candidate.at, siblings);
    } else {
      this.byMessage.delete(candidate.at);
    }
    for (const identifier of candidate.identifiers) {
      const known = this.byIdentifier.get(identifier);
      if (known instanceof Set) {
        known.delete(candidate);
      } else {
        this.byIdentifier.delete(identifier);
      }
    }
  }

  /** Calls `visit` with every candidate that has this identifier. */
  each(identifier: string, visit: (candidate: Candidate) => void): void {
    const known = this.byIdentifier.get(identifier);
    if (known instanceof Set) {
      known.forEach(visit);
    } else if (known !== undefined) {
      visit(known);
    }
  }
}
