import { type Anchor, anchorAt, clamp, endAnchor, fractionOf, type Geometry, type Range, rangeOf } from './geometry';

/** Height that a row is expected to have until one was measured, in pixels. */
const EXPECTED = 52;
/** Chromium ends at about 33.5 million pixels; beyond this the scroll bar is scaled. */
const TALLEST = 8_000_000;
/** Drawn beyond the window, in pixels. */
const OVER = 480;
const IDLE_MS = 160;
/** Heights that are remembered at most. */
const REMEMBERED = 20_000;
/** A test's document has no layout. */
const FALLBACK_WINDOW = 640;
const EPSILON = 0.5;

/** The elements that the viewport moves. */
export interface Stage {
  /** What scrolls. */
  readonly scroller: HTMLElement;
  /** As tall as all rows together, or scaled. */
  readonly spacer: HTMLElement;
  /** Holds the drawn rows, each with its number in `data-row`. */
  readonly rows: HTMLElement;
}

/**
 * Places a window on very many rows of unknown height. The scroll bar says where the window is; the rows themselves
 * follow from the anchor. Small steps move by pixels; a jump of the scroll bar goes to its share of the rows.
 */
export class Viewport {
  private stage: Stage | null = null;
  private observer: ResizeObserver | null = null;
  private heights = new Map<number, number>();
  private measured = 0;
  private lastTop = 0;
  private travel = 0;
  private idle: ReturnType<typeof setTimeout> | null = null;
  private aligning = true;
  private top = 0;
  private bottom = 0;

  anchor: Anchor = { row: 0, offset: 0 };
  /** At the end, and staying there when rows are added. */
  pinned = false;
  count = 0;
  range: Range = { first: 0, last: -1 };

  /** `onChange` is told when other rows are to be drawn or the place changed. */
  constructor(private readonly onChange: () => void) {}

  /** Pixels of the window. */
  get window(): number {
    return this.stage?.scroller.clientHeight || FALLBACK_WINDOW;
  }

  private get expected(): number {
    return this.heights.size > 8 ? this.measured / this.heights.size : EXPECTED;
  }

  private geometry(): Geometry {
    const expected = this.expected;
    return { count: this.count, window: this.window, height: (row) => this.heights.get(row) ?? expected };
  }

  attach(stage: Stage): () => void {
    this.stage = stage;
    this.aligning = true;
    const scroll = (): void => this.scrolled();
    stage.scroller.addEventListener('scroll', scroll, { passive: true });
    if (typeof ResizeObserver !== 'undefined') {
      this.observer = new ResizeObserver(() => this.place());
      this.observer.observe(stage.scroller);
      this.observer.observe(stage.rows);
    }
    this.place();
    return () => {
      stage.scroller.removeEventListener('scroll', scroll);
      this.observer?.disconnect();
      this.observer = null;
      if (this.idle !== null) clearTimeout(this.idle);
      this.idle = null;
      this.stage = null;
    };
  }

  /** Other rows stand where those measured stood. */
  forget(): void {
    this.heights.clear();
    this.measured = 0;
  }

  /** Sets how many rows there are; `anchor` says where the window stands among them. */
  resize(count: number, anchor: Anchor = this.anchor): void {
    this.count = count;
    this.go(anchor);
  }

  /** Moves the window. */
  go(anchor: Anchor): void {
    const geometry = this.geometry();
    this.anchor = this.pinned ? endAnchor(geometry) : clamp(anchor, geometry);
    this.aligning = true;
    this.range = rangeOf(this.anchor, geometry, OVER);
    this.onChange();
  }

  goEnd(): void {
    this.pinned = true;
    this.go(this.anchor);
  }

  /** Moves by pixels, as a key does. */
  by(pixels: number): void {
    if (pixels < 0) this.pinned = false;
    this.go({ row: this.anchor.row, offset: this.anchor.offset - pixels });
    this.pinned = this.atEnd();
  }

  /** Moves just as far as is needed to see a row whole. */
  reveal(row: number): void {
    const box = this.boxOf(row);
    if (box === null) {
      this.pinned = false;
      this.go({ row, offset: this.window / 3 });
    } else if (box.top < 0) {
      this.by(box.top);
    } else if (box.bottom > this.window) {
      this.by(Math.min(box.top, box.bottom - this.window));
    }
  }

