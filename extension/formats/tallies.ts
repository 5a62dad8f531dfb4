import { factsOf } from '../engine/transcript/facts';
import type { Message } from '../engine/transcript/message';

/** Counts the calls, failures and signed blocks of messages, for logs whose messages are understood one by one. */
export class MessageTally {
  messages = 0;
  signed = 0;
  private readonly calls = new Set<string>();
  private readonly failed = new Set<string>();
  private unnamedCalls = 0;
  private unnamedFailures = 0;

  take(message: Message): void {
    const facts = factsOf(message);
    this.messages++;
    if (facts.signed) this.signed++;
    for (const { id } of facts.calls) {
      if (id === null) this.unnamedCalls++;
      else this.calls.add(id);
    }
    for (const { id, failed } of facts.results) {
      if (!failed) continue;
      if (id === null) this.unnamedFailures++;
      else this.failed.add(id);
    }
  }

  get toolCalls(): number {
    return this.calls.size + this.unnamedCalls;
  }

  get toolErrors(): number {
    return this.failed.size + this.unnamedFailures;
  }
}
