/**
 * Where rows stand in the window. Nothing here knows the height of all rows: one row is the anchor, with its place in
 * the window, and everything else follows from it. So rows far away can come, go and change without moving what is
 * being read, and a million rows cost no more than a hundred.
 */
export interface Anchor {
  readonly row: number;
  /** Pixels from the top of the window down to the top of the row; negative when it has begun above. */
  readonly offset: number;
}

export interface Geometry {
  readonly count: number;
  /** Height of the window in pixels. */
  readonly window: number;
  /** Height of a row, measured or expected. */
  readonly height: (row: number) => number;
}

export interface Range {
  readonly first: number;
  /** The last row that is drawn; less than `first` when there are none. */
  readonly last: number;
}

/** The anchor with which the last row ends at the bottom of the window. */
export function endAnchor({ count, window, height }: Geometry): Anchor {
  let row = count;
  let offset = window;
  while (row > 0 && offset > 0) {
    row--;
    offset -= height(row);
  }
  return row === 0 ? { row: 0, offset: Math.min(0, offset) } : { row, offset };
}

/** Chooses the first row that is seen as the anchor, without moving anything. */
export function settle(anchor: Anchor, { count, height }: Geometry): Anchor {
  let { row, offset } = anchor;
  while (row > 0 && offset > 0) offset -= height(--row);
  while (row < count - 1 && offset + height(row) <= 0) offset += height(row++);
  return { row, offset };
}

/** Keeps the window within the rows: no gap above the first, none below the last. */
export function clamp(anchor: Anchor, geometry: Geometry): Anchor {
  const { count, window, height } = geometry;
  if (count === 0) return { row: 0, offset: 0 };
  const at = settle({ row: Math.min(Math.max(0, anchor.row), count - 1), offset: anchor.offset }, geometry);
  if (at.row === 0 && at.offset > 0) return clamp({ row: 0, offset: 0 }, geometry);
  let bottom = at.offset;
  for (let row = at.row; row < count && bottom < window; row++) bottom += height(row);
  return bottom < window ? endAnchor(geometry) : at;
}

/** The rows to draw: those in the window and about `over` pixels on both sides. */
export function rangeOf(anchor: Anchor, { count, window, height }: Geometry, over: number): Range {
  let first = Math.min(anchor.row, Math.max(0, count - 1));
  for (let top = anchor.offset; first > 0 && top > -over;) top -= height(--first);
  let last = anchor.row - 1;
  for (let bottom = anchor.offset; last < count - 1 && bottom < window + over;) bottom += height(++last);
  return { first, last };
}

/** How far down the transcript the window stands, 0 to 1, counted in rows. */
export function fractionOf(anchor: Anchor, { count, window, height }: Geometry, expected: number): number {
  const rows = Math.max(1, count - window / expected);
  return Math.min(1, Math.max(0, (anchor.row - anchor.offset / height(anchor.row)) / rows));
}

/** The other way round: the anchor for a place between 0 and 1. */
export function anchorAt(fraction: number, geometry: Geometry, expected: number): Anchor {
  if (fraction >= 1) return endAnchor(geometry);
  const place = Math.max(0, fraction) * Math.max(1, geometry.count - geometry.window / expected);
  const row = Math.min(Math.floor(place), Math.max(0, geometry.count - 1));
  return clamp({ row, offset: -(place - row) * geometry.height(row) }, geometry);
}
