import { ChannelClosed, type InspectorView, type Row } from '../../extension/protocol';
import type { Ask } from '../state/ask';
import { createOpened, type Opened } from './opened';
import { type Goal, goalOf, loadAround, loadRange, NOWHERE } from './loading';
import { PAGE, Pages } from './pages';
import { Viewport } from './viewport';

/** Requests for pages that may be on their way at once. */
const AT_ONCE = 3;
/** Pages that are kept on both sides of the window. */
const KEPT = 4;
const SCREEN = 40;

/** The rows around the window, where the window stands, and what the person points at. */
export interface Transcript {
  readonly viewport: Viewport;
  readonly opened: Opened;
  readonly subscribe: (listener: () => void) => () => void;
  /** Rises whenever something must be drawn anew. */
  readonly version: () => number;
  /** False until the first rows, or the news that there are none, have arrived. */
  readonly started: boolean;
  readonly count: number;
  readonly row: (row: number) => Row | undefined;
  /** The row that keys act on. */
  readonly active: number | null;
  readonly activate: (row: number | null) => void;
  /** Rows that came since the end was last seen. */
  readonly added: number;
  /** Why rows are missing; null: nothing failed. */
  readonly fault: string | null;
  /** True when every row in the window is there and belongs to the newest view. */
  readonly settled: boolean;
  readonly show: (view: InspectorView) => void;
  /** Shows a row as soon as it is there; until then the rows before stay. */
  readonly jump: (row: number) => void;
  /** Shows a raw message; resolves to false when the filter hides it. */
  readonly jumpToMessage: (message: number) => Promise<boolean>;
  readonly jumpToEnd: () => void;
  readonly retry: () => void;
  /** Called after drawing, before painting. */
  readonly drawn: () => void;
  readonly place: () => { readonly row: number; readonly follow: boolean };
  readonly dispose: () => void;
}

interface Options {
  readonly ask: Ask;
  readonly announce: (added: number) => void;
  readonly onMove: () => void;
  readonly from: { readonly row: number; readonly follow: boolean };
}

