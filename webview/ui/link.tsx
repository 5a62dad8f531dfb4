import type { ReactNode } from 'react';

interface LinkProps {
  readonly children: ReactNode;
  readonly onClick: () => void;
  readonly tabIndex?: number | undefined;
  readonly title?: string;
}

/** Looks like a link and does something here; nothing is ever navigated to. */
export function Link({ children, onClick, tabIndex, title }: LinkProps) {
  return (
    <button
      type="button"
      className="link"
      tabIndex={tabIndex}
      title={title}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      {children}
    </button>
  );
}
