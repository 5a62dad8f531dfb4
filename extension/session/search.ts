import type { Result } from '../protocol/messages';
import type { FilteredListing, Perspective } from './perspective';
import { rowTotal } from './listing';

/** What the last search found, so that going on to the next one costs nothing. */
interface Found {
  readonly text: string;
  readonly filtered: FilteredListing;
  readonly policy: string;
  readonly matches: Uint32Array;
}

const NOTHING: Result<'search'> = { row: null, wrapped: false, matches: 0, position: 0 };

/** Searches the rows of what is looked at. A new search stops the one before, which is then refused. */
export class Search {
  private found: Found | null = null;
  private running: { stopped: boolean } | null = null;

  constructor(private readonly pause: () => Promise<void>) {}

  /** The next row (or previous one) that holds the text, from `from` on, going round at the end. */
  async find(perspective: Perspective, text: string, from: number, backwards: boolean): Promise<Result<'search'>> {
    if (text === '') return NOTHING;
    const matches = await this.matchesOf(perspective, text);
    if (matches.length === 0) return NOTHING;
    const place = backwards ? lastUpTo(matches, from) : firstFrom(matches, from);
    const wrapped = place === null;
    const position = place ?? (backwards ? matches.length - 1 : 0);
    return { row: matches[position] ?? null, wrapped, matches: matches.length, position: position + 1 };
  }

  stop(): void {
    if (this.running) this.running.stopped = true;
    this.running = null;
    this.found = null;
  }

  private async matchesOf(perspective: Perspective, text: string): Promise<Uint32Array> {
    const { filtered } = perspective;
    const policy = JSON.stringify(perspective.settings);
    const { found } = this;
    if (found?.text === text && found.filtered === filtered) return found.matches;
    if (this.running) this.running.stopped = true;
    const run = { stopped: false };
    this.running = run;
    const pause = async (): Promise<void> => {
      await this.pause();
      if (run.stopped) throw new Error('Another search took the place of this one.');
    };
    try {
      const start = found?.text === text && found.policy === policy ? unchangedRows(found.filtered, filtered) : 0;
      const kept = start === 0 || !found ? new Uint32Array(0) : found.matches.filter((match) => match < start);
      const more = await perspective.rowScan.search(filtered.listing, filtered.rows, text, start, pause);
      const matches = new Uint32Array(kept.length + more.length);
      matches.set(kept);
      matches.set(more, kept.length);
      this.found = { text, filtered, policy, matches };
      return matches;
    } finally {
      if (this.running === run) this.running = null;
    }
  }
}

/** Rows at the beginning that hold the same texts in both, when the second is the first grown; 0 when not so simple. */
function unchangedRows(before: FilteredListing, after: FilteredListing): number {
  if (before.rows || after.rows || before.listing.epoch !== after.listing.epoch) return 0;
  const [first, second] = [before.listing.decision, after.listing.decision];
  if (first?.synthetic || second?.synthetic || (first?.redactions.size ?? 0) !== (second?.redactions.size ?? 0))
    return 0;
  return Math.min(before.listing.entries, after.listing.entries, rowTotal(after.listing));
}

/** Place of the first number that is at least `from`. */
function firstFrom(numbers: Uint32Array, from: number): number | null {
  let low = 0;
  for (let high = numbers.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low < numbers.length ? low : null;
}

/** Place of the last number that is at most `from`. */
function lastUpTo(numbers: Uint32Array, from: number): number | null {
  const after = firstFrom(numbers, from + 1);
  const place = (after ?? numbers.length) - 1;
  return place >= 0 ? place : null;
}
