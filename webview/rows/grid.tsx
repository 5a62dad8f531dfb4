import { type CSSProperties, useCallback, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useInspector } from '../state/context';
import { usePart } from '../state/store';
import { Link } from '../ui/link';
import { Menu } from '../ui/menu';
import { count } from '../words';
import { actionsOf } from './actions';
import { pressKey } from './keys';
import { type Columns, PendingRow, rowId, RowView } from './row';

/** Marks the texts that did not fit into three lines. All reading first, so that layout is worked out once. */
function markCut(rows: HTMLElement): void {
  const cut: [HTMLElement, boolean][] = [];
  for (const long of rows.querySelectorAll<HTMLElement>('.long:not(.open):not([data-cut="text"])')) {
    const clamp = long.firstElementChild;
    if (clamp) cut.push([long, clamp.scrollHeight > clamp.clientHeight + 1]);
  }
  for (const [long, is] of cut) {
    if (is) long.dataset.cut = 'lines';
    else delete long.dataset.cut;
  }
}

/** The aligned rows: a window that scrolls over all of them and holds those in sight. */
export function Grid({ columns, index: width }: { readonly columns: Columns; readonly index: CSSProperties }) {
  const inspector = useInspector();
  const { transcript, search } = inspector;
  const query = usePart(search.state, (state) => state.query);
  useSyncExternalStore(transcript.subscribe, transcript.version);
  const scroller = useRef<HTMLDivElement>(null);
  const spacer = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const within = useRef(false);
  const [menu, setMenu] = useState<{
    readonly index: number;
    readonly anchor: { readonly current: HTMLElement };
  } | null>(null);
  const { first, last } = transcript.viewport.range;

  useLayoutEffect(() => {
    if (!scroller.current || !spacer.current || !rows.current) return undefined;
    return transcript.viewport.attach({ scroller: scroller.current, spacer: spacer.current, rows: rows.current });
  }, [transcript]);

  useLayoutEffect(() => {
    if (rows.current) markCut(rows.current);
    transcript.drawn();
    // A control that scrolled away takes the keyboard with it; the list takes it back.
    if (within.current && document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
  });

  const openMenu = useCallback(
    (index: number, anchor: HTMLElement) => setMenu({ index, anchor: { current: anchor } }),
    [],
  );
  const closeMenu = useCallback(() => setMenu(null), []);
  const menuRow = menu && transcript.row(menu.index);

  const drawn = [];
  for (let index = first; index <= Math.min(last, transcript.count - 1); index++) {
    const row = transcript.row(index);
    const active = index === transcript.active;
    drawn.push(
      row ? (
        <RowView
          key={row.key}
          row={row}
          index={index}
          active={active}
          columns={columns}
          query={query}
          onMenu={openMenu}
        />
      ) : (
        <PendingRow key={`waiting-${index}`} index={index} active={active} />
      ),
    );
  }

  const shown = transcript.active !== null && transcript.active >= first && transcript.active <= last;
  return (
    <div className="grid-frame" style={width}>
      <div
        className="grid"
        data-columns={columns}
        data-settled={transcript.settled}
        role="grid"
        aria-label="Transcript"
        aria-rowcount={transcript.count}
        aria-colcount={columns === 'both' ? 3 : 2}
        aria-busy={!transcript.settled}
        aria-activedescendant={shown ? rowId(transcript.active ?? 0) : undefined}
        tabIndex={0}
        ref={scroller}
        onFocus={(event) => {
          within.current = true;
          if (event.target === event.currentTarget && transcript.active === null && transcript.count > 0) {
            transcript.activate(transcript.viewport.seen().first);
          }
        }}
        onBlur={(event) => {
          within.current = event.relatedTarget !== null && event.currentTarget.contains(event.relatedTarget);
        }}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget) {
            if (event.key === 'Escape') event.currentTarget.focus({ preventScroll: true });
            return;
          }
          const openAt = (index: number): void => {
            const anchor = document
              .getElementById(rowId(index))
              ?.querySelector<HTMLElement>('.action-bar button:last-child');
            if (anchor) openMenu(index, anchor);
          };
          if (pressKey(inspector, event, openAt)) event.preventDefault();
        }}
        onClick={(event) => {
          const row = (event.target as Element).closest<HTMLElement>('[data-row]');
          if (row) transcript.activate(Number(row.dataset.row));
        }}
      >
        <div className="spacer" role="presentation" ref={spacer}>
          <div className="rows" role="rowgroup" ref={rows}>
            {drawn}
          </div>
        </div>
      </div>
      {transcript.added > 0 && (
        <button type="button" className="pill" onClick={() => transcript.jumpToEnd()}>
          {transcript.added} new
        </button>
      )}
      {transcript.fault !== null && (
        <div className="row-fault" role="alert">
          {count(transcript.count, 'row')} cannot be shown just now: {transcript.fault}{' '}
          <Link onClick={() => transcript.retry()}>Try again</Link>
        </div>
      )}
      {menu && menuRow && (
        <Menu
          label="Actions of this row"
          items={actionsOf(menuRow, inspector)}
          anchor={menu.anchor}
          onClose={closeMenu}
        />
      )}
    </div>
  );
}
