import type { InspectorView, Row } from '../../extension/protocol';
import type { Ask } from '../state/ask';
import { type Page, PAGE, Pages } from './pages';

/** What of a view decides which rows there are. */
export interface Goal {
  /** The session and its lane. */
  readonly identity: string;
  readonly revision: number;
  readonly count: number;
  /** What the rows depend on; when it changed, other rows are not "new". */
  readonly choice: string;
}

export const NOWHERE: Goal = { identity: '', revision: -1, count: 0, choice: '' };

export type Loaded = ReadonlyMap<number, Page>;

/** How often a page is asked for when the host answers with rows of an older view. */
const ATTEMPTS = 3;

export function goalOf(view: InspectorView): Goal {
  const { policy, options } = view.projection;
  return {
    identity: JSON.stringify([view.session?.id ?? null, view.lane]),
    revision: view.revision,
    count: view.session === null ? 0 : view.rows.count,
    choice: JSON.stringify([view.filter, view.turn.shown, policy, options]),
  };
}

/** The pages with the rows from `first` to `last`, of the wanted view or a newer one; none is held yet. */
export async function loadRange(pages: Pages, first: number, last: number, to: Goal): Promise<Loaded> {
  const loaded = new Map<number, Page>();
  const load = async (page: number): Promise<void> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const value = await pages.fetch(page, to.count);
      loaded.set(page, value);
      if (value.revision >= to.revision) return;
    }
  };
  await Promise.all(Pages.between(first, Math.min(last, to.count - 1)).map(load));
  return loaded;
}

function find(loaded: Loaded, key: string): number | null {
  for (const [page, { rows }] of loaded) {
    const at = rows.findIndex((row) => row.key === key);
    if (at >= 0) return page * PAGE + at;
  }
  return null;
}

interface Around {
  readonly pages: Pages;
  readonly ask: Ask;
  readonly to: Goal;
  /** Where the window stands. */
  readonly row: number;
  /** What stands there now; undefined: nothing that must stay in place. */
  readonly known: Row | undefined;
  /** Rows that are there more than before. */
  readonly grown: number;
  /** First and last row to load for a window at this row. */
  readonly around: (row: number) => readonly [number, number];
}

/** Loads the rows around what is being read, and says by how many rows it has moved in the new view. */
export async function loadAround(options: Around): Promise<{ readonly loaded: Loaded; readonly shift: number }> {
  const { pages, ask, to, row, known, grown, around } = options;
  const loaded = await loadRange(pages, ...around(row), to);
  if (!known) return { loaded, shift: 0 };
  const here = find(loaded, known.key);
  if (here !== null) return { loaded, shift: here - row };
  if (grown > 0) {
    // Rows may have come before it: at first only the end of a big session is known.
    const fromEnd = await loadRange(pages, ...around(row + grown), to);
    const there = find(fromEnd, known.key);
    if (there !== null) return { loaded: fromEnd, shift: there - row };
  }
  if (known.message === null) return { loaded, shift: 0 };
  const { row: there } = await ask('locate', { message: known.message });
  if (there === null) return { loaded, shift: 0 };
  return { loaded: await loadRange(pages, ...around(there), to), shift: there - row };
}
