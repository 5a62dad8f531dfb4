import { useRef } from 'react';
import type { Row } from '../../extension/protocol';
import type { Inspector } from '../state/inspector';
import { IconButton } from '../ui/iconButton';
import type { MenuItem } from '../ui/menu';

/** What the model sees of a row, where that is a text of its own or the same as the raw one. */
const seen = (row: Row): boolean => row.projected !== null || row.state === 'kept';

/** What can be done with a row; the same list serves the buttons, the menu and the keys. */
export function actionsOf(row: Row, { act }: Pick<Inspector, 'act'>): MenuItem[] {
  const { key } = row;
  const items: MenuItem[] = [];
  if (row.raw) {
    items.push({
      label: 'Copy raw',
      icon: 'copy',
      key: 'C',
      run: () => act('copy', { what: 'row', key, side: 'raw' }),
    });
  }
  if (seen(row)) {
    items.push({
      label: 'Copy what the model sees',
      icon: 'copy',
      key: row.raw ? 'Shift+C' : 'C',
      run: () => act('copy', { what: 'row', key, side: 'projected' }),
    });
  }
  if (row.raw) {
    items.push({ label: 'Open side by side', icon: 'diff', key: 'D', run: () => act('open', { what: 'diff', key }) });
    items.push({
      label: 'Open raw',
      icon: 'go-to-file',
      key: 'O',
      run: () => act('open', { what: 'side', key, side: 'raw' }),
    });
  }
  if (seen(row)) {
    items.push({
      label: 'Open what the model sees',
      icon: 'open-preview',
      key: row.raw ? 'Shift+O' : 'O',
      run: () => act('open', { what: 'side', key, side: 'projected' }),
    });
  }
  return items;
}

interface BarProps {
  readonly items: readonly MenuItem[];
  readonly tabIndex: number;
  readonly onMenu: (anchor: HTMLElement) => void;
}

/** The few buttons that show on the row under the pointer or the keyboard. They lie over the row and move nothing. */
export function ActionBar({ items, tabIndex, onMenu }: BarProps) {
  const more = useRef<HTMLButtonElement>(null);
  const copy = items.find((item) => item.icon === 'copy');
  const diff = items.find((item) => item.icon === 'diff');
  return (
    <span className="action-bar">
      {copy && <IconButton icon="copy" label={copy.label} onClick={copy.run} tabIndex={tabIndex} />}
      {diff && <IconButton icon="diff" label={diff.label} onClick={diff.run} tabIndex={tabIndex} />}
      <IconButton
        ref={more}
        icon="ellipsis"
        label="More actions"
        tabIndex={tabIndex}
        onClick={() => {
          if (more.current) onMenu(more.current);
        }}
      />
    </span>
  );
}
