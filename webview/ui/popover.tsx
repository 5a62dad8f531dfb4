import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';

interface PopoverProps {
  readonly label: string;
  /** What it hangs on, and what gets the focus back. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly role?: 'dialog' | 'menu';
}

const EDGE = 8;

/** What can have the focus at first: the earliest of these. */
const FIRST = '[role^="menuitem"], select, input, vscode-text-field, vscode-checkbox, vscode-button, button';

/** A small surface over the rest; Escape, a click elsewhere or leaving it closes it. */
export function Popover({ label, anchor, onClose, children, role = 'dialog' }: PopoverProps) {
  const surface = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = surface.current;
    if (!element) return;
    const from = anchor.current?.getBoundingClientRect() ?? new DOMRect(EDGE, EDGE, 0, 0);
    const { width, height } = element.getBoundingClientRect();
    const room = { width: document.documentElement.clientWidth, height: document.documentElement.clientHeight };
    const below = from.bottom + 4;
    const top = below + height > room.height - EDGE && from.top - height - 4 > EDGE ? from.top - height - 4 : below;
    element.style.left = `${Math.max(EDGE, Math.min(from.right - width, room.width - width - EDGE))}px`;
    element.style.top = `${top}px`;
    element.style.maxHeight = `${room.height - top - EDGE}px`;
    const first = element.querySelector<HTMLElement>(FIRST);
    (first ?? element).focus();
  }, [anchor]);

  useEffect(() => {
    const press = (event: PointerEvent): void => {
      const target = event.target as Node;
      if (!surface.current?.contains(target) && !anchor.current?.contains(target)) onClose();
    };
    document.addEventListener('pointerdown', press, true);
    return () => document.removeEventListener('pointerdown', press, true);
  }, [anchor, onClose]);

  return createPortal(
    <div
      className={`popover ${role}`}
      role={role}
      aria-label={label}
      ref={surface}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
        anchor.current?.focus();
      }}
    >
      {children}
    </div>,
    document.body,
  );
}
