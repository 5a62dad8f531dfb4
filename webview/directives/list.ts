import type { Directive, InspectorView } from '../../extension/protocol';
import type { Ask } from '../state/ask';
import { createStore, type Store } from '../state/store';

export interface DirectivesState {
  /** Null: not there yet. */
  readonly directives: readonly Directive[] | null;
  readonly fault: string | null;
}

export interface DirectivesStore {
  readonly state: Store<DirectivesState>;
  /** Catches up with a view: asks again when anything about directives may have changed. */
  readonly show: (view: InspectorView) => void;
  readonly reload: () => void;
}

interface Options {
  readonly ask: Ask;
  readonly announce: (text: string) => void;
}

const START = 80;

/** All directives of the session, asked for again whenever its records changed; one request at a time. */
export function createDirectives({ ask, announce }: Options): DirectivesStore {
  const state = createStore<DirectivesState>({ directives: null, fault: null });
  let session: string | null = null;
  let seen = '';
  let asking = false;
  let again = false;

  const tell = (before: readonly Directive[], now: readonly Directive[]): void => {
    const states = new Map(before.map((directive) => [directive.reminder_id, directive.state]));
    for (const directive of now) {
      const was = states.get(directive.reminder_id);
      const arrived = directive.state === 'delivered' || directive.state === 'seen';
      if (arrived && (was === 'pending' || was === 'queued')) {
        announce(`Directive ${directive.state}: ${directive.body.slice(0, START)}`);
      }
    }
  };

  const load = (): void => {
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    again = false;
    const of = session;
    ask('directives', {}).then(
      ({ directives }) => {
        asking = false;
        if (of === session) {
          tell(state.get().directives ?? [], directives);
          state.set({ directives, fault: null });
        }
        if (again || of !== session) load();
      },
      (error: unknown) => {
        asking = false;
        state.set({ fault: error instanceof Error ? error.message : String(error) });
      },
    );
  };

  return {
    state,
    show(view) {
      const id = view.session?.id ?? null;
      const now = [
        view.directives.pending,
        view.directives.total,
        view.lifecycle.total,
        view.messages.raw,
        view.session?.status,
      ].join();
      if (id === session && now === seen) return;
      if (id !== session) state.set({ directives: null, fault: null });
      session = id;
      seen = now;
      if (id !== null) load();
    },
    reload: load,
  };
}
