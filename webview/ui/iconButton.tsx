import type { Ref } from 'react';
import { Icon } from './icon';

interface IconButtonProps {
  readonly icon: string;
  /** Its accessible name, shown as a tool tip too. */
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly expanded?: boolean;
  readonly pressed?: boolean;
  readonly tabIndex?: number;
  readonly marked?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button that is only a picture. A plain element, because there are many of them among the rows. */
export function IconButton({
  icon,
  label,
  onClick,
  disabled,
  expanded,
  pressed,
  tabIndex,
  marked,
  ref,
}: IconButtonProps) {
  return (
    <button
      type="button"
      className={marked ? 'icon-button marked' : 'icon-button'}
      ref={ref}
      aria-label={label}
      title={label}
      aria-expanded={expanded}
      aria-pressed={pressed}
      disabled={disabled}
      tabIndex={tabIndex}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      <Icon name={icon} />
    </button>
  );
}
