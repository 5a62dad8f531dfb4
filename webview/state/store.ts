import { useSyncExternalStore } from 'react';

/** A value that tells its listeners when it changes. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (change: Partial<T>) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createStore<T extends object>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(change) {
      value = { ...value, ...change };
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T extends object>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** A part of a store's value; draws again only when that part is another one. */
export function usePart<T extends object, P>(store: Store<T>, part: (value: T) => P): P {
  return useSyncExternalStore(store.subscribe, () => part(store.get()));
}
