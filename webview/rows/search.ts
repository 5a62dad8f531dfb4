import type { Ask } from '../state/ask';
import { createStore, type Store } from '../state/store';
import type { Transcript } from './transcript';

export interface SearchState {
  /** What is written in the box. */
  readonly text: string;
  /** What was last searched for; it is marked in the rows. */
  readonly query: string;
  readonly matches: number;
  /** Number of the match that is shown, from 1; 0: none. */
  readonly position: number;
  readonly wrapped: boolean;
  readonly status: 'idle' | 'searching' | 'done';
  readonly fault: string | null;
}

export interface Search {
  readonly state: Store<SearchState>;
  readonly write: (text: string) => void;
  /** Goes to the next match, or the previous one. */
  readonly go: (backwards: boolean) => void;
  readonly clear: () => void;
}

const NOTHING: SearchState = {
  text: '',
  query: '',
  matches: 0,
  position: 0,
  wrapped: false,
  status: 'idle',
  fault: null,
};

export function createSearch({ ask, transcript }: { ask: Ask; transcript: Transcript }): Search {
  const state = createStore(NOTHING);
  let asked = 0;
  let at: number | null = null;
  return {
    state,
    write: (text) => state.set(text === '' ? NOTHING : { text, status: 'idle', fault: null }),
    go(backwards) {
      const { text, query } = state.get();
      if (text === '' || transcript.count === 0) return;
      const mine = ++asked;
      const seen = transcript.viewport.seen();
      const last = transcript.count - 1;
      const again = text === query && at !== null;
      const step = backwards ? -1 : 1;
      const start = again && at !== null ? at + step : backwards ? seen.last : seen.first;
      const from = start < 0 ? last : start > last ? 0 : start;
      state.set({ query: text, status: 'searching', fault: null });
      ask('search', { text, from, backwards }).then(
        ({ row, wrapped, matches, position }) => {
          if (mine !== asked) return;
          at = row;
          const around = again && (start < 0 || start > last);
          state.set({ matches, position, wrapped: wrapped || around, status: 'done' });
          if (row !== null) transcript.jump(row);
        },
        (error: unknown) => {
          if (mine !== asked) return;
          state.set({ status: 'idle', fault: error instanceof Error ? error.message : String(error) });
        },
      );
    },
    clear() {
      asked++;
      at = null;
      state.set(NOTHING);
    },
  };
}
