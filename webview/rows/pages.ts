import type { Row } from '../../extension/protocol';
import type { Ask } from '../state/ask';

/** Rows that are asked for at once. */
export const PAGE = 50;

export interface Page {
  readonly revision: number;
  readonly rows: readonly Row[];
}

/** Asks for one page; the host may need several answers for it. A page from two revisions is asked for again. */
async function fetchPage(ask: Ask, page: number, count: number): Promise<Page> {
  const start = page * PAGE;
  const wanted = Math.min(PAGE, count - start);
  for (let attempt = 0; ; attempt++) {
    const rows: Row[] = [];
    let revision: number | null = null;
    while (rows.length < wanted) {
      const answer = await ask('rows', { start: start + rows.length, count: wanted - rows.length });
      if (revision !== null && answer.revision !== revision && attempt < 3) {
        revision = null;
        break;
      }
      revision = answer.revision;
      if (answer.rows.length === 0 || answer.start !== start + rows.length) break;
      rows.push(...answer.rows.slice(0, wanted - rows.length));
    }
    if (revision !== null || wanted <= 0) return { revision: revision ?? 0, rows };
  }
}

/** Keeps the old object where nothing about a row changed, so that it need not be drawn again. */
function reuse(before: Page | undefined, now: Page): Page {
  if (!before) return now;
  const known = new Map(before.rows.map((row) => [row.key, row]));
  const rows = now.rows.map((row) => {
    const old = known.get(row.key);
    return old && JSON.stringify(old) === JSON.stringify(row) ? old : row;
  });
  return { revision: now.revision, rows };
}

/** The pages of rows that are held: those around the window, and no more. */
export class Pages {
  private held = new Map<number, Page>();
  private coming = new Map<number, Promise<Page>>();

  constructor(private readonly ask: Ask) {}

  get size(): number {
    return this.held.size;
  }

  row(row: number): Row | undefined {
    return this.held.get(Math.floor(row / PAGE))?.rows[row % PAGE];
  }

  /** Numbers of the pages between two rows. */
  static between(first: number, last: number): number[] {
    const pages: number[] = [];
    for (let page = Math.floor(Math.max(0, first) / PAGE); page * PAGE <= last; page++) pages.push(page);
    return pages;
  }

  has(page: number, revision: number, count: number): boolean {
    const held = this.held.get(page);
    return held !== undefined && held.revision >= revision && held.rows.length >= Math.min(PAGE, count - page * PAGE);
  }

  isComing(page: number): boolean {
    return this.coming.has(page);
  }

  get underWay(): number {
    return this.coming.size;
  }

  /** Asks for a page without holding it yet; one that is already on its way is not asked for twice. */
  fetch(page: number, count: number): Promise<Page> {
    const known = this.coming.get(page);
    if (known) return known;
    const { coming } = this;
    const promise = fetchPage(this.ask, page, count).finally(() => coming.delete(page));
    coming.set(page, promise);
    return promise;
  }

  /** What is on its way belongs to another session. */
  forgetComing(): void {
    this.coming = new Map();
  }

  hold(page: number, value: Page): void {
    this.held.set(page, reuse(this.held.get(page), value));
  }

  /** Lets go of pages that are further than `distance` pages from those between the two rows. */
  trim(first: number, last: number, distance: number): void {
    const low = Math.floor(first / PAGE) - distance;
    const high = Math.floor(last / PAGE) + distance;
    for (const page of [...this.held.keys()]) if (page < low || page > high) this.held.delete(page);
  }

  clear(): void {
    this.held = new Map();
  }
}