  /** Where a row near the window stands in it; null when it is far. */
  boxOf(row: number): { readonly top: number; readonly bottom: number } | null {
    if (row < this.range.first || row > this.range.last) return null;
    const { height } = this.geometry();
    let top = this.anchor.offset;
    for (let at = this.anchor.row; at < row; at++) top += height(at);
    for (let at = this.anchor.row - 1; at >= row; at--) top -= height(at);
    return { top, bottom: top + height(row) };
  }

  /** Numbers of the rows that are in the window, whole or in part. */
  seen(): Range {
    return rangeOf(this.anchor, this.geometry(), 0);
  }

  private atEnd(): boolean {
    const box = this.boxOf(this.count - 1);
    return box !== null && box.bottom <= this.window + 4;
  }

  private scrolled(): void {
    const stage = this.stage;
    if (!stage) return;
    const top = stage.scroller.scrollTop;
    const delta = top - this.lastTop;
    if (Math.abs(delta) < EPSILON) return;
    this.lastTop = top;
    const geometry = this.geometry();
    const far = Math.abs(delta) > geometry.window * 4 || (Math.abs(delta) > geometry.window && top <= 0);
    const drawn = top + geometry.window > this.top && top < this.bottom;
    if (far && !(drawn && top > 0)) {
      this.anchor = anchorAt(this.travel > 0 ? top / this.travel : 0, geometry, this.expected);
      this.aligning = true;
    } else {
      this.anchor = clamp({ row: this.anchor.row, offset: this.anchor.offset - delta }, geometry);
    }
    this.range = rangeOf(this.anchor, geometry, OVER);
    this.pinned = this.atEnd();
    if (this.idle !== null) clearTimeout(this.idle);
    this.idle = setTimeout(() => {
      this.idle = null;
      this.aligning = true;
      this.place();
    }, IDLE_MS);
    this.onChange();
  }

  private measure(rows: HTMLElement): void {
    if (this.heights.size > REMEMBERED) this.forget();
    for (const child of rows.children) {
      if (!(child instanceof HTMLElement) || child.dataset.row === undefined) continue;
      const row = Number(child.dataset.row);
      const height = child.getBoundingClientRect().height;
      if (height === 0) continue;
      this.measured += height - (this.heights.get(row) ?? 0);
      this.heights.set(row, height);
    }
  }

  /** Measures what is drawn and puts it where it belongs; called after every drawing, before it is painted. */
  place(): void {
    const stage = this.stage;
    if (!stage) return;
    this.measure(stage.rows);
    const geometry = this.geometry();
    this.anchor = this.pinned ? endAnchor(geometry) : clamp(this.anchor, geometry);
    const range = rangeOf(this.anchor, geometry, OVER);
    if (range.first < this.range.first || range.last > this.range.last) {
      this.range = range;
      this.onChange();
      return;
    }
    this.pinned ||= this.count > 0 && this.atEnd();
    this.align(stage, geometry);
  }

  private align(stage: Stage, geometry: Geometry): void {
    const { first, last } = this.range;
    let above = 0;
    for (let row = first; row < this.anchor.row; row++) above += geometry.height(row);
    let drawn = 0;
    for (let row = first; row <= last; row++) drawn += geometry.height(row);
    const whole = last === this.count - 1;
    const tall = Math.min(TALLEST, Math.max(this.count * this.expected, drawn));
    const current = stage.scroller.scrollTop;
    let top = current;
    if (first === 0) {
      top = above - this.anchor.offset;
    } else {
      const edge = current <= 0 || current >= this.travel - 1 || current + this.anchor.offset - above < 0;
      if (this.aligning || edge) top = fractionOf(this.anchor, geometry, this.expected) * (tall - geometry.window);
      top = Math.max(top, above - this.anchor.offset);
    }
    const wanted = top + this.anchor.offset - above;
    const size = whole ? wanted + drawn : Math.max(tall, wanted + drawn + geometry.window);
    stage.spacer.style.height = `${size}px`;
    if (Math.abs(current - top) > EPSILON) stage.scroller.scrollTop = top;
    this.lastTop = stage.scroller.scrollTop;
    const start = this.lastTop + this.anchor.offset - above;
    stage.rows.style.top = `${start}px`;
    this.aligning = false;
    this.top = start;
    this.bottom = start + drawn;
    this.travel = Math.max(0, size - geometry.window);
  }
}
