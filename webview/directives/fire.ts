import { useEffect, useState } from 'react';
import type { Directive, Result } from '../../extension/protocol';
import { useInspector, useView } from '../state/context';

interface Firing {
  readonly busy: boolean;
  /** What came of the last action, or why it was refused. */
  readonly outcome: { readonly text: string; readonly refused: boolean } | null;
  readonly fire: () => void;
  readonly revoke: () => void;
}

/**
 * What firing a directive would do, known before anybody presses the button; null while it is not known, or when the
 * directive cannot be fired.
 */
export function useFirePreview(directive: Directive, wanted: boolean): Result<'fire_preview'> | null {
  const { ask } = useInspector();
  const [preview, setPreview] = useState<Result<'fire_preview'> | null>(null);
  const { reminder_id, can_fire } = directive;
  // What the answer depends on: the turn under way, whether one runs, and what else waits.
  const status = useView((view) => view.session?.status ?? null);
  const turns = useView((view) => view.turn.count);
  const pending = useView((view) => view.directives.pending);
  useEffect(() => {
    if (!wanted || !can_fire) return;
    let current = true;
    ask('fire_preview', { reminder_id }).then(
      (answer) => current && setPreview(answer),
      () => current && setPreview(null),
    );
    return () => {
      current = false;
    };
  }, [ask, reminder_id, can_fire, wanted, status, turns, pending]);
  return can_fire ? preview : null;
}

/** What a person can do about one directive, and what came of it. */
export function useActions({ reminder_id }: Directive): Firing {
  const { ask, directives } = useInspector();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Firing['outcome']>(null);

  const run = async (work: () => Promise<string>): Promise<void> => {
    setBusy(true);
    setOutcome(null);
    try {
      setOutcome({ text: await work(), refused: false });
    } catch (error) {
      setOutcome({ text: error instanceof Error ? error.message : String(error), refused: true });
    }
    setBusy(false);
    directives.reload();
  };

  return {
    busy,
    outcome,
    fire: () =>
      void run(async () => {
        const { turn } = await ask('fire', { reminder_id });
        return `Goes with turn ${turn}.`;
      }),
    revoke: () =>
      void run(async () => {
        const { status } = await ask('revoke', { reminder_id });
        return status === 'revoked' ? 'Revoked.' : 'It had been revoked already.';
      }),
  };
}
