import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

interface ListOptions {
  readonly count: number;
  /** Height of every row in pixels. */
  readonly height: number;
  readonly scroller: RefObject<HTMLElement | null>;
}

/** The rows in sight of a long list whose rows are all of one height. */
export function useList({ count, height, scroller }: ListOptions) {
  // The warning is about a compiler that is not used here.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
    initialRect: { width: 800, height: 600 },
  });
  return {
    items: virtualizer.getVirtualItems(),
    size: virtualizer.getTotalSize(),
    reveal: (row: number) => virtualizer.scrollToIndex(row, { align: 'auto' }),
  };
}
