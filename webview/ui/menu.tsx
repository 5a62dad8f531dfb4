import type { KeyboardEvent, RefObject } from 'react';
import { Icon } from './icon';
import { Popover } from './popover';

export interface MenuItem {
  readonly label: string;
  readonly icon: string;
  readonly key?: string;
  readonly run: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to =
    event.key === 'ArrowDown'
      ? (at + 1) % items.length
      : event.key === 'ArrowUp'
        ? (at - 1 + items.length) % items.length
        : event.key === 'Home'
          ? 0
          : event.key === 'End'
            ? items.length - 1
            : -1;
  if (to < 0) return;
  event.preventDefault();
  event.stopPropagation();
  items[to]?.focus();
}

export function Menu({ label, items, anchor, onClose }: MenuProps) {
  return (
    <Popover label={label} anchor={anchor} onClose={onClose} role="menu">
      <div onKeyDown={moveFocus} role="none">
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            onClick={() => {
              onClose();
              anchor.current?.focus();
              item.run();
            }}
          >
            <Icon name={item.icon} />
            <span>{item.label}</span>
            {item.key && <kbd>{item.key}</kbd>}
          </button>
        ))}
      </div>
    </Popover>
  );
}
