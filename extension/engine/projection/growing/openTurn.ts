import type { MessageFacts } from '../../transcript/facts';
import type { Turn } from '../../transcript/turns';
import { turnOf } from '../../transcript/turns';

/** The turn at the end of a growing transcript: the facts of its messages, paired again only when results came. */
export class OpenTurn {
  private readonly members: MessageFacts[] = [];
  private paired: Turn | null = null;

  /** @param start index of its first message, the assistant's unless it is the very first turn. */
  constructor(private readonly start: number) {}

  add(facts: MessageFacts): void {
    this.members.push(facts);
    if (facts.results.length > 0 || facts.assistant) {
      this.paired = null;
    }
  }

  /** The facts of its message `index`. */
  readonly facts = (index: number): MessageFacts => {
    const facts = this.members[index - this.start];
    if (facts === undefined) {
      throw new RangeError(`Message ${index} is not in the turn that starts at ${this.start}.`);
    }
    return facts;
  };

  /** The turn as it stands. */
  turn(): Turn {
    const begins = this.members[0]?.assistant === true;
    this.paired ??= turnOf(
      this.facts,
      begins ? this.start : null,
      begins ? this.start + 1 : this.start,
      this.start + this.members.length,
    );
    return this.paired;
  }
}
