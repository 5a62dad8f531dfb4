import { type RefObject, useState } from 'react';
import type { OptionValue, OptionView, PolicyView } from '../../extension/protocol';
import { useInspector, useView } from '../state/context';
import { Button } from '../ui/button';
import { Checkbox } from '../ui/checkbox';
import { TextField } from '../ui/field';
import { Popover } from '../ui/popover';
import { Select } from '../ui/select';

type Values = Readonly<Record<string, OptionValue>>;

const INTEGER = /^-?\d+$/;

const written = (value: OptionValue | undefined): string =>
  value === null || value === undefined ? '' : String(value);

/** Reads what was typed; `undefined`: the default. */
function readOption(option: OptionView, typed: string): { value: OptionValue | undefined } | { fault: string } {
  const trimmed = typed.trim();
  if (trimmed === '') return { value: undefined };
  if (option.type === 'integer') {
    return INTEGER.test(trimmed) && Number.isSafeInteger(Number(trimmed))
      ? { value: Number(trimmed) }
      : { fault: 'Give a whole number, or leave it empty for the default.' };
  }
  if (option.type === 'choice' || option.type === 'boolean') {
    if (trimmed === 'true' || trimmed === 'false') return { value: trimmed === 'true' };
    return { value: trimmed };
  }
  return { value: typed };
}

interface OptionFieldProps {
  readonly option: OptionView;
  readonly typed: string;
  readonly fault: string | undefined;
  readonly onChange: (typed: string) => void;
}

function OptionField({ option, typed, fault, onChange }: OptionFieldProps) {
  const { key, type, description } = option;
  const standard = written(option.default);
  if (type === 'boolean') {
    return (
      <div className="field">
        <Checkbox
          label={key}
          checked={(typed || standard) === 'true'}
          onChange={(checked) => onChange(String(checked))}
        />
        <div className="hint">{description}</div>
      </div>
    );
  }
  if (type === 'choice') {
    const choices = option.choices.map((choice) => ({ value: choice, label: choice }));
    const none = standard === '' ? [{ value: '', label: 'default' }] : [];
    return (
      <div className="field">
        <Select labelled label={key} value={typed || standard} options={[...none, ...choices]} onChange={onChange} />
        <div className="hint">{description}</div>
      </div>
    );
  }
  return (
    <TextField
      label={key}
      value={typed}
      placeholder={standard}
      error={fault ?? null}
      hint={description}
      onChange={onChange}
    />
  );
}

interface OptionsProps {
  readonly policy: PolicyView;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

/** The options of one policy. What is wrong is said at its field, or below when the host refused it. */
export function Options({ policy, anchor, onClose }: OptionsProps) {
  const { ask } = useInspector();
  const current = useView((view) => view.projection.options);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(current).map(([key, value]) => [key, written(value)])),
  );
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [refused, setRefused] = useState<string | null>(null);

  const send = async (options: Values): Promise<void> => {
    try {
      await ask('set_policy', { policy: policy.name, options });
      onClose();
      anchor.current?.focus();
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
    }
  };

  const set = (): void => {
    const options: Record<string, OptionValue> = {};
    const found: Record<string, string> = {};
    for (const option of policy.options) {
      const read = readOption(option, typed[option.key] ?? '');
      if ('fault' in read) found[option.key] = read.fault;
      else if (read.value !== undefined && read.value !== option.default) options[option.key] = read.value;
    }
    setFaults(found);
    if (Object.keys(found).length === 0) void send(options);
  };

  return (
    <Popover label={`Options of ${policy.name}`} anchor={anchor} onClose={onClose}>
      <p className="popover-title code">{policy.name}</p>
      <p className="hint">{policy.description}</p>
      {policy.options.length === 0 && <p>This policy has no options.</p>}
      {policy.options.map((option) => (
        <OptionField
          key={option.key}
          option={option}
          typed={typed[option.key] ?? ''}
          fault={faults[option.key]}
          onChange={(value) => setTyped({ ...typed, [option.key]: value })}
        />
      ))}
      {refused !== null && (
        <div className="fault" role="alert">
          {refused}
        </div>
      )}
      {policy.options.length > 0 && (
        <div className="popover-actions">
          <Button primary onClick={set}>
            Use these options
          </Button>
          <Button onClick={() => void send({})}>Defaults</Button>
        </div>
      )}
    </Popover>
  );
}
