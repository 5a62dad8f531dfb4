import type { ReactNode } from 'react';
import { Button } from './button';

interface EmptyProps {
  /** What will appear here. */
  readonly title: string;
  /** Why it is empty. */
  readonly children: ReactNode;
  readonly action?: { readonly label: string; readonly onClick: () => void } | undefined;
}

/** Says what will appear here, why it is empty, and offers one action. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      <p>{children}</p>
      {action && (
        <Button primary onClick={action.onClick}>
          {action.label}
        </Button>
      )}
    </div>
  );
}
