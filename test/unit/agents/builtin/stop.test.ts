import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repairSession } from '../../../../extension/agents/builtin/repair';
import { checkAppendOnly, done, start } from './checkRun';
import { makeFolder } from './folder';
import type { Setup } from './loopSetup';
import { blocksOf, kindsOf, messagesOf, resultTexts, shapeOf, startLoop, unanswered } from './loopSetup';
import { TestModel, call, list, text } from './model';

describe('stop', () => {
  test('while the model answers: what arrived is kept', async () => {
    const started = await start([
      async function* () {
        yield text('I am thin');
        void started.loop.stop();
        await new Promise(() => undefined);
      },
    ]);
    const { session, loop, records } = started;
    expect(await (await loop.send('Go.')).run).toEqual({ reason: 'stopped', error: null });
    expect(shapeOf(session)).toBe('user assistant');
    expect(blocksOf(messagesOf(session)[1])).toEqual([{ type: 'text', text: 'I am thin' }]);
    expect(kindsOf(records, /model\.failed/)).toEqual([]);
    expect(loop.status).toBe('idle');
  });

  test('before the model took the request: nothing is fired', async () => {
    const started = await start([
      async function* () {
        void started.loop.stop();
        await new Promise(() => undefined);
      },
    ]);
    started.session.inject({ body: 'b' });
    expect(await (await started.loop.send('Go.')).run).toMatchObject({ reason: 'stopped' });
    expect(shapeOf(started.session)).toBe('user envelope');
    expect(kindsOf(started.records, /fired/)).toEqual([]);
  });

  test('while a tool runs: it is ended, and every call has an answer', async () => {
    const { session, loop, root } = await start([
      [call('c1', 'run_command', { command: 'touch began; sleep 600' }), list('c2')],
    ]);
    const { run } = await loop.send('Go.');
    await expect
      .poll(() =>
        access(`${root}/began`).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await loop.stop();
    expect(await run).toEqual({ reason: 'stopped', error: null });
    expect(shapeOf(session)).toBe('user call failed failed');
    expect(resultTexts(session)).toEqual([
      'The person stopped this call while it ran; it may have done a part of its work.',
      'The person stopped the run before this call was made.',
    ]);
    expect(unanswered(session)).toEqual([]);
  });

  test('a message that comes while it is stopping starts the next run', async () => {
    const model = new TestModel([[call('c1', 'write_file', { path: 'b', content: 'x' })], done]);
    const { loop, session } = await startLoop({ model });
    await loop.send('Go.');
    await expect.poll(() => loop.view.status).toBe('asking');
    const stopped = loop.stop();
    expect(loop.view.status).toBe('stopping');
    const { queued, run } = await loop.send('No, this.');
    await stopped;
    expect([queued, (await run).reason]).toEqual([true, 'finished']);
    expect(shapeOf(session)).toBe('user call failed user assistant');
  });

  test('stopped twice, what was to run next does not run; its message waits', async () => {
    const model = new TestModel([[call('c1', 'write_file', { path: 'b', content: 'x' })], done]);
    const { loop, session } = await startLoop({ model });
    await loop.send('Go.');
    await expect.poll(() => loop.view.status).toBe('asking');
    void loop.stop();
    const { run } = await loop.send('No, this.');
    await loop.stop();
    expect((await run).reason).toBe('stopped');
    expect([loop.view.status, loop.view.queued]).toEqual(['idle', 1]);
    await loop.start('continue');
    expect(shapeOf(session)).toBe('user call failed user assistant');
  });

  test('while a person is asked', async () => {
    const model = new TestModel([[call('c1', 'write_file', { path: 'b', content: 'x' })], done]);
    const { loop, session } = await startLoop({ model });
    const { run } = await loop.send('Go.');
    await expect.poll(() => loop.view.status).toBe('asking');
    expect(loop.view.permissions).toEqual([
      { id: 's1:c1', tool: 'write_file', title: 'Write b (1 line)', detail: 'path: b\ncontent: x' },
    ]);
    await loop.stop();
    expect(await run).toMatchObject({ reason: 'stopped' });
    expect(loop.view.permissions).toEqual([]);
    expect(resultTexts(session)).toEqual(['The person stopped before this call was allowed; it did not run.']);
    expect(() => loop.permit('s1:c1', true)).toThrow('does not wait');
    await (
      await loop.send('Go on.')
    ).run;
    expect(shapeOf(session)).toBe('user call failed user assistant');
    checkAppendOnly(model);
  });
});

test('a command that would read as another one is shown with what is hidden in it', async () => {
  const command = 'echo \u202e/ fr- mr\u202c\u200b\u001b[8m';
  const model = new TestModel([[call('c1', 'run_command', { command })], done]);
  const { loop } = await startLoop({ model });
  const { run } = await loop.send('Go.');
  await expect.poll(() => loop.view.status).toBe('asking');
  const shown = String.raw`echo \u202e/ fr- mr\u202c\u200b\u001b[8m`;
  expect(loop.view.permissions).toMatchObject([{ title: `Run ${shown}`, detail: `command: ${shown}` }]);
  await loop.stop();
  await run;
});

describe('a process that was killed in the middle of a turn', () => {
  /** Opens again what was recorded up to and with the n-th record of a kind. */
  async function reopen(kind: string, count = 1): Promise<Setup & { folder: string }> {
    const first = await start([[list('c1'), list('c2')], done], { files: { 'a.txt': '' } });
    first.session.inject({ body: 'b', ttl_turns: 1 });
    await (
      await first.loop.send('Go.')
    ).run;
    const lines = (await readFile(first.session.file, 'utf8')).trimEnd().split('\n');
    const matching = lines.flatMap((line, index) =>
      (JSON.parse(line) as { event: { kind: string } }).event.kind === kind ? [index] : [],
    );
    const folder = await makeFolder();
    const file = join(folder, first.session.file.slice(dirname(first.session.file).length + 1));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, lines.slice(0, (matching[count - 1] ?? -1) + 1).join('\n') + '\n');
    return startLoop({ again: { folder, root: first.root }, model: new TestModel([done]) });
  }

  const rows: readonly {
    name: string;
    at: string;
    count?: number;
    shape: string;
    answered: number | null;
    life?: readonly string[];
  }[] = [
    { name: 'after the message was queued', at: 'message.queued', shape: '', answered: null },
    { name: 'when the run had begun', at: 'session.status', shape: '', answered: 0 },
    { name: 'after the request was sent', at: 'request.sent', shape: 'user envelope', answered: 0 },
    {
      name: 'after the calls',
      at: 'message.appended',
      count: 3,
      shape: 'user envelope call failed+failed',
      answered: 2,
      life: ['expired'],
    },
    {
      name: 'between the results',
      at: 'message.appended',
      count: 4,
      shape: 'user envelope call result failed',
      answered: 1,
      life: ['expired'],
    },
    {
      name: 'after the results',
      at: 'message.appended',
      count: 5,
      shape: 'user envelope call result result',
      answered: 0,
    },
    { name: 'at the very end', at: 'run.ended', shape: 'user envelope call result result assistant', answered: 0 },
  ];
  for (const row of rows) {
    test(row.name, async () => {
      const { session, loop, records } = await reopen(row.at, row.count);
      expect(repairSession(session)).toBe(row.answered !== null);
      expect(shapeOf(session)).toBe(row.shape);
      expect(unanswered(session)).toEqual([]);
      expect(session.state.status).toBe('idle');
      if (row.answered !== null) {
        const repaired = records.find((record) => record.event.kind === 'session.repaired');
        expect(repaired?.event.payload).toMatchObject({ calls: row.answered });
      }
      expect(kindsOf(records, /^transcript\.reminder\./).map((kind) => kind.slice(20))).toEqual(row.life ?? []);
      expect(repairSession(session)).toBe(false);
      await (
        await loop.send('Go on.')
      ).run;
      expect(shapeOf(session)).toMatch(/user( envelope)? assistant$/);
      expect(session.state.open_calls).toEqual([]);
    });
  }
});