export function createTranscript({ ask, announce, onMove, from }: Options): Transcript {
  const pages = new Pages(ask);
  const opened = createOpened(ask);
  const listeners = new Set<() => void>();
  const tried = new Map<number, number>();
  let version = 0;
  let shown = NOWHERE;
  let goal = NOWHERE;
  let busy = false;
  let closed = false;
  let active: number | null = null;
  let atEndCount = 0;
  let fault: string | null = null;
  let jumps = 0;
  let later: number | null = null;
  let marking = false;

  const emit = (): void => {
    version++;
    for (const listener of [...listeners]) listener();
  };

  const viewport = new Viewport(() => {
    if (viewport.pinned) atEndCount = shown.count;
    want();
    emit();
    onMove();
  });
  viewport.pinned = from.follow;

  const fail = (error: unknown): void => {
    if (closed || error instanceof ChannelClosed) return;
    fault = error instanceof Error ? error.message : String(error);
    emit();
  };

  /** Asks for what is near the window and missing. */
  const want = (): void => {
    if (shown === NOWHERE || fault !== null) return;
    const { first, last } = viewport.range;
    const middle = (first + last) / 2 / PAGE;
    const near = Pages.between(first - PAGE / 2, Math.min(last + PAGE / 2, shown.count - 1))
      .filter((page) => !pages.has(page, shown.revision, shown.count) && !pages.isComing(page))
      .filter((page) => tried.get(page) !== goal.revision)
      .sort((a, b) => Math.abs(a + 0.5 - middle) - Math.abs(b + 0.5 - middle));
    for (const page of near.slice(0, Math.max(0, AT_ONCE - pages.underWay))) {
      const of = shown.identity;
      const revision = goal.revision;
      pages.fetch(page, shown.count).then((value) => {
        if (closed || of !== shown.identity) return;
        if (value.revision <= revision) tried.set(page, revision);
        const { first: low, last: high } = viewport.range;
        if (page >= Math.floor(low / PAGE) - KEPT && page <= Math.floor(high / PAGE) + KEPT) pages.hold(page, value);
        pages.trim(low, high, KEPT);
        want();
        emit();
      }, fail);
    }
  };

  /** Loads the rows of a new view around what is being read, and only then changes what is on screen. */
  const advance = async (to: Goal): Promise<void> => {
    const fresh = to.identity !== shown.identity;
    const screen = Math.max(SCREEN, viewport.range.last - viewport.range.first + 1);
    const start = shown === NOWHERE ? from.row : 0;
    const row = fresh ? start : viewport.anchor.row;
    const { loaded, shift } = await loadAround({
      pages,
      ask,
      to,
      row,
      known: fresh || viewport.pinned ? undefined : pages.row(row),
      grown: to.count - shown.count,
      around: (at) =>
        viewport.pinned ? [to.count - screen, to.count] : [Math.min(at, to.count - 1) - screen / 2, at + screen],
    });
    if (closed || goal.identity !== to.identity) return;
    const grown = to.count - shown.count;
    if (fresh) {
      pages.clear();
      opened.clear();
      tried.clear();
      active = null;
    }
    if (fresh || to.choice !== shown.choice) atEndCount = to.count;
    else if (grown > 0) announce(grown);
    if (fresh || shift !== 0) viewport.forget();
    if (active !== null) active = to.count === 0 ? null : Math.min(Math.max(0, active + shift), to.count - 1);
    for (const [page, value] of loaded) pages.hold(page, value);
    shown = to;
    atEndCount = Math.min(atEndCount, to.count);
    // The person may have scrolled meanwhile: what counts is where the window is now.
    const { anchor } = viewport;
    viewport.resize(to.count, fresh ? { row: start, offset: 0 } : { row: anchor.row + shift, offset: anchor.offset });
    pages.trim(viewport.range.first, viewport.range.last, KEPT);
  };

  const catchUp = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      while (!closed && (shown.revision !== goal.revision || shown.identity !== goal.identity)) await advance(goal);
    } catch (error) {
      fail(error);
    } finally {
      busy = false;
    }
    if (later === null || closed) return;
    const row = later;
    later = null;
    transcript.jump(row);
  };

  const begin = (): number => {
    performance.clearMarks('inspector.jump');
    performance.mark('inspector.jump');
    marking = true;
    return ++jumps;
  };

  const arrive = (row: number): void => {
    viewport.pinned = false;
    active = row;
    viewport.go({ row, offset: Math.min(120, viewport.window / 4) });
  };

  const transcript: Transcript = {
    viewport,
    opened,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
    get started() {
      return shown !== NOWHERE;
    },
    get count() {
      return shown.count;
    },
    row: (row) => pages.row(row),
    get active() {
      return active;
    },
    activate(row) {
      if (row === active) return;
      active = row;
      emit();
    },
    get added() {
      return viewport.pinned ? 0 : Math.max(0, shown.count - atEndCount);
    },
    get fault() {
      return fault;
    },
    get settled() {
      if (shown === NOWHERE || shown.revision !== goal.revision) return false;
      const { first, last } = viewport.seen();
      for (let row = first; row <= last; row++) if (!pages.row(row)) return false;
      return true;
    },
    show(view) {
      const next = goalOf(view);
      if (next.identity !== goal.identity) pages.forgetComing();
      goal = next;
      fault = null;
      void catchUp();
    },
    jump(row) {
      const jump = begin();
      if (busy) {
        later = row;
        return;
      }
      const to = Math.min(Math.max(0, row), Math.max(0, shown.count - 1));
      const around: readonly [number, number] = [to - SCREEN / 4, Math.min(to + SCREEN, shown.count - 1)];
      if (Pages.between(...around).every((page) => pages.has(page, shown.revision, shown.count))) {
        arrive(to);
        return;
      }
      const of = shown;
      loadRange(pages, ...around, shown).then((loaded) => {
        if (closed || jump !== jumps || of.identity !== shown.identity) return;
        for (const [page, value] of loaded) pages.hold(page, value);
        arrive(to);
        pages.trim(viewport.range.first, viewport.range.last, KEPT);
      }, fail);
    },
    async jumpToMessage(message) {
      try {
        const { row } = await ask('locate', { message });
        if (row === null) return false;
        transcript.jump(row);
      } catch (error) {
        fail(error);
      }
      return true;
    },
    jumpToEnd() {
      const jump = begin();
      loadRange(pages, shown.count - SCREEN, shown.count - 1, shown).then((loaded) => {
        if (closed || jump !== jumps) return;
        for (const [page, value] of loaded) pages.hold(page, value);
        active = active === null ? null : shown.count - 1;
        viewport.goEnd();
        pages.trim(viewport.range.first, viewport.range.last, KEPT);
      }, fail);
    },
    retry() {
      fault = null;
      tried.clear();
      emit();
      want();
      void catchUp();
    },
    drawn() {
      viewport.place();
      if (viewport.pinned) atEndCount = shown.count;
      if (!marking || !transcript.settled) return;
      marking = false;
      performance.clearMarks('inspector.rows');
      performance.mark('inspector.rows');
    },
    place: () => ({ row: viewport.anchor.row, follow: viewport.pinned }),
    dispose() {
      closed = true;
      listeners.clear();
    },
  };
  return transcript;
}
