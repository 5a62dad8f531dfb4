import { useEffect, useRef, useState } from 'react';
import { useInspector, useView, useWindow } from '../state/context';
import { Button } from '../ui/button';
import { Checkbox } from '../ui/checkbox';
import { TextArea, TextField } from '../ui/field';
import { Select } from '../ui/select';
import { checkDraft, type FormDraft, formOf, renderDraft } from './draft';

const plain = (...values: readonly string[]) => values.map((value) => ({ value, label: value }));

const AUTHORITIES = [
  { value: 'contract', label: 'contract: before corrective' },
  { value: 'corrective', label: 'corrective: before advisory' },
  { value: 'advisory', label: 'advisory: comes last' },
];
const PROPAGATION = [
  { value: 'session', label: 'session: its own sub-agents' },
  { value: 'all', label: 'all: every sub-agent' },
  { value: 'none', label: 'none' },
];
const MODES = [
  { value: 'finish_step', label: 'finish_step: after this step' },
  { value: 'interrupt_immediate', label: 'interrupt_immediate: at once' },
  { value: 'audit_only', label: 'audit_only: only recorded' },
];
const ROLES = plain('user_block', 'system', 'developer', 'ephemeral_cache');

/** Writes a directive. What must be mended is said at its field, once sending was tried. */
export function DirectiveForm({ draft }: { readonly draft: FormDraft }) {
  const { ask, setForm, directives, announcer } = useInspector();
  const noRoute = useView((view) => view.session?.no_route ?? null);
  const focus = useWindow((state) => state.focus);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const body = useRef<HTMLElement>(null);
  const faults = tried ? checkDraft(draft) : {};
  const set = (change: Partial<FormDraft>): void => setForm({ ...draft, ...change });

  useEffect(() => {
    if (focus?.target === 'form') body.current?.focus();
  }, [focus]);

  const send = async (): Promise<void> => {
    setTried(true);
    setRefused(null);
    if (Object.keys(checkDraft(draft)).length > 0) {
      body.current?.focus();
      return;
    }
    setBusy(true);
    try {
      await ask('remind', formOf(draft));
      announcer.say('The directive goes with the next request');
      setForm(null);
      directives.reload();
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };

  return (
    <section className="form" aria-label="Write a directive">
      {noRoute !== null && <p className="hint wide">It will be kept, but it cannot be delivered now: {noRoute}</p>}
      <TextArea
        ref={body}
        label="Body"
        value={draft.body}
        placeholder="What the model should be told"
        error={faults.body ?? null}
        onChange={(value) => set({ body: value })}
      />
      {draft.corrects === 'contract' && draft.authority !== 'contract' && (
        <p className="hint wide" role="note">
          This corrects a contract, and the model is told that contract comes before {draft.authority}. Choose contract
          if this must win.
        </p>
      )}
      <Select
        labelled
        label="Authority"
        value={draft.authority}
        options={AUTHORITIES}
        hint="What counts where two disagree."
        onChange={(authority) => set({ authority })}
      />
      <TextField
        label="Lifetime in turns"
        value={draft.ttl}
        placeholder="until cleared"
        error={faults.ttl ?? null}
        onChange={(ttl) => set({ ttl })}
      />
      <TextField
        label="Key"
        value={draft.key}
        placeholder="none"
        hint="A newer one with the same key replaces it."
        error={faults.key ?? null}
        onChange={(key) => set({ key })}
      />
      <TextField
        label="Tags"
        value={draft.tags}
        placeholder="none"
        hint="Separated by commas."
        error={faults.tags ?? null}
        onChange={(tags) => set({ tags })}
      />
      <Select labelled label="Deliver" value={draft.mode} options={MODES} onChange={(mode) => set({ mode })} />
      <Select
        labelled
        label="Pass on"
        value={draft.propagate}
        options={PROPAGATION}
        onChange={(propagate) => set({ propagate })}
      />
      <Select
        labelled
        label="Speaks as"
        value={draft.role}
        options={ROLES}
        hint="user_block: a person; all others: the harness."
        onChange={(role) => set({ role })}
      />
      <div className="field checks">
        <Checkbox label="Survives compaction" checked={draft.preserve} onChange={(preserve) => set({ preserve })} />
      </div>
      <details className="wide">
        <summary>How the model will read it</summary>
        <pre className="code">{renderDraft(draft)}</pre>
      </details>
      {refused !== null && (
        <div className="fault wide" role="alert">
          {refused}
        </div>
      )}
      <div className="form-actions wide">
        <Button primary disabled={busy} onClick={() => void send()}>
          Leave directive
        </Button>
        <Button onClick={() => setForm(null)}>Discard</Button>
      </div>
    </section>
  );
}
