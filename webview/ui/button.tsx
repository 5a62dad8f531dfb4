import { VSCodeButton } from '@vscode/webview-ui-toolkit/react';
import type { ReactNode } from 'react';

interface ButtonProps {
  readonly children: ReactNode;
  readonly onClick: () => void;
  readonly primary?: boolean;
  readonly small?: boolean;
  readonly disabled?: boolean;
  readonly title?: string;
  /** Where it stands in the order of the Tab key; -1 leaves it to the mouse and to its row's menu. */
  readonly tabIndex?: number;
  readonly autoFocus?: boolean;
}

/** A button with a word on it. */
export function Button({ children, onClick, primary, small, disabled, title, tabIndex, autoFocus }: ButtonProps) {
  return (
    <VSCodeButton
      className={small ? 'button small' : 'button'}
      appearance={primary ? 'primary' : 'secondary'}
      disabled={disabled ?? false}
      {...(title === undefined ? {} : { title })}
      {...(tabIndex === undefined || tabIndex >= 0 ? {} : { tabIndex })}
      {...(autoFocus ? { autofocus: true } : {})}
      onClick={(event: { stopPropagation(): void }) => {
        event.stopPropagation();
        if (!disabled) onClick();
      }}
    >
      {children}
    </VSCodeButton>
  );
}
