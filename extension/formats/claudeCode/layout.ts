import { FLAG, TYPE } from './draft';
import { fitted } from './fitted';
import type { Members } from './members';
import type { RecordTable } from './recordTable';

/** Places by which records may be moved for one that is appended to an earlier entry, before a new layout is cheaper. */
const MOST_MOVED = 1 << 12;

/**
 * The entries of a lane: which records each one is made of. In order of the file; records of one API message are one.
 * The columns may have more places than there are entries.
 */
export class Layout {
  /** Number of entries. */
  entries = 0;
  /** Number of messages among them. */
  messages = 0;
  /** Number of messages that are answers of the model. */
  answers = 0;
  /** First place of an entry in `records`; one more item than there are entries. */
  start = new Int32Array(1);
  records = new Int32Array(0);
  /** Entry by message. */
  entryOf = new Int32Array(0);
  /** Message by entry; -1 for what is no message. */
  messageOf = new Int32Array(0);
  /** The entry of the last compaction boundary; -1 where there is none. */
  boundary = -1;
  /** First message after each compaction, rising; the last of them begins what the model still sees. */
  readonly contexts: number[] = [];
  /** Messages that are answers of the model, rising. */
  turns = new Int32Array(0);
  /** Entry by message id; -1 for none. */
  private entryOfId = new Int32Array(0);

  /** Records that the entries are made of. */
  get placed(): number {
    return this.start[this.entries]!;
  }

  /** Lays out the records of a lane, in time and memory linear in the number of all records. */
  static of(table: RecordTable, members: Members): Layout {
    const layout = new Layout();
    const inside = members.inside();
    const entryOfRecord = new Int32Array(inside.length).fill(-1);
    for (let i = 0; i < inside.length; i++) {
      if (inside[i] === 1 && isShown(table, i)) entryOfRecord[i] = layout.join(table, i) ?? layout.begin(table, i);
    }
    const { entries } = layout;
    const start = new Int32Array(entries + 1);
    for (const entry of entryOfRecord) if (entry >= 0) start[entry + 1]!++;
    for (let i = 0; i < entries; i++) start[i + 1]! += start[i]!;
    const next = start.slice();
    layout.records = new Int32Array(start[entries]!);
    entryOfRecord.forEach((entry, record) => {
      if (entry >= 0) layout.records[next[entry]!++] = record;
    });
    layout.start = start;
    return layout;
  }

  /**
   * Takes a record that was appended to the file and that the lane holds. Gives the entry that changed or is new, the
   * number of entries where the record has none; null: it would take more than to lay out all anew.
   */
  append(table: RecordTable, record: number): number | null {
    if (!isShown(table, record)) return this.entries;
    const { placed } = this;
    const joined = this.join(table, record);
    const entry = joined ?? this.entries;
    const at = joined === null ? placed : this.start[entry + 1]!;
    if (placed - at > MOST_MOVED) return null;
    if (joined === null) this.begin(table, record);
    this.start = fitted(this.start, this.entries + 1);
    this.records = fitted(this.records, placed + 1);
    this.records.copyWithin(at + 1, at, placed);
    this.records[at] = record;
    if (joined === null) this.start[this.entries] = placed + 1;
    else for (let i = entry + 1; i <= this.entries; i++) this.start[i]!++;
    return entry;
  }

  /** The entry of the API message that a record belongs to, when it is there already. */
  private join(table: RecordTable, record: number): number | null {
    const id = table.type[record] === TYPE.assistant ? table.message[record]! : -1;
    const entry = id >= 0 && id < this.entryOfId.length ? this.entryOfId[id]! : -1;
    return entry > this.boundary ? entry : null;
  }

  /** Begins a new entry with a record; gives its number. */
  private begin(table: RecordTable, record: number): number {
    const entry = this.entries++;
    const type = table.type[record];
    const id = type === TYPE.assistant ? table.message[record]! : -1;
    if (table.has(record, FLAG.compaction)) {
      this.boundary = entry;
      this.contexts.push(this.messages);
    }
    if (id >= 0) {
      this.entryOfId = fitted(this.entryOfId, id + 1, -1);
      this.entryOfId[id] = entry;
    }
    this.messageOf = fitted(this.messageOf, entry + 1, -1);
    this.messageOf[entry] = -1;
    if (type !== TYPE.user && type !== TYPE.assistant) return entry;
    if (type === TYPE.assistant && !table.has(record, FLAG.synthetic)) {
      this.turns = fitted(this.turns, this.answers + 1);
      this.turns[this.answers++] = this.messages;
    }
    this.entryOf = fitted(this.entryOf, this.messages + 1);
    this.entryOf[this.messages] = entry;
    this.messageOf[entry] = this.messages++;
    return entry;
  }
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
