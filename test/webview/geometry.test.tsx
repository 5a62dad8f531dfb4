import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Anchor,
  anchorAt,
  clamp,
  endAnchor,
  fractionOf,
  type Geometry,
  rangeOf,
  settle,
} from '../../webview/rows/geometry';
import { runs, seedOf } from '../support/random';

const EXPECTED = 52;

interface Case {
  readonly geometry: Geometry;
  readonly anchor: Anchor;
}

/** Few rows of any height, a window of any height, and an anchor anywhere. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    heights: fc.array(fc.integer({ min: 20, max: 900 }), { minLength: 1, maxLength: 60 }),
    window: fc.integer({ min: 100, max: 1200 }),
    row: fc.nat(70),
    offset: fc.integer({ min: -5000, max: 5000 }),
  })
  .map(({ heights, window, row, offset }) => ({
    geometry: { count: heights.length, window, height: (at) => heights[at] ?? EXPECTED },
    anchor: { row: Math.min(row, heights.length - 1), offset },
  }));

/** Top of a row when the anchor stands where it stands. */
function topOf(row: number, anchor: Anchor, { height }: Geometry): number {
  let top = anchor.offset;
  for (let at = anchor.row; at < row; at++) top += height(at);
  for (let at = anchor.row - 1; at >= row; at--) top -= height(at);
  return top;
}

const bottomOf = (anchor: Anchor, geometry: Geometry): number => topOf(geometry.count, anchor, geometry);

/** Checks a law for many cases; a failure prints the seed and the smallest case. */
function checkLaw(law: (found: Case) => void): void {
  fc.assert(fc.property(cases, law), { seed: seedOf(20_260), numRuns: runs(500) });
}

describe('the window on the rows', () => {
  it('does not move when another row becomes the anchor', () =>
    checkLaw(({ geometry, anchor }) => {
      expect(topOf(0, settle(anchor, geometry), geometry)).toBe(topOf(0, anchor, geometry));
    }));

  it('has no gap above the first row and none below the last, unless all rows fit', () =>
    checkLaw(({ geometry, anchor }) => {
      const at = clamp(anchor, geometry);
      expect(topOf(0, at, geometry)).toBeLessThanOrEqual(0);
      const fits = bottomOf(at, geometry) - topOf(0, at, geometry) <= geometry.window;
      if (fits) expect(topOf(0, at, geometry)).toBe(0);
      else expect(bottomOf(at, geometry)).toBeGreaterThanOrEqual(geometry.window);
    }));

  it('stays where it is when it is within the rows', () =>
    checkLaw(({ geometry, anchor }) => {
      const once = clamp(anchor, geometry);
      expect(clamp(once, geometry)).toEqual(once);
    }));

  it('draws all that is seen, and the rows around it', () =>
    checkLaw(({ geometry, anchor }) => {
      const at = clamp(anchor, geometry);
      for (const over of [0, 300]) {
        const { first, last } = rangeOf(at, geometry, over);
        if (first > 0) expect(topOf(first, at, geometry)).toBeLessThanOrEqual(-over);
        if (last < geometry.count - 1)
          expect(topOf(last + 1, at, geometry)).toBeGreaterThanOrEqual(geometry.window + over);
      }
    }));

  it('ends with the last row at the end', () =>
    checkLaw(({ geometry }) => {
      const end = endAnchor(geometry);
      const whole = bottomOf(end, geometry) - topOf(0, end, geometry);
      expect(bottomOf(end, geometry)).toBe(Math.min(whole, geometry.window));
    }));

  it('comes back to its place by its share of the rows, give or take a pixel', () =>
    checkLaw(({ geometry, anchor }) => {
      const at = clamp(anchor, geometry);
      const fraction = fractionOf(at, geometry, EXPECTED);
      if (fraction <= 0 || fraction >= 1) return;
      const back = anchorAt(fraction, geometry, EXPECTED);
      expect(Math.abs(topOf(at.row, back, geometry) - at.offset)).toBeLessThan(1);
    }));

  it.each([
    { title: 'the beginning', fraction: 0, row: 0 },
    { title: 'the middle', fraction: 0.5, row: 499_993 },
    { title: 'the end', fraction: 1, row: 999_987 },
  ])('finds $title of a million rows', ({ fraction, row }) => {
    const geometry = { count: 1_000_000, window: 640, height: () => EXPECTED };
    expect(anchorAt(fraction, geometry, EXPECTED).row).toBe(row);
  });

  it('copes with no rows at all', () => {
    const geometry = { count: 0, window: 640, height: () => EXPECTED };
    expect(clamp({ row: 3, offset: 9 }, geometry)).toEqual({ row: 0, offset: 0 });
    expect(rangeOf({ row: 0, offset: 0 }, geometry, 100)).toEqual({ first: 0, last: -1 });
  });
});
