import { useEffect, useRef, useState } from 'react';
import { useInspector, useView, useWindow } from '../state/context';
import { Button } from '../ui/button';
import { IconButton } from '../ui/iconButton';
import { Select } from '../ui/select';
import { Options } from './options';

/** Chooses the policy; a choice is a preview until it is applied. */
export function Policy() {
  const { act } = useInspector();
  const policies = useView((view) => view.policies);
  const projection = useView((view) => view.projection);
  const focus = useWindow((state) => state.focus);
  const select = useRef<HTMLSelectElement>(null);
  const gear = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const policy = policies.find(({ name }) => name === projection.policy);
  const names = policies.map(({ name }) => ({ value: name, label: name }));
  const listed = policy ? names : [{ value: projection.policy, label: projection.policy }, ...names];

  useEffect(() => {
    if (focus?.target === 'policy') select.current?.focus();
  }, [focus]);

  return (
    <span className="policy">
      <Select
        ref={select}
        label="Policy"
        title={policy?.description ?? ''}
        value={projection.policy}
        options={listed}
        onChange={(name) => act('set_policy', { policy: name, options: {} })}
      />
      <IconButton
        ref={gear}
        icon="gear"
        label="Policy options"
        expanded={open}
        marked={Object.keys(projection.options).length > 0}
        disabled={!policy}
        onClick={() => setOpen(!open)}
      />
      {open && policy && <Options policy={policy} anchor={gear} onClose={() => setOpen(false)} />}
      {projection.can_apply && (
        <Button
          primary
          disabled={projection.standing !== 'preview' || projection.computing}
          title="Makes this policy the session’s: the next request is built with it"
          onClick={() => act('apply_policy', {})}
        >
          Apply
        </Button>
      )}
    </span>
  );
}
