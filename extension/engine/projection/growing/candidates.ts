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
  /** One of its identifiers that is a root; null when none is. */
  witness: string | null;
  /** The replacement; null when it would not be shorter; undefined until it is needed. */
  redaction: Redaction | null | undefined;
}

/**
 * The candidates of a growing transcript. One that a root reaches is filed under that one identifier, any other under
 * all of its own: so a token that many share costs nothing as long as something else decides.
 */
export class Candidates {
  private readonly byMessage = new Map<number, Candidate[]>();
  private readonly reached = new Index();
  private readonly unreached = new Index();

  constructor(private readonly isRoot: (token: string) => boolean) {}

  find(at: number, ordinal: number): Candidate | undefined {
    return this.byMessage.get(at)?.find((candidate) => candidate.ordinal === ordinal);
  }

  /** The candidates of a message, in order. */
  of(at: number): readonly Candidate[] {
    return this.byMessage.get(at) ?? [];
  }

  /** Adds a candidate and finds what reaches it. */
  add(candidate: Candidate): void {
    const siblings = this.byMessage.get(candidate.at);
    if (siblings === undefined) {
      this.byMessage.set(candidate.at, [candidate]);
    } else {
      siblings.push(candidate);
      siblings.sort((a, b) => a.ordinal - b.ordinal);
    }
    this.file(candidate, this.witnessOf(candidate));
  }

  remove(candidate: Candidate): void {
    const siblings = this.of(candidate.at).filter((other) => other !== candidate);
    if (siblings.length > 0) {
      this.byMessage.set(candidate.at, siblings);
    } else {
      this.byMessage.delete(candidate.at);
    }
    this.unfile(candidate);
  }

  /** A token became a root, or stopped being one: calls `visit` with every candidate that this decides. */
  turn(token: string, isRoot: boolean, visit: (candidate: Candidate) => void): void {
    for (const candidate of (isRoot ? this.unreached : this.reached).under(token)) {
      this.unfile(candidate);
      this.file(candidate, isRoot ? token : this.witnessOf(candidate));
      if (isRoot || candidate.witness === null) {
        visit(candidate);
      }
    }
  }

  private witnessOf(candidate: Candidate): string | null {
    return candidate.identifiers.find(this.isRoot) ?? null;
  }

  private file(candidate: Candidate, witness: string | null): void {
    candidate.witness = witness;
    const [index, keys] = this.placeOf(candidate);
    keys.forEach((key) => index.add(key, candidate));
  }

  private unfile(candidate: Candidate): void {
    const [index, keys] = this.placeOf(candidate);
    keys.forEach((key) => index.remove(key, candidate));
  }

  private placeOf({ witness, identifiers }: Candidate): [Index, readonly string[]] {
    return witness === null ? [this.unreached, identifiers] : [this.reached, [witness]];
  }
}

/** Candidates by identifier. Most identifiers have one candidate, which then needs no set. */
class Index {
  private readonly filed = new Map<string, Candidate | Set<Candidate>>();

  /** The candidates under a key, as they are now. */
  under(key: string): readonly Candidate[] {
    const filed = this.filed.get(key);
    return filed === undefined ? [] : filed instanceof Set ? [...filed] : [filed];
  }

  add(key: string, candidate: Candidate): void {
    const filed = this.filed.get(key);
    if (filed instanceof Set) {
      filed.add(candidate);
    } else {
      this.filed.set(key, filed === undefined ? candidate : new Set([filed, candidate]));
    }
  }

  remove(key: string, candidate: Candidate): void {
    const filed = this.filed.get(key);
    if (filed instanceof Set) {
      filed.delete(candidate);
      if (filed.size > 0) {
        return;
      }
    }
    this.filed.delete(key);
  }
}
