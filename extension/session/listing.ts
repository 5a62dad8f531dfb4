import { boundaryRow, messageRow, pendingRow, recordRow, syntheticRow } from '../engine/rows/build';
import type { Fate } from '../engine/rows/build';
import type { NameOf } from '../engine/rows/parts';
import type { Directive, Row } from '../engine/rows/row';
import { causeOf, stateOf } from '../engine/projection/decision';
import type { Decision } from '../engine/projection/decision';
import { projectedMessage } from '../engine/projection/project';
import { callsOf } from '../engine/transcript/calls';
import type { Message } from '../engine/transcript/message';
import type { Entry, LaneReader } from './inspected';

/**
 * What the rows are made from: a lane up to an entry, and what a projection made of the messages that are in the model's context
 * there. Replaced as a whole with every change; holds nothing per row.
 */
export interface Listing {
  readonly reader: LaneReader;
  /** Distinguishes the keys of one lane from those of another. */
  readonly epoch: number;
  /** Entries of the lane that have a row. */
  readonly entries: number;
  /** Messages of the lane that have a row. */
  readonly messages: number;
  /** First message of the projection: those before it were archived by compaction. */
  readonly offset: number;
  /** Null: not decided yet. Its indices count from `offset`. */
  readonly decision: Decision | null;
  /** Directives of an envelope that the engine issued; null for any other message. */
  envelopeOf(message: number): readonly Directive[] | null;
  /** What is pending, at the end. */
  readonly pending: readonly Directive[];
}

/** What stands in a row. */
export type Item =
  { readonly kind: 'entry'; readonly entry: number } | { readonly kind: 'synthetic' } | { readonly kind: 'pending' };

/** First message, counted from the offset, that a decision keeps; where its synthetic message stands. */
function firstKept(decision: Decision): number {
  let first = decision.length;
  for (const index of decision.spared.keys()) first = Math.min(first, index);
  for (let index = decision.cut; index < first; index++) {
    if (stateOf(decision, index) !== 'hidden') first = index;
  }
  return first;
}

/** The row of the synthetic message; null when there is none. */
function syntheticAt(listing: Listing): number | null {
  const { decision, reader } = listing;
  if (!decision || decision.synthetic === null) return null;
  const message = listing.offset + firstKept(decision);
  return message < listing.messages ? reader.entryOf(message) : listing.entries;
}

/** Rows before any filter. */
export function rowTotal(listing: Listing): number {
  return listing.entries + (syntheticAt(listing) === null ? 0 : 1) + (listing.pending.length === 0 ? 0 : 1);
}

/** What stands in a row, by its number before any filter. */
export function itemAt(listing: Listing, row: number): Item {
  const synthetic = syntheticAt(listing);
  if (row === synthetic) return { kind: 'synthetic' };
  const entry = synthetic !== null && row > synthetic ? row - 1 : row;
  return entry < listing.entries ? { kind: 'entry', entry } : { kind: 'pending' };
}

/** The row of an entry before any filter. */
export function rowOfEntry(listing: Listing, entry: number): number {
  const synthetic = syntheticAt(listing);
  return synthetic !== null && entry >= synthetic ? entry + 1 : entry;
}

/** What became of a message of the lane. */
export function fateOf(listing: Listing, message: number, value: () => Message): Fate {
  const { decision, offset } = listing;
  if (message < offset) return { kind: 'archived', context_start: offset };
  const index = message - offset;
  if (!decision || index >= decision.length) return { kind: 'undecided' };
  const state = stateOf(decision, index);
  const projected = state === 'redacted' ? projectedMessage(decision, index, value) : null;
  return { kind: 'decided', state, cause: causeOf(decision, index), projected, offset };
}

/** How far back a call may stand before its result, in messages, for the result's row to be given its name. */
const LOOK_BACK = 24;

/** Finds the name of a call that stands shortly before a message. */
export function namesBefore(reader: LaneReader, message: number): NameOf {
  return (call_id) => {
    for (let index = message - 1; index >= Math.max(0, message - LOOK_BACK); index--) {
      const call = callsOf(reader.message(index)).find((each) => each.id === call_id);
      if (call) return call.name;
    }
    return null;
  };
}

/** The key of an item: the same for the same thing while the lane is listing. */
export function keyOf(listing: Listing, item: Item | { readonly message: number }): string {
  if ('message' in item) return `${listing.epoch}.m${item.message}`;
  return item.kind === 'entry' ? `${listing.epoch}.e${item.entry}` : `${listing.epoch}.${item.kind}`;
}

function entryRow(listing: Listing, entry: Entry, number: number): Row {
  const key = keyOf(listing, { kind: 'entry', entry: number });
  switch (entry.kind) {
    case 'boundary':
      return boundaryRow(key, entry.text, entry.time_ms);
    case 'record':
      return recordRow(key, entry.name, entry.text, entry.time_ms);
    case 'message': {
      const { message, value, time_ms, cleared, notes } = entry;
      const directives = listing.envelopeOf(message);
      const about = { key: keyOf(listing, { message }), message, time_ms, notes, cleared, directives };
      const row = messageRow(
        value,
        about,
        fateOf(listing, message, () => value),
        namesBefore(listing.reader, message),
      );
      return listing.reader.provisional ? { ...row, message: null } : row;
    }
  }
}

/** The row of what stands outside the lane's entries. */
function extraRow(listing: Listing, item: Item): Row | null {
  const key = keyOf(listing, item);
  if (item.kind === 'pending') return listing.pending.length > 0 ? pendingRow(key, listing.pending) : null;
  const synthetic = listing.decision?.synthetic;
  return item.kind === 'synthetic' && synthetic ? syntheticRow(key, synthetic) : null;
}

/** Entries that are read at once. */
const CHUNK = 32;

/**
 * The rows of these numbers (before any filter, rising), as many as `take` accepts: it is called with each in turn and
 * says whether there is room for more.
 */
export async function readRows(
  listing: Listing,
  numbers: readonly number[],
  take: (row: Row) => boolean,
): Promise<void> {
  for (let at = 0; at < numbers.length;) {
    const item = itemAt(listing, numbers[at] ?? 0);
    if (item.kind !== 'entry') {
      const row = extraRow(listing, item);
      at++;
      if (row && !take(row)) return;
      continue;
    }
    let end = at + 1;
    for (let next = item.entry + 1; end < numbers.length && end - at < CHUNK; end++, next++) {
      const following = itemAt(listing, numbers[end] ?? 0);
      if (following.kind !== 'entry' || following.entry !== next) break;
    }
    const entries = await listing.reader.read(item.entry, item.entry + end - at);
    for (const [index, entry] of entries.entries()) {
      if (!take(entryRow(listing, entry, item.entry + index))) return;
    }
    at = end;
  }
}
