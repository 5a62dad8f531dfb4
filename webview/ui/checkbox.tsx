import { VSCodeCheckbox } from '@vscode/webview-ui-toolkit/react';

interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Checkbox({ label, checked, onChange }: CheckboxProps) {
  return (
    <VSCodeCheckbox
      checked={checked}
      onChange={(event: unknown) => {
        // The element also reports what it was set to by us.
        const now = (event as { target: { checked: boolean } }).target.checked;
        if (now !== checked) onChange(now);
      }}
    >
      {label}
    </VSCodeCheckbox>
  );
}
