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
export function IconButton(props: IconButtonProps) {
  return (
    <button
      type="button"
      className={props.marked ? 'icon-button marked' : 'icon-button'}
      ref={props.ref}
      aria-label={props.label}
      title={props.label}
      aria-expanded={props.expanded}
      aria-pressed={props.pressed}
      disabled={props.disabled}
      tabIndex={props.tabIndex}
      onClick={(event) => {
        event.stopPropagation();
        props.onClick();
      }}
    >
      <Icon name={props.icon} />
    </button>
  );
}
