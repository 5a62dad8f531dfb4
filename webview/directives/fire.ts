import { useState } from 'react';
import type { Directive, Result } from '../../extension/protocol';
import { useInspector } from '../state/context';

interface Firing {
  /** What firing would do; null: not asked for. */
  readonly preview: Result<'fire_preview'> | null;
  readonly busy: boolean;
  /** What came of the last action, or why it was refused. */
  readonly outcome: { readonly text: string; readonly refused: boolean } | null;
  readonly fire: () => void;
  readonly revoke: () => void;
  readonly cancel: () => void;
}

/** What a person can do about one directive, and what came of it. */
export function useActions({ reminder_id }: Directive): Firing {
  const { ask, directives } = useInspector();
  const [preview, setPreview] = useState<Firing['preview']>(null);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Firing['outcome']>(null);

  const run = async (work: () => Promise<string | null>): Promise<void> => {
    setBusy(true);
    setOutcome(null);
    try {
      const text = await work();
      if (text !== null) setOutcome({ text, refused: false });
    } catch (error) {
      setPreview(null);
      setOutcome({ text: error instanceof Error ? error.message : String(error), refused: true });
    }
    setBusy(false);
    directives.reload();
  };

  return {
    preview,
    busy,
    outcome,
    fire: () =>
      void run(async () => {
        if (preview === null) {
          setPreview(await ask('fire_preview', { reminder_id }));
          return null;
        }
        const { turn } = await ask('fire', { reminder_id });
        setPreview(null);
        return `Goes with turn ${turn}.`;
      }),
    revoke: () =>
      void run(async () => {
        const { status } = await ask('revoke', { reminder_id });
        return status === 'revoked' ? 'Revoked.' : 'It had been revoked already.';
      }),
    cancel: () => {
      setPreview(null);
      setOutcome(null);
    },
  };
}
