import type { LifecycleFilter, LifecycleRow } from '../../extension/protocol';
import type { Ask } from '../state/ask';
import { createStore, type Store } from '../state/store';

export const RECORDS_PAGE = 100;
const KEPT = 3;

export interface RecordsState {
  /** Null: not there yet. */
  readonly total: number | null;
  readonly kinds: readonly string[];
  readonly pages: ReadonlyMap<number, readonly LifecycleRow[]>;
  readonly filter: LifecycleFilter;
  readonly fault: string | null;
}

export interface Records {
  readonly state: Store<RecordsState>;
  readonly filter: (change: Partial<LifecycleFilter>) => void;
  /** Asks for what is missing between two rows. */
  readonly want: (first: number, last: number) => void;
  /** The log has grown: asks again for what is in sight, which stays until then. */
  readonly renew: () => void;
}

export const ALL_RECORDS: LifecycleFilter = { kinds: [], reminder_id: null, since_ms: null, until_ms: null };

export function createRecords(ask: Ask): Records {
  const state = createStore<RecordsState>({
    total: null,
    kinds: [],
    pages: new Map(),
    filter: ALL_RECORDS,
    fault: null,
  });
  const coming = new Set<number>();
  let stale = new Set<number>();
  let generation = 0;
  let sight: readonly [number, number] = [0, RECORDS_PAGE - 1];

  const load = (page: number): void => {
    if (coming.has(page)) return;
    coming.add(page);
    const mine = generation;
    const { filter } = state.get();
    ask('lifecycle', { filter, start: page * RECORDS_PAGE, count: RECORDS_PAGE }).then(
      ({ total, kinds, rows }) => {
        if (mine !== generation) return;
        coming.delete(page);
        stale.delete(page);
        const pages = new Map(state.get().pages).set(page, rows);
        const [low, high] = sight.map((row) => Math.floor(row / RECORDS_PAGE)) as [number, number];
        for (const held of pages.keys()) if (held < low - KEPT || held > high + KEPT) pages.delete(held);
        state.set({ total, kinds, pages, fault: null });
      },
      (error: unknown) => {
        if (mine !== generation) return;
        coming.delete(page);
        state.set({ fault: error instanceof Error ? error.message : String(error) });
      },
    );
  };

  const want = (first: number, last: number): void => {
    sight = [first, last];
    const { pages, total } = state.get();
    for (let page = Math.floor(first / RECORDS_PAGE); page * RECORDS_PAGE <= last; page++) {
      if (total !== null && page > 0 && page * RECORDS_PAGE >= total) break;
      if (!pages.has(page) || stale.has(page)) load(page);
    }
  };

  return {
    state,
    want,
    filter(change) {
      generation++;
      coming.clear();
      stale = new Set();
      state.set({ filter: { ...state.get().filter, ...change }, pages: new Map(), total: null });
      want(0, RECORDS_PAGE - 1);
    },
    renew() {
      stale = new Set(state.get().pages.keys());
      want(...sight);
    },
  };
}
