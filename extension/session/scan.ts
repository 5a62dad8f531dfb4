import { clearedParts, speakerOf } from '../engine/rows/build';
import { maskSecrets } from '../engine/rows/mask';
import { partsOf } from '../engine/rows/parts';
import type { Part } from '../engine/rows/parts';
import type { RowState, Speaker } from '../engine/rows/row';
import { projectedMessage } from '../engine/projection/project';
import { stateOf } from '../engine/projection/decision';
import type { FilterView } from '../protocol/view';
import type { Entry, LaneReader } from './inspected';
import type { Pause } from './projector';
import type { Item, Listing } from './listing';
import { itemAt, rowTotal } from './listing';

/** Entries that are read at once. */
const PAGE = 256;

/** Rows whose numbers are looked at between two pauses when nothing has to be read. */
const NUMBERS = 50_000;

const SPEAKERS: readonly Speaker[] = ['user', 'assistant', 'result', 'system', 'engine'];

const CLEARED = 8;
const MESSAGE = 16;
const RECORD = 32;

/** A list of row numbers that grows. */
class Numbers {
  private buffer = new Uint32Array(1024);
  private length = 0;

  add(number: number): void {
    if (this.length === this.buffer.length) {
      const bigger = new Uint32Array(this.length * 2);
      bigger.set(this.buffer);
      this.buffer = bigger;
    }
    this.buffer[this.length++] = number;
  }

  done(): Uint32Array {
    return this.buffer.slice(0, this.length);
  }
}

/** Whether a filter lets everything through. */
export function isOpen(filter: FilterView): boolean {
  return filter.speakers.length === 0 && filter.states.length === 0;
}

/** Goes over the rows of one lane for filters and searches, in slices; keeps one byte for each entry it has seen. */
export class Scan {
  private codes = new Uint8Array(0);

  constructor(private readonly reader: LaneReader) {}

  /** Forgets entries from this one on. */
  forget(from: number): void {
    this.codes.fill(0, from);
  }

  /** The rows (numbered before any filter) that a filter lets through, rising. */
  async filter(listing: Listing, filter: FilterView, pause: Pause): Promise<Uint32Array> {
    await this.learn(listing.entries, pause);
    const speakers = new Set(filter.speakers);
    const states = new Set(filter.states);
    const found = new Numbers();
    const total = rowTotal(listing);
    for (let row = 0; row < total; row++) {
      const item = itemAt(listing, row);
      const { speaker, state } = this.describe(listing, item);
      if ((speakers.size === 0 || speakers.has(speaker)) && (states.size === 0 || states.has(state))) found.add(row);
      if (row % NUMBERS === NUMBERS - 1) await pause();
    }
    return found.done();
  }

