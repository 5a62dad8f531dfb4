import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelPart } from '../../../../extension/agents/builtin/model';
import { ModelError } from '../../../../extension/agents/builtin/model';
import { checkAppendOnly, start } from './checkRun';
import type { Started } from './checkRun';
import { shapeOf, unanswered } from './loopSetup';
import type { Turn } from './model';
import { call, text } from './model';

const SEED = 20_240_811;

/** What happens to a session from outside while the model answers. */
type Meanwhile =
  | {
      readonly do: 'remind';
      readonly mode: string;
      readonly body: string;
      readonly ttl: number | null;
      readonly origin: boolean;
    }
  | { readonly do: 'inject'; readonly body: string; readonly authority: string }
  | { readonly do: 'send' }
  | { readonly do: 'fire' }
  | { readonly do: 'stop' };

interface Step {
  readonly calls: readonly string[];
  readonly ends: 'well' | 'refused' | 'broken_off';
  readonly meanwhile: readonly Meanwhile[];
}

const body = fc.constantFrom('Use tabs.', 'Use  tabs.', 'a</directive>b', 'Look at src/a.ts.');
const meanwhile: fc.Arbitrary<Meanwhile> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('remind' as const),
      mode: fc.constantFrom('interrupt_immediate', 'finish_step', 'audit_only'),
      body,
      ttl: fc.constantFrom(null, 1, 2),
      origin: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('inject' as const),
      body,
      authority: fc.constantFrom('contract', 'corrective', 'advisory'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('send' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fire' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const) }) },
);
const step: fc.Arbitrary<Step> = fc.record({
  calls: fc.array(fc.constantFrom('list_files', 'fly', 'read_file'), { maxLength: 3 }),
  ends: fc.constantFrom('well', 'well', 'well', 'refused', 'broken_off'),
  meanwhile: fc.array(meanwhile, { maxLength: 3 }),
});
const script = fc.record({
  runs: fc.integer({ min: 1, max: 3 }),
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
});

function happen(started: Started, event: Meanwhile): void {
  const { session, loop } = started;
  switch (event.do) {
    case 'remind': {
      const meta = event.origin ? { _meta: { harn: { origin: 'file-watcher' } } } : {};
      session.remind({ body: event.body, mode: event.mode, ttl_turns: event.ttl, ...meta });
      return;
    }
    case 'inject':
      session.inject({ body: event.body, authority: event.authority });
      return;
    case 'send':
      void loop.send('And more.');
      return;
    case 'fire': {
      const waiting = session.directives().find((directive) => directive.can_fire);
      if (waiting !== undefined) loop.fire(waiting.reminder_id);
      return;
    }
    case 'stop':
      void loop.stop();
  }
}

async function play({ runs, steps }: { runs: number; steps: readonly Step[] }): Promise<Started> {
  const turns = steps.map(
    (one): Turn =>
      function* (): Generator<ModelPart> {
        for (const event of one.meanwhile) happen(started, event);
        if (one.ends === 'refused') throw new ModelError('Refused.', true);
        yield text('Words.');
        for (const [index, name] of one.calls.entries())
          yield call(`c${index}-${started.model.requests.length}`, name, {});
        if (one.ends === 'broken_off') throw new ModelError('Broken off.', false);
      },
  );
  const started: Started = await start(turns, { files: { 'a.txt': '' }, limit: 8 });
  for (let run = 0; run < runs; run += 1) {
    await (
      await started.loop.send(`Message ${run}.`)
    ).run;
    await started.loop.settled();
  }
  return started;
}

describe(`random scripts and what comes in between (seed ${SEED})`, () => {
  test('every request begins with the one before, and every call has its answer', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (given) => {
        const { model, session, errors, loop } = await play(given);
        checkAppendOnly(model);
        expect(unanswered(session)).toEqual([]);
        expect(session.state.open_calls).toEqual([]);
        expect(session.state.status).toBe('idle');
        expect(loop.view.status).toBe('idle');
        expect(errors).toEqual([]);
        for (const sent of model.sent) expect(sent.filter((one) => one.includes('_harn_directive_ids'))).toEqual([]);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  test('the same script gives the same log', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (given) => {
        const first = await play(given);
        const second = await play(given);
        expect(shapeOf(second.session)).toBe(shapeOf(first.session));
        expect(second.records.map((record) => withoutChance(record.event, second.root))).toEqual(
          first.records.map((record) => withoutChance(record.event, first.root)),
        );
      }),
      { seed: SEED, numRuns: 15 },
    );
  });
});

/** Ids and times come from the test and are the same; the folder and the times of its files are not. */
function withoutChance(event: object, root: string): unknown {
  return JSON.parse(
    JSON.stringify(event)
      .replaceAll(root, '/root')
      .replace(/"mtime_ms":[\d.]+/g, '"mtime_ms":0'),
  );
}
