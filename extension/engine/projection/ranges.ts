import type { Json } from '../transcript/message';

/** Increasing indices as runs `[first, last]`, both included: the form in which a log keeps them. */
export type Ranges = readonly (readonly [first: number, last: number])[];

/** The runs of increasing indices. */
export function toRanges(indices: readonly number[]): Ranges {
  const ranges: [number, number][] = [];
  for (const index of indices) {
    const run = ranges.at(-1);
    if (run !== undefined && index === run[1] + 1) {
      run[1] = index;
    } else {
      ranges.push([index, index]);
    }
  }
  return ranges;
}

/** The indices that runs stand for. */
export function fromRanges(ranges: Ranges): readonly number[] {
  const indices: number[] = [];
  for (const [first, last] of ranges) {
    for (let index = first; index <= last; index++) {
      indices.push(index);
    }
  }
  return indices;
}

/**
 * Increasing indices below `length` as a log gives them, listed or as runs; null for anything else.
 */
export function readIndices(value: Json | undefined, length: number): readonly number[] | null {
  if (!Array.isArray(value)) {
    return null;
  }
  const indices: number[] = [];
  let next = 0;
  for (const item of value as readonly Json[]) {
    const [first, last] = (Array.isArray(item) ? item : [item, item]) as readonly Json[];
    if (!isIndex(first) || !isIndex(last) || first < next || last < first || last >= length) {
      return null;
    }
    for (let index = first; index <= last; index++) {
      indices.push(index);
    }
    next = last + 1;
  }
  return indices;
}

function isIndex(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
