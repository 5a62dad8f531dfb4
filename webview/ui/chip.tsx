import type { ReactNode } from 'react';
import { Icon } from './icon';

export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'accent' | 'muted';

interface ChipProps {
  readonly children: ReactNode;
  readonly tone?: Tone;
  readonly icon?: string;
  readonly title?: string | undefined;
  readonly kind?: string;
  readonly onClick?: () => void;
}

/** A word about a state. The word comes first; icon and colour only underline it. */
export function Chip({ children, tone = 'plain', icon, title, kind, onClick }: ChipProps) {
  const inside = (
    <>
      {icon && <Icon name={icon} />}
      {children}
    </>
  );
  if (onClick) {
    return (
      <button type="button" className="chip" data-tone={tone} data-kind={kind} title={title} onClick={onClick}>
        {inside}
      </button>
    );
  }
  return (
    <span className="chip" data-tone={tone} data-kind={kind} title={title}>
      {inside}
    </span>
  );
}