  /**
   * Which of the rows hold a text, in any case: places in the list of rows (null: all rows), rising, from `start` on.
   * What is searched is what is listing: names of tools, all of the text, secrets masked.
   */
  async search(
    listing: Listing,
    rows: Uint32Array | null,
    text: string,
    start: number,
    pause: Pause,
  ): Promise<Uint32Array> {
    const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'iu');
    const found = new Numbers();
    const total = rows ? rows.length : rowTotal(listing);
    for (let at = start; at < total;) {
      const end = Math.min(total, at + PAGE);
      const items: Item[] = [];
      for (let place = at; place < end; place++) items.push(itemAt(listing, rows ? (rows[place] ?? 0) : place));
      const entries = await this.readAll(items);
      items.forEach((item, index) => {
        if (textsOf(listing, item, entries[index] ?? null).some((each) => holds(each, pattern))) found.add(at + index);
      });
      at = end;
      await pause();
    }
    return found.done();
  }

  /** Reads the entries of items, runs of them at once. */
  private async readAll(items: readonly Item[]): Promise<readonly (Entry | null)[]> {
    const entries: (Entry | null)[] = [];
    for (let at = 0; at < items.length;) {
      const item = items[at];
      if (!item || item.kind !== 'entry') {
        entries.push(null);
        at++;
        continue;
      }
      let end = at + 1;
      for (; end < items.length; end++) {
        const next = items[end];
        if (!next || next.kind !== 'entry' || next.entry !== item.entry + end - at) break;
      }
      const read = await this.reader.read(item.entry, item.entry + end - at);
      for (let index = 0; index < end - at; index++) entries.push(read[index] ?? null);
      at = end;
    }
    return entries;
  }

  private async learn(entries: number, pause: Pause): Promise<void> {
    if (this.codes.length < entries) {
      const bigger = new Uint8Array(Math.max(entries, this.codes.length * 2));
      bigger.set(this.codes);
      this.codes = bigger;
    }
    for (let at = 0; at < entries; at++) {
      if (this.codes[at] !== 0) continue;
      const page = await this.reader.read(at, Math.min(entries, at + PAGE));
      if (page.length === 0) break;
      page.forEach((entry, index) => (this.codes[at + index] = codeOf(entry)));
      at += page.length - 1;
      await pause();
    }
    this.messageAt = null;
  }

  /** Message number of the last entry asked for, to go on from; entries are asked for in rising order. */
  private messageAt: { readonly entry: number; readonly message: number } | null = null;

  /** Number of an entry's message, which the codes tell by counting. */
  private messageOf(entry: number): number {
    const from = this.messageAt !== null && this.messageAt.entry <= entry ? this.messageAt : { entry: 0, message: 0 };
    let message = from.message;
    for (let at = from.entry; at < entry; at++) if (((this.codes[at] ?? 0) & MESSAGE) !== 0) message++;
    this.messageAt = { entry, message };
    return message;
  }

  private describe(listing: Listing, item: Item): { readonly speaker: Speaker; readonly state: RowState } {
    if (item.kind === 'synthetic') return { speaker: 'engine', state: 'synthetic' };
    if (item.kind === 'pending') return { speaker: 'engine', state: 'directive' };
    const code = this.codes[item.entry] ?? 0;
    if ((code & MESSAGE) === 0) return { speaker: 'system', state: (code & RECORD) === 0 ? 'kept' : 'hidden' };
    const message = this.messageOf(item.entry);
    const isEnvelope = listing.envelopeOf(message) !== null;
    const speaker = isEnvelope ? 'engine' : (SPEAKERS[(code & 7) - 1] ?? 'user');
    return { speaker, state: stateAt(listing, message, isEnvelope, (code & CLEARED) !== 0) };
  }
}

function stateAt(listing: Listing, message: number, isEnvelope: boolean, isCleared: boolean): RowState {
  const { decision, offset } = listing;
  if (message < offset) return 'hidden';
  const index = message - offset;
  const state = decision && index < decision.length ? stateOf(decision, index) : 'kept';
  if (state !== 'kept') return state;
  if (isEnvelope) return 'directive';
  return isCleared ? 'redacted' : 'kept';
}

function codeOf(entry: Entry): number {
  if (entry.kind === 'boundary') return 64;
  if (entry.kind === 'record') return RECORD;
  const parts = partsOf(entry.value);
  const speaker = SPEAKERS.indexOf(speakerOf(entry.value, parts)) + 1;
  return MESSAGE | speaker | (clearedParts(parts, entry.cleared) ? CLEARED : 0);
}

function holds(text: string, pattern: RegExp): boolean {
  return pattern.test(text) && pattern.test(maskSecrets(text));
}

function partTexts(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => {
    const { block } = part;
    const name = 'name' in block && block.name !== null ? [block.name] : [];
    return [...name, part.text()];
  });
}

function textsOf(listing: Listing, item: Item, entry: Entry | null): readonly string[] {
  if (item.kind === 'pending') return listing.pending.map((directive) => directive.body);
  if (item.kind === 'synthetic')
    return listing.decision?.synthetic ? partTexts(partsOf(listing.decision.synthetic)) : [];
  if (!entry) return [];
  if (entry.kind !== 'message') return [entry.text];
  const texts = partTexts(partsOf(entry.value));
  const { decision, offset } = listing;
  const index = entry.message - offset;
  if (!decision?.redactions.has(index)) return texts;
  return [...texts, ...partTexts(partsOf(projectedMessage(decision, index, () => entry.value)))];
}
