import { describe, expect, test } from 'vitest';
import { ModelError } from '../../../../extension/agents/builtin/model';
import type { Row } from './checkRun';
import { checkAppendOnly, checkRun, done, failing, start } from './checkRun';
import { kindsOf, shapeOf, startLoop } from './loopSetup';
import { TestModel, call, list, text } from './model';

/** An object that is a member of itself. */
function endless(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

function nested(levels: number): object {
  let value = {};
  for (let level = 0; level < levels; level++) value = { value };
  return value;
}

describe('one run', () => {
  const rows: readonly Row[] = [
    { name: 'an answer in words', turns: () => [done], shape: 'user assistant', requests: 1 },
    {
      name: 'a tool, then words',
      turns: () => [[text('Look.'), list('c1')], done],
      shape: 'user call result assistant',
      results: ['a.txt'],
    },
    {
      name: 'several tools, in order',
      turns: () => [[list('c1'), call('c2', 'read_file', { path: 'a.txt' })], done],
      shape: 'user call result result assistant',
      results: ['a.txt', 'one'],
    },
    {
      name: 'an unknown tool',
      turns: () => [[call('c1', 'fly')], done],
      shape: 'user call failed assistant',
      results: ['There is no tool `fly`'],
    },
    {
      name: 'arguments that are not valid',
      turns: () => [[call('c1', 'read_file', '{"pa')], done],
      shape: 'user call failed assistant',
      results: ['must be a JSON object'],
    },
    {
      name: 'arguments that hold themselves, or are nested without end',
      turns: () => [[call('c1', 'read_file', endless()), call('c2', 'list_files', nested(100_000))], done],
      shape: 'user call failed failed assistant',
      results: ['are not valid', 'are not valid'],
    },
    {
      name: 'ids that are missing or used twice',
      turns: () => [
        [call('', 'list_files'), call('', 'list_files'), call('x', 'list_files'), call('x', 'list_files')],
        done,
      ],
      shape: 'user call result result result result assistant',
    },
    {
      name: 'a permission that is denied',
      turns: () => [[call('c1', 'run_command', { command: 'touch made' })], done],
      options: { allow: false },
      shape: 'user call failed assistant',
      results: ['did not allow'],
    },
    { name: 'an empty answer', turns: () => [[]], shape: 'user', outcome: 'failed', error: 'empty answer' },
    {
      name: 'too many answers in a row',
      turns: () => [[list('c1')], [list('c2')], [list('c3')]],
      options: { limit: 2 },
      shape: 'user call result call result',
      outcome: 'limit',
      error: 'after 2 answers',
      requests: 2,
    },
    {
      name: 'no model',
      turns: () => [],
      options: { model: null },
      shape: 'user',
      outcome: 'failed',
      error: 'No model is chosen',
    },
  ];
  rows.forEach(checkRun);
});

describe('a model that fails', () => {
  const rows: readonly Row[] = [
    {
      name: 'refuses',
      turns: () => [() => failing(new ModelError('No quota. Wait a minute.', true))],
      shape: 'user',
      outcome: 'failed',
      error: 'No quota. Wait a minute.',
    },
    {
      name: 'fails in its own way',
      turns: () => [() => failing(new Error('socket hang up'))],
      shape: 'user',
      outcome: 'failed',
      error: 'The model failed: socket hang up. Your message is kept',
    },
    {
      name: 'breaks off in the middle of a word',
      turns: () => [() => failing(new ModelError('Cut off. Send again.', false), text('I thi'))],
      shape: 'user assistant',
      outcome: 'failed',
      error: 'Cut off',
    },
    {
      name: 'breaks off after a call',
      turns: () => [() => failing(new ModelError('Cut off. Send again.', false), list('c1'))],
      shape: 'user call failed',
      outcome: 'failed',
      results: ['broke off before this call was made'],
    },
    {
      name: 'refuses: the envelope stays, nothing is fired',
      turns: () => [() => failing(new ModelError('No.', true))],
      before: ({ session }) => void session.inject({ body: 'Use tabs.' }),
      shape: 'user envelope',
      outcome: 'failed',
      life: ['injected'],
    },
  ];
  rows.forEach(checkRun);

  test('the next request that is taken fires what the refused one carried, once', async () => {
    const started = await start([
      () => failing(new ModelError('No.', true)),
      () => failing(new ModelError('No.', true)),
      done,
    ]);
    const { session, loop, records, model, parts } = started;
    session.inject({ body: 'Use tabs.' });
    await (
      await loop.send('Go.')
    ).run;
    await loop.start('continue');
    expect(loop.view.error).toBe('No.');
    await loop.start('continue');
    expect(shapeOf(session)).toBe('user envelope assistant');
    expect(kindsOf(records, /fired$|request\./)).toEqual([
      'request.refused',
      'request.refused',
      'request.sent',
      'transcript.reminder.fired',
    ]);
    expect(model.sent.map((sent) => sent.length)).toEqual([2, 2, 2]);
    expect(parts.filter((part) => part.type === 'directives').length).toBe(1);
    checkAppendOnly(model);
  });

  test('it can be written to again, and nothing is lost', async () => {
    const { session, loop, model, records } = await start([
      () => failing(new ModelError('Cut off.', false), text('Half')),
      done,
    ]);
    await (
      await loop.send('One.')
    ).run;
    expect(loop.status).toBe('failed');
    await (
      await loop.send('Two.')
    ).run;
    expect(loop.status).toBe('idle');
    expect(shapeOf(session)).toBe('user assistant user assistant');
    expect(kindsOf(records, /^(model|run)\./)).toEqual(['model.failed', 'run.ended', 'run.ended']);
    checkAppendOnly(model);
  });

  test('a policy that cannot be applied', async () => {
    const { session, loop, model } = await start([done]);
    session.append([{ kind: 'policy.changed', payload: { policy: 'none' }, headers: {} }]);
    const outcome = await (await loop.send('Go.')).run;
    expect(outcome).toMatchObject({ reason: 'failed' });
    expect(outcome.error).toContain('cannot be applied');
    expect(model.requests).toEqual([]);
  });
});

describe('what people see of it', () => {
  test('the first message gives the title', async () => {
    const { session, loop } = await start([done, done]);
    await (
      await loop.send(`  ${'word '.repeat(20)}\nmore`)
    ).run;
    expect(session.title).toBe(`${'word '.repeat(12).slice(0, 59)}…`);
    await (
      await loop.send('Other.')
    ).run;
    expect(session.title).toContain('word');
  });

  test('an empty message is refused', async () => {
    const { loop } = await start([]);
    await expect(loop.send('  \n')).rejects.toThrow('empty');
    expect(loop.status).toBe('idle');
  });

  test('the answer streams, and the parts come in order', async () => {
    const { loop, parts } = await start([[text('Lo'), text('ok.'), list('c1')], done], { files: { 'a.txt': '' } });
    const streamed: string[] = [];
    loop.onDidChange((view) => {
      if (view.streaming !== '' && view.streaming !== streamed.at(-1)) streamed.push(view.streaming);
    });
    await (
      await loop.send('Go.')
    ).run;
    expect(streamed).toEqual(['Lo', 'Look.', 'Done.']);
    expect(parts).toEqual([
      { type: 'text', text: 'Lo' },
      { type: 'text', text: 'ok.' },
      { type: 'call', id: 'c1', name: 'list_files', input: {}, title: 'List the workspace' },
      { type: 'result', id: 'c1', name: 'list_files', failed: false, text: 'a.txt' },
      { type: 'text', text: 'Done.' },
    ]);
  });

  test('secrets are masked where a person is asked', async () => {
    const key = 'sk-ant-' + 'a1b2c3d4'.repeat(4);
    const model = new TestModel([[call('c1', 'run_command', { command: `curl -H "x-api-key: ${key}" example.org` })]]);
    const { loop } = await startLoop({ model });
    await loop.send('Go.');
    await expect.poll(() => loop.view.permissions.length).toBe(1);
    expect(JSON.stringify(loop.view.permissions)).not.toContain(key);
  });
});
