import { createStore, type Store } from './store';
import { count } from '../words';

/** What screen readers are told; several things at once become one sentence. */
export interface Announcer {
  readonly state: Store<{ readonly text: string }>;
  readonly say: (text: string) => void;
  readonly rows: (added: number) => void;
  readonly dispose: () => void;
}

const BATCH_MS = 1000;

export function createAnnouncer(): Announcer {
  const state = createStore({ text: '' });
  let texts: string[] = [];
  let added = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const later = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      const all = added > 0 ? [count(added, 'new row'), ...texts] : texts;
      texts = [];
      added = 0;
      state.set({ text: all.join('. ') });
    }, BATCH_MS);
  };
  return {
    state,
    say(text) {
      if (!texts.includes(text)) texts.push(text);
      later();
    },
    rows(more) {
      added += more;
      later();
    },
    dispose() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
