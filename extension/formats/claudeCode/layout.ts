import { FLAG, TYPE } from './draft';
import type { RecordTable } from './recordTable';

/** The entries of a lane: which records each one is made of. In order of the file; records of one API message are one. */
export interface Layout {
  /** Number of entries. */
  readonly entries: number;
  /** Number of messages among them. */
  readonly messages: number;
  /** First place of an entry in `records`; one more item than there are entries. */
  readonly start: Int32Array;
  readonly records: Int32Array;
  /** Entry by message. */
  readonly entryOf: Int32Array;
  /** Message by entry; -1 for what is no message. */
  readonly messageOf: Int32Array;
  /** The entry of the last compaction boundary; -1 where there is none. */
  readonly boundary: number;
  /** First message after each compaction, rising; the last of them begins what the model still sees. */
  readonly contexts: readonly number[];
  /** Messages that are answers of the model, rising. */
  readonly turns: Int32Array;
}

/** True for records that get a row: progress, queues, snapshots and the agent's own notes do not. */
function isShown(records: RecordTable, record: number): boolean {
  switch (records.typeOf(record)) {
    case TYPE.progress:
    case TYPE.queue:
    case TYPE.snapshot:
    case TYPE.known:
    case TYPE.title:
      return false;
    default:
      return true;
  }
}

/** Lays out the records of a lane. `inside` has 1 for each record that belongs to it. */
export function layOut(records: RecordTable, inside: Uint8Array, messageIds: number): Layout {
  const size = records.size;
  const entryOfRecord = new Int32Array(size).fill(-1);
  const entryOfMessageId = new Int32Array(messageIds).fill(-1);
  let entries = 0;
  let shown = 0;
  let boundary = -1;
  for (let i = 0; i < size; i++) {
    if (inside[i] === 0 || !isShown(records, i)) continue;
    shown++;
    const id = records.type[i] === TYPE.assistant ? records.message[i]! : -1;
    const joined = id >= 0 ? entryOfMessageId[id]! : -1;
    if (joined > boundary) {
      entryOfRecord[i] = joined;
      continue;
    }
    if (records.has(i, FLAG.compaction)) boundary = entries;
    if (id >= 0) entryOfMessageId[id] = entries;
    entryOfRecord[i] = entries++;
  }
  const start = new Int32Array(entries + 1);
  for (let i = 0; i < size; i++) if (entryOfRecord[i]! >= 0) start[entryOfRecord[i]! + 1]!++;
  for (let i = 0; i < entries; i++) start[i + 1]! += start[i]!;
  const next = start.slice();
  const ordered = new Int32Array(shown);
  for (let i = 0; i < size; i++) if (entryOfRecord[i]! >= 0) ordered[next[entryOfRecord[i]!]!++] = i;

  const messageOf = new Int32Array(entries).fill(-1);
  let messages = 0;
  const contexts: number[] = [];
  const turns: number[] = [];
  for (let entry = 0; entry < entries; entry++) {
    const first = ordered[start[entry]!]!;
    const type = records.type[first];
    if (records.has(first, FLAG.compaction)) contexts.push(messages);
    if (type === TYPE.assistant && !records.has(first, FLAG.synthetic)) turns.push(messages);
    if (type === TYPE.user || type === TYPE.assistant) messageOf[entry] = messages++;
  }
  const entryOf = new Int32Array(messages);
  for (let entry = 0; entry < entries; entry++) if (messageOf[entry]! >= 0) entryOf[messageOf[entry]!] = entry;
  return {
    entries,
    messages,
    start,
    records: ordered,
    entryOf,
    messageOf,
    boundary,
    contexts,
    turns: Int32Array.from(turns),
  };
}

/** The first entry in which two layouts of one lane differ: entries before it are made of the same records. */
export function firstDifference(before: Layout, after: Layout): number {
  const shared = Math.min(before.entries, after.entries);
  let entry = 0;
  for (; entry < shared; entry++) {
    const from = before.start[entry]!;
    const to = before.start[entry + 1]!;
    if (from !== after.start[entry] || to !== after.start[entry + 1]) break;
    let at = from;
    while (at < to && before.records[at] === after.records[at]) at++;
    if (at < to) break;
  }
  return entry;
}
