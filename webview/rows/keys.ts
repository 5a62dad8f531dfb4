import type { Row } from '../../extension/protocol';
import { isCut } from '../blocks/long';
import type { Inspector } from '../state/inspector';
import { actionsOf } from './actions';
import type { BlockPlace } from './opened';
import { rowId } from './row';

const MOVES: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End']);

function move({ transcript }: Inspector, key: string): void {
  const { viewport, count } = transcript;
  if (count === 0) return;
  if (key === 'End') {
    transcript.activate(count - 1);
    transcript.jumpToEnd();
    return;
  }
  if (key === 'Home') {
    transcript.jump(0);
    return;
  }
  const page = Math.max(1, viewport.seen().last - viewport.seen().first - 1);
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[key] ?? 0;
  const from = transcript.active;
  const seen = viewport.seen();
  // A row that was scrolled out of sight is not gone back to: the cursor starts where the eye is.
  const start = from === null || from < seen.first - 1 || from > seen.last + 1 ? seen.first - Math.sign(step) : from;
  const to = Math.min(count - 1, Math.max(0, start + step));
  transcript.activate(to);
  viewport.reveal(to);
}

function placesOf(row: Row): { place: BlockPlace; text: string; cut: boolean }[] {
  const places: { place: BlockPlace; text: string; cut: boolean }[] = [];
  for (const side of ['raw', 'projected'] as const) {
    row[side]?.blocks.forEach((block, number) => {
      if (block.kind === 'pointer' || block.kind === 'image' || block.text === '') return;
      places.push({
        place: { key: row.key, side, block: number },
        text: block.text,
        cut: isCut(block.text, block.length),
      });
    });
  }
  return places;
}

/** Opens what is cut in a row, or closes it again; a row with nothing cut is opened in an editor. */
function open(inspector: Inspector, row: Row, index: number): void {
  const { opened } = inspector.transcript;
  const places = placesOf(row);
  const open = places.filter(({ place }) => opened.get(place));
  if (open.length > 0) {
    for (const { place } of open) opened.close(place);
    return;
  }
  const cut = document.getElementById(rowId(index))?.querySelector('.long[data-cut]');
  if (cut) for (const { place, text, cut: more } of places) opened.open(place, text, more);
  else
    actionsOf(row, inspector)
      .find((item) => item.icon === (row.projected && row.raw ? 'diff' : 'go-to-file'))
      ?.run();
}

/** What a key does while the list has the keyboard; false: nothing. `onMenu` shows a row's actions. */
export function pressKey(
  inspector: Inspector,
  event: { readonly key: string; readonly shiftKey: boolean; readonly ctrlKey: boolean; readonly metaKey: boolean },
  onMenu: (index: number) => void,
): boolean {
  const { key } = event;
  if (MOVES.has(key)) {
    move(inspector, key);
    return true;
  }
  if (key === '/') {
    inspector.focus('search');
    return true;
  }
  const index = inspector.transcript.active;
  const row = index === null ? undefined : inspector.transcript.row(index);
  if (index === null || !row) return false;
  if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) {
    onMenu(index);
    return true;
  }
  if (key === 'Enter') {
    open(inspector, row, index);
    return true;
  }
  if (event.ctrlKey || event.metaKey) return false;
  const name = event.shiftKey ? `Shift+${key.toUpperCase()}` : key.toUpperCase();
  const item = actionsOf(row, inspector).find((action) => action.key === name);
  item?.run();
  return item !== undefined;
}
