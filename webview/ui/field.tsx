import { VSCodeTextArea, VSCodeTextField } from '@vscode/webview-ui-toolkit/react';
import { type ReactNode, type Ref, useId } from 'react';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  /** What is wrong with the value; stands right below it. */
  readonly error?: string | null;
  readonly hint?: string;
  readonly ref?: Ref<HTMLElement>;
}

const valueOf = (event: unknown): string => (event as { target: { value: string } }).target.value;

function Below({ id, error, hint }: { readonly id: string; readonly error: ReactNode; readonly hint: ReactNode }) {
  if (error) {
    return (
      <div className="fault" id={id} role="alert">
        {error}
      </div>
    );
  }
  return hint ? (
    <div className="hint" id={id}>
      {hint}
    </div>
  ) : null;
}

/** One line of text with its label above. */
export function TextField({ label, value, onChange, placeholder, error, hint, ref }: FieldProps) {
  const id = useId();
  return (
    <div className="field" data-invalid={error ? true : undefined}>
      <VSCodeTextField
        ref={ref as never}
        value={value}
        placeholder={placeholder ?? ''}
        aria-describedby={id}
        aria-invalid={error ? 'true' : 'false'}
        onInput={(event: unknown) => onChange(valueOf(event))}
      >
        {label}
      </VSCodeTextField>
      <Below id={id} error={error} hint={hint} />
    </div>
  );
}

/** Several lines of text with their label above. */
export function TextArea({ label, value, onChange, placeholder, error, hint, ref }: FieldProps) {
  const id = useId();
  return (
    <div className="field wide" data-invalid={error ? true : undefined}>
      <VSCodeTextArea
        ref={ref as never}
        value={value}
        rows={4}
        resize="vertical"
        placeholder={placeholder ?? ''}
        aria-describedby={id}
        aria-invalid={error ? 'true' : 'false'}
        onInput={(event: unknown) => onChange(valueOf(event))}
      >
        {label}
      </VSCodeTextArea>
      <Below id={id} error={error} hint={hint} />
    </div>
  );
}
