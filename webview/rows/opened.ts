import type { Ask } from '../state/ask';

/** One side of one block of one row. */
export interface BlockPlace {
  readonly key: string;
  readonly side: 'raw' | 'projected';
  readonly block: number;
}

/** A block that the person opened: the whole text as far as it was asked for. */
export interface OpenedBlock {
  readonly text: string;
  /** Where more text begins; null: that is all. */
  readonly next: number | null;
  readonly loading: boolean;
  readonly fault: string | null;
}

/** The blocks that are open; they stay open when they scroll out of sight. */
export interface Opened {
  readonly subscribe: (listener: () => void) => () => void;
  readonly get: (place: BlockPlace) => OpenedBlock | undefined;
  /** Opens with the text that is already there; asks for the rest when that was cut. */
  readonly open: (place: BlockPlace, text: string, cut: boolean) => void;
  readonly more: (place: BlockPlace) => void;
  readonly close: (place: BlockPlace) => void;
  readonly clear: () => void;
}

const idOf = ({ key, side, block }: BlockPlace): string => `${block}/${side}/${key}`;

export function createOpened(ask: Ask): Opened {
  const blocks = new Map<string, OpenedBlock>();
  const listeners = new Set<() => void>();
  const set = (place: BlockPlace, value: OpenedBlock | null): void => {
    if (value) blocks.set(idOf(place), value);
    else blocks.delete(idOf(place));
    for (const listener of [...listeners]) listener();
  };
  const load = (place: BlockPlace, from: OpenedBlock, offset: number): void => {
    set(place, { ...from, loading: true, fault: null });
    ask('body', { ...place, offset }).then(
      ({ text, next }) => {
        if (!blocks.has(idOf(place))) return;
        const before = offset === 0 ? '' : from.text;
        set(place, { text: before + text, next, loading: false, fault: null });
      },
      (error: unknown) => {
        if (!blocks.has(idOf(place))) return;
        set(place, { ...from, loading: false, fault: error instanceof Error ? error.message : String(error) });
      },
    );
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: (place) => blocks.get(idOf(place)),
    open(place, text, cut) {
      const start: OpenedBlock = { text, next: cut ? 0 : null, loading: false, fault: null };
      if (cut) load(place, start, 0);
      else set(place, start);
    },
    more(place) {
      const block = blocks.get(idOf(place));
      if (block && block.next !== null && !block.loading) load(place, block, block.next);
    },
    close: (place) => set(place, null),
    clear() {
      blocks.clear();
      for (const listener of [...listeners]) listener();
    },
  };
}
