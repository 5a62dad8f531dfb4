import type { JsonObject, Message } from '../engine/transcript/message';
import type { Facts } from './facts';
import type { Issue } from './issue';
import { JsonLines } from './jsonLines';
import type { Lent, LogReader } from './reader';

/** Reads a log of which each line is a record of its own; what a record means is the format's. */
export abstract class LineReader implements LogReader {
  protected readonly lines: JsonLines;

  constructor(lent: Lent) {
    this.lines = new JsonLines(lent, (record, line) => this.take(record, line));
  }

  push(bytes: Uint8Array): boolean {
    this.lines.push(bytes);
    return true;
  }

  settle(): void {
    this.lines.settle();
  }

  issues(): readonly Issue[] {
    return this.lines.issues();
  }

  get issueCount(): number {
    return this.lines.issueCount;
  }

  abstract facts(): Facts;

  abstract context(): Message[];

  /** Takes the record of a line. */
  protected abstract take(record: JsonObject, line: number): void;
}
