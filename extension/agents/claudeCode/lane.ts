import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject, Message } from '../../engine/transcript/message';
import { buildEntry, buildMessage, clearedBy } from '../../formats/claudeCode/build';
import { FLAG } from '../../formats/claudeCode/draft';
import type { Entry } from '../../formats/claudeCode/entry';
import { Layout } from '../../formats/claudeCode/layout';
import type { RecordReader } from './recordReader';

const CACHED_MESSAGES = 64;
const CACHED_BYTES = 8 << 20;
const SLICE_BYTES = 1 << 20;
/** Never appended to. */
const NOTHING = new Layout();

/** One way through a session, read by number. It stays valid and grows with the file; a lane that is gone is empty. */
export class Lane {
  private layout: Layout = NOTHING;
  private reader: RecordReader | null = null;
  private readonly cache = new Map<number, { readonly message: Message; readonly bytes: number }>();
  private cachedBytes = 0;
  private clearedIds: ReadonlySet<string> | null = null;

  constructor(readonly id: string) {}

  /** Takes a new layout; entries before `from` are as they were. */
  update(reader: RecordReader | null, layout: Layout | null, from: number): void {
    const first = from < this.layout.entries ? this.messagesBefore(from) : this.layout.messages;
    this.reader = reader;
    this.layout = layout ?? NOTHING;
    this.clearedIds = null;
    this.forget(first);
  }

  /** Its layout took more records; entries before `from` are as they were. */
  grew(from: number, compacts: boolean): void {
    if (compacts) this.clearedIds = null;
    this.forget(this.messagesBefore(from));
  }

  /** What the entries are made of. */
  get shape(): Layout {
    return this.layout;
  }

  /** Number of messages. */
  get length(): number {
    return this.layout.messages;
  }

  /** Number of entries: messages, boundaries and other kept records. */
  get entries(): number {
    return this.layout.entries;
  }

  /** First message that the model still sees: those before it were archived by compaction. */
  get contextStart(): number {
    return this.layout.contexts.at(-1) ?? 0;
  }

  /** As `contextStart`, when the lane ended before this message. */
  contextStartAt(message: number): number {
    const { contexts } = this.layout;
    let low = 0;
    let high = contexts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (contexts[middle]! <= message) low = middle + 1;
      else high = middle;
    }
    return contexts[low - 1] ?? 0;
  }

  /** Numbers of the messages that are answers of the model, rising. */
  get turns(): { readonly length: number; at(index: number): number } {
    const { turns, answers } = this.layout;
    return { length: answers, at: (index) => (index < answers ? (turns[index] ?? -1) : -1) };
  }

  /** Tokens of the last request at or before this message, as reported: input, cached or not, and output. */
  usageAt(message: number): number | null {
    const { turns, answers } = this.layout;
    let low = 0;
    let high = answers;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (turns[middle]! <= message) low = middle + 1;
      else high = middle;
    }
    for (let turn = low - 1; turn >= 0; turn--) {
      const records = this.recordsOf(this.entryOf(turns[turn]!));
      for (let i = records.length - 1; i >= 0; i--) {
        const usage = this.reader?.records.usage[records[i]!] ?? 0;
        if (usage > 0) return usage;
      }
    }
    return null;
  }

  /** Entry number of a message; -1 where there is no such message. */
  entryOf(message: number): number {
    return message < this.layout.messages ? (this.layout.entryOf[message] ?? -1) : -1;
  }

  /** Message number of an entry; null for what is no message. */
  messageAt(entry: number): number | null {
    const message = entry < this.layout.entries ? (this.layout.messageOf[entry] ?? -1) : -1;
    return message < 0 ? null : message;
  }

  /** Number of messages before an entry. */
  messagesBefore(entry: number): number {
    const { messageOf, entries, messages } = this.layout;
    for (let at = Math.max(0, entry); at < entries; at++) if (messageOf[at]! >= 0) return messageOf[at]!;
    return messages;
  }

  /** Line of the file, from 1, of a message's first record; null where there is no such message. */
  lineOf(message: number): number | null {
    const record = this.recordsOf(this.entryOf(message))[0];
    return record === undefined ? null : (this.reader?.records.line[record] ?? null);
  }

  /** Numbers of the records of an entry. */
  recordsOf(entry: number): Int32Array {
    const { start, records, entries } = this.layout;
    return entry < 0 || entry >= entries ? new Int32Array(0) : records.subarray(start[entry], start[entry + 1]);
  }

  /** One message, at once. Where the file no longer has it, an empty one. */
  message(index: number): Message {
    const known = this.cache.get(index);
    if (known) {
      this.cache.delete(index);
      this.cache.set(index, known);
      return known.message;
    }
    const records = this.recordsOf(this.entryOf(index));
    const message = buildMessage(this.parse(records));
    this.remember(index, message, this.bytesOf(records));
    return message;
  }

  /** Reads entries `start` to `end` (excluded); fewer where the lane ends. */
  async read(start: number, end: number): Promise<Entry[]> {
    const entries: Entry[] = [];
    let bytes = 0;
    for (let entry = Math.max(0, start); entry < Math.min(end, this.layout.entries); entry++) {
      entries.push(this.entry(entry));
      bytes += this.bytesOf(this.recordsOf(entry));
      if (bytes < SLICE_BYTES) continue;
      bytes = 0;
      await nextTurn();
    }
    return entries;
  }

  /** One entry, at once. */
  entry(entry: number): Entry {
    const numbers = this.recordsOf(entry);
    const table = this.reader?.records;
    return buildEntry(this.parse(numbers), {
      entry,
      index: this.messageAt(entry),
      lines: Array.from(numbers, (record) => table?.line[record] ?? 0),
      offsets: Array.from(numbers, (record) => table?.start[record] ?? 0),
      compacted: entry < this.layout.boundary,
    });
  }

  /** Call ids whose results micro-compaction cleared from what the model still sees. */
  cleared(): ReadonlySet<string> {
    if (this.clearedIds) return this.clearedIds;
    const ids = new Set<string>();
    const { reader, layout } = this;
    if (reader) {
      for (let i = layout.start[Math.max(0, layout.boundary)]!; i < layout.placed; i++) {
        const record = layout.records[i]!;
        if (reader.records.has(record, FLAG.microcompaction)) {
          for (const id of clearedBy(reader.read(record))) ids.add(id);
        }
      }
    }
    return (this.clearedIds = ids);
  }

  private forget(from: number): void {
    for (const [index, { bytes }] of this.cache) {
      if (index < from) continue;
      this.cache.delete(index);
      this.cachedBytes -= bytes;
    }
  }

  private parse(records: Int32Array): JsonObject[] {
    const { reader } = this;
    return reader ? Array.from(records, (record) => reader.read(record)) : [];
  }

  private bytesOf(records: Int32Array): number {
    let bytes = 0;
    for (const record of records) bytes += this.reader?.records.length[record] ?? 0;
    return bytes;
  }

  private remember(index: number, message: Message, bytes: number): void {
    if (bytes > CACHED_BYTES / 4) return;
    this.cache.set(index, { message, bytes });
    this.cachedBytes += bytes;
    for (const [oldest, { bytes: freed }] of this.cache) {
      if (this.cache.size <= CACHED_MESSAGES && this.cachedBytes <= CACHED_BYTES) break;
      this.cache.delete(oldest);
      this.cachedBytes -= freed;
    }
  }
}
