import type { JsonObject, Message } from '../../engine/transcript/message';
import { isObject } from '../../engine/transcript/message';
import type { Lent, LogReader, ReadBytes } from '../reader';
import { buildMessage } from './build';
import { Layout } from './layout';
import { membersOfBranch } from './members';
import { SessionIndex } from './sessionIndex';
import { Tree } from './tree';

/** Reads a Claude Code session file. Only its index is kept; the messages of the context are read when asked for. */
export class ClaudeCodeReader extends SessionIndex implements LogReader {
  constructor(private readonly lent: Lent) {
    super(lent);
  }

  context(read: ReadBytes): Message[] {
    const { records } = this;
    const layout = Layout.of(records, membersOfBranch(records, new Tree(records), 0));
    const messages: Message[] = [];
    for (let message = layout.contexts.at(-1) ?? 0; message < layout.messages; message++) {
      const entry = layout.entryOf[message]!;
      const numbers = layout.records.subarray(layout.start[entry], layout.start[entry + 1]);
      messages.push(buildMessage(Array.from(numbers, (record) => this.parseRecord(record, read))));
    }
    return messages;
  }

  private parseRecord(record: number, read: ReadBytes): JsonObject {
    const start = this.records.start[record]!;
    try {
      const value: unknown = JSON.parse(this.lent.decode(read(start, start + this.records.length[record]!)));
      return isObject(value) ? value : {};
    } catch {
      return {};
    }
  }
}
