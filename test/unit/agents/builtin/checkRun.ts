import { expect, test } from 'vitest';
import type { ModelPart } from '../../../../extension/agents/builtin/model';
import { SYSTEM } from '../../../../extension/agents/builtin/system';
import type { Setup, SetupOptions } from './loopSetup';
import { kindsOf, resultTexts, shapeOf, startLoop, unanswered } from './loopSetup';
import type { Turn } from './model';
import { TestModel, text } from './model';

export type Started = Setup & { readonly folder: string; readonly model: TestModel };

export async function start(turns: readonly Turn[], options: SetupOptions = {}): Promise<Started> {
  const model = new TestModel(turns);
  return { ...(await startLoop({ model, allow: true, ...options })), model };
}

export interface Row {
  readonly name: string;
  readonly turns: (started: () => Started) => readonly Turn[];
  /** Done before the message is sent. */
  readonly before?: (started: Started) => void;
  readonly options?: SetupOptions;
  readonly shape: string;
  readonly outcome?: 'finished' | 'failed' | 'stopped' | 'limit';
  readonly error?: string;
  readonly requests?: number;
  readonly results?: readonly string[];
  /** Kinds of lifecycle records, without `transcript.reminder.`. */
  readonly life?: readonly string[];
  readonly pending?: number;
  readonly queued?: number;
  /** Tools that ran. */
  readonly ran?: number;
}

export function checkRun(row: Row): void {
  test(row.name, async () => {
    const made: Started[] = [];
    const late = (): Started => {
      const [first] = made;
      if (first === undefined) throw new Error('too early');
      return first;
    };
    const started = await start(row.turns(late), { files: { 'a.txt': 'one' }, ...row.options });
    made.push(started);
    row.before?.(started);
    const { run } = await started.loop.send('Do it.');
    const outcome = await run;
    const { session, model, loop, records } = started;
    expect(outcome.reason).toBe(row.outcome ?? 'finished');
    if (row.error !== undefined) expect(outcome.error).toContain(row.error);
    expect(shapeOf(session)).toBe(row.shape);
    expect(unanswered(session)).toEqual([]);
    expect(session.state.open_calls).toEqual([]);
    if (row.requests !== undefined) expect(model.requests.length).toBe(row.requests);
    for (const [index, said] of (row.results ?? []).entries()) expect(resultTexts(session)[index]).toContain(said);
    if (row.life !== undefined) {
      expect(kindsOf(records, /^transcript\.reminder\./).map((kind) => kind.slice(20))).toEqual(row.life);
    }
    if (row.pending !== undefined) expect(session.state.pending.keys().length).toBe(row.pending);
    if (row.queued !== undefined) expect(session.state.queue.keys().length).toBe(row.queued);
    expect(loop.view).toMatchObject({
      status: 'idle',
      turn: null,
      permissions: [],
      streaming: '',
      error: outcome.error,
    });
    expect(session.state.status).toBe('idle');
    checkAppendOnly(model);
  });
}

/** Every request begins with the one before. */
export function checkAppendOnly(model: TestModel): void {
  for (const [index, sent] of model.sent.entries()) {
    const before = model.sent[index - 1] ?? [];
    expect(sent.slice(0, before.length)).toEqual(before);
    expect(model.requests[index]?.system).toBe(SYSTEM);
  }
}

export const done: Turn = [text('Done.')];

export function* failing(error: unknown, ...parts: ModelPart[]): Generator<ModelPart> {
  yield* parts;
  throw error;
}
