import { type Ref, useId } from 'react';

interface SelectProps {
  /** Its accessible name. */
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
  /** Shows the label above; without it the name is only spoken. */
  readonly labelled?: boolean;
  readonly title?: string;
  /** Stands below it, where the label is shown. */
  readonly hint?: string;
  readonly ref?: Ref<HTMLSelectElement>;
}

/** The platform's own selector: its keys, its list, and its role are what people and test programs expect. */
export function Select({ label, value, options, onChange, labelled, title, hint, ref }: SelectProps) {
  const id = useId();
  const select = (
    <span className="select">
      <select
        id={id}
        ref={ref}
        aria-label={labelled ? undefined : label}
        aria-describedby={hint ? `${id}-hint` : undefined}
        title={title}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <i className="codicon codicon-chevron-down" aria-hidden="true" />
    </span>
  );
  if (!labelled) return select;
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {select}
      {hint && (
        <div className="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
    </div>
  );
}
