import { describe, expect, test } from 'vitest';
import type { ModelPart } from '../../../../extension/agents/builtin/model';
import type { Row, Started } from './checkRun';
import { checkRun, done, start } from './checkRun';
import { kindsOf, shapeOf } from './loopSetup';
import type { Turn } from './model';
import { call, list, text } from './model';

describe('seams', () => {
  const remind = (started: Started, body: string, mode: string, origin?: string): void => {
    const meta = origin === undefined ? {} : { _meta: { harn: { origin } } };
    started.session.remind({ body, mode, ...meta });
  };
  /** A model turn that does something to the session while it answers. */
  const during = (late: () => Started, action: (started: Started) => void, ...parts: ModelPart[]): Turn =>
    function* () {
      action(late());
      yield* parts;
    };
  const rows: readonly Row[] = [
    {
      name: 'finish_step from before is in the first prompt',
      turns: () => [done],
      before: (s) => remind(s, 'b', 'finish_step'),
      shape: 'user envelope assistant',
      life: ['injected', 'fired'],
    },
    {
      name: 'an immediate at pre_tool_dispatch skips the whole batch',
      turns: (late) => [
        during(
          late,
          (s) => remind(s, 'Stop!', 'interrupt_immediate'),
          list('c1'),
          call('c2', 'run_command', { command: 'touch made' }),
        ),
        done,
      ],
      shape: 'user call failed+failed envelope assistant',
      results: ['not dispatched', 'not dispatched'],
      life: ['injected', 'fired'],
    },
    {
      name: 'finish_step waits until the tools ran',
      turns: (late) => [during(late, (s) => remind(s, 'b', 'finish_step'), list('c1')), done],
      shape: 'user call result envelope assistant',
      results: ['a.txt'],
    },
    {
      name: 'a person writes while tools run',
      turns: (late) => [during(late, (s) => void s.loop.send('And this.'), list('c1')), done],
      shape: 'user call result user assistant',
    },
    {
      name: 'a person writes during the last answer: one more round',
      turns: (late) => [during(late, (s) => void s.loop.send('And this.'), text('Done.')), done],
      shape: 'user assistant user assistant',
      requests: 2,
    },
    {
      name: 'a reminder during the last answer: one more round',
      turns: (late) => [during(late, (s) => remind(s, 'b', 'finish_step'), text('Done.')), done],
      shape: 'user assistant envelope assistant',
      requests: 2,
    },
    {
      name: 'a watcher never extends a loop',
      turns: (late) => [during(late, (s) => remind(s, 'b', 'finish_step', 'file-watcher'), text('Done.')), done],
      shape: 'user assistant',
      requests: 1,
      pending: 1,
      queued: 0,
      life: ['injected'],
    },
    {
      name: 'a watcher with a person: one more round',
      turns: (late) => [
        during(
          late,
          (s) => {
            remind(s, 'b', 'finish_step', 'file-watcher');
            remind(s, 'c', 'finish_step');
          },
          text('Done.'),
        ),
        done,
      ],
      shape: 'user assistant envelope assistant',
      requests: 2,
    },
    {
      name: 'audit_only reaches no model',
      turns: () => [done],
      before: (s) => remind(s, 'b', 'audit_only'),
      shape: 'user assistant',
      queued: 0,
      life: ['injected'],
    },
    {
      name: 'an advisory is held until a person spoke',
      turns: () => [done],
      before: (s) => void s.session.inject({ body: 'b', authority: 'advisory' }),
      shape: 'user envelope assistant',
    },
    {
      name: 'a lifetime of one turn is over after it',
      turns: () => [[list('c1')], done],
      before: (s) => void s.session.inject({ body: 'b', ttl_turns: 1 }),
      shape: 'user envelope call result assistant',
      life: ['injected', 'fired', 'expired'],
      pending: 0,
    },
    {
      name: 'the limit ends it whatever was delivered',
      turns: (late) => [during(late, (s) => remind(s, 'b', 'finish_step'), text('Done.'))],
      options: { limit: 1 },
      shape: 'user assistant',
      outcome: 'limit',
      pending: 1,
    },
  ];
  rows.forEach(checkRun);

  test('every seam, in order', async () => {
    const { session, loop } = await start([[list('c1')], done]);
    const seams: string[] = [];
    const drain = session.drain.bind(session);
    session.drain = (seam, about) => {
      seams.push(seam);
      return drain(seam, about);
    };
    await (
      await loop.send('Go.')
    ).run;
    expect(seams).toEqual([
      ...[
        'daemon_idle_post',
        'pre_compact',
        'post_compact',
        'iteration_start',
        'pre_tool_dispatch',
        'post_tool_dispatch',
        'iteration_end',
      ],
      ...['pre_compact', 'post_compact', 'iteration_start', 'iteration_end'],
      ...['loop_exit', 'daemon_idle_pre'],
    ]);
  });

  test('one projection a turn, raw too, with what the provider reported', async () => {
    const usage: ModelPart = { type: 'usage', input_tokens: 12, output_tokens: 3 };
    const { loop, records, session } = await start([
      [list('c1'), usage],
      [text('Done.'), usage],
    ]);
    await (
      await loop.send('Go.')
    ).run;
    const order = kindsOf(records, /projection|request\.sent|usage|turn\.ended/);
    const turn = ['transcript.projection', 'request.sent', 'usage.reported', 'turn.ended'];
    expect(order).toEqual([...turn, ...turn]);
    expect(session.state.usage).toMatchObject({ input_tokens: 12, output_tokens: 3, model: 'Test model' });
    expect(session.state.projections.at(1)).toMatchObject({ policy: 'raw', kept_count: 3 });
    expect(session.state.turn).toBe(3);
  });
});

describe('fire now', () => {
  test('on an idle session it starts the turn, alone, and passes the hold on advisories', async () => {
    const { session, loop } = await start([done]);
    const { reminder_id } = session.inject({ body: 'Think of it.', authority: 'advisory' });
    expect(loop.firePreview(reminder_id)).toEqual({ turn: 1, starts_turn: true, others: 0 });
    expect(loop.fire(reminder_id)).toEqual({ turn: 1, starts_turn: true, others: 0 });
    expect(loop.status).toBe('running');
    await loop.settled();
    expect(shapeOf(session)).toBe('envelope assistant');
    expect(() => loop.fire(reminder_id)).toThrow('delivered');
  });

  test('on a running one it goes with the next prompt', async () => {
    let fired: unknown;
    const started = await start([
      function* () {
        const { reminderId } = started.session.remind({ body: 'b', mode: 'finish_step' });
        fired = started.loop.fire(reminderId);
        yield list('c1');
      },
      done,
    ]);
    await (
      await started.loop.send('Go.')
    ).run;
    expect(fired).toMatchObject({ starts_turn: false });
    expect(started.session.state.reminders.values().map((entry) => entry.state)).toEqual(['seen']);
  });
});
