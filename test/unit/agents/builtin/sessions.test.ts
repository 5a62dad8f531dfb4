import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModelClient } from '../../../../extension/agents/builtin/model';
import { BuiltinSessions } from '../../../../extension/agents/builtin/sessions';
import type { FileEvent } from '../../../../extension/agents/files/watch';
import type { SessionChange } from '../../../../extension/session/inspected';
import { Emitter } from '../../../../extension/session/disposable';
import { SessionStore } from '../../../../extension/session/store';
import { testDeps } from '../../session/support';
import { done } from './checkRun';
import { makeFolder } from './folder';
import { shapeOf } from './loopSetup';
import { TestModel, call, list } from './model';

interface Started {
  readonly sessions: BuiltinSessions;
  readonly store: SessionStore;
  readonly folder: string;
  readonly workspace: string;
  readonly events: Emitter<FileEvent>;
  readonly errors: readonly unknown[];
}

async function startSessions(
  model: ModelClient | null,
  given: { folder?: string; workspace?: string } = {},
): Promise<Started> {
  const folder = given.folder ?? (await makeFolder());
  const workspace = given.workspace ?? (await makeFolder({ 'a.ts': '1' }));
  const deps = testDeps(given.folder === undefined ? '00000000' : '00000001');
  const store = new SessionStore(folder, deps);
  const events = new Emitter<FileEvent>(deps.onError);
  const sessions = new BuiltinSessions({
    store,
    models: () => model,
    fileEvents: events.event,
    denied: () => false,
    onError: deps.onError,
  });
  onTestFinished(() => sessions.closeAll());
  return { sessions, store, folder, workspace, events, errors: deps.errors };
}

describe('sessions of our own agent', () => {
  test('begin, run, are listed, and go on after a reload', async () => {
    const first = await startSessions(new TestModel([[list('c1')], done]));
    const session = await first.sessions.create({ workspace: first.workspace });
    expect(session.view).toMatchObject({
      title: 'New session',
      status: 'idle',
      model: 'Test model',
      no_composer: null,
      live: true,
    });
    const changes: SessionChange['kind'][] = [];
    session.onDidChange((change) => void changes.push(change.kind));
    const { run } = await session.loop.send('Do it.');
    expect(session.view.status).toBe('running');
    await run;
    expect(changes).toContain('grew');
    expect(session.view).toMatchObject({ title: 'Do it.', status: 'idle' });
    expect(session.window).toBe(1000);
    expect(session.reader('active')?.messages).toBe(4);
    await first.sessions.closeAll();

    const second = await startSessions(new TestModel([done]), first);
    expect(await second.sessions.list()).toMatchObject([{ id: session.id, title: 'Do it.', own: true, problem: null }]);
    const again = await second.sessions.open(session.id);
    expect(again.reader('active')?.messages).toBe(4);
    await (
      await again.loop.send('More.')
    ).run;
    expect(shapeOf(again.session)).toBe('user call result assistant user assistant');
    expect([...first.errors, ...second.errors]).toEqual([]);
  });

  test('a file that changed while it was closed is told of when it is opened', async () => {
    const read = call('c1', 'read_file', { path: 'a.txt' });
    const first = await startSessions(new TestModel([[read], done]));
    await writeFile(join(first.workspace, 'a.txt'), 'one');
    const session = await first.sessions.create({ workspace: first.workspace });
    await (
      await session.loop.send('Read it.')
    ).run;
    await first.sessions.closeAll();
    await writeFile(join(first.workspace, 'a.txt'), 'two, and longer');

    const second = await startSessions(new TestModel([done]), first);
    const again = await second.sessions.open(session.id);
    await expect.poll(() => again.session.pendingInjections().pendingCount).toBe(1);
  });

  test('one that was killed in the middle of a turn is put in order when it is opened', async () => {
    const first = await startSessions(new TestModel([[list('c1'), list('c2')], done]));
    const session = await first.sessions.create({ workspace: first.workspace });
    await (
      await session.loop.send('Do it.')
    ).run;
    const { file } = session.session;
    await first.sessions.closeAll();
    const lines = (await readFile(file, 'utf8')).split('\n');
    const cut = lines.findIndex((line) => line.includes('"tool_result"'));
    await writeFile(file, `${lines.slice(0, cut + 1).join('\n')}\n{"id":"torn`);

    const second = await startSessions(new TestModel([done]), first);
    const again = await second.sessions.open(session.id);
    expect(shapeOf(again.session)).toBe('user call result failed');
    expect(again.view.status).toBe('idle');
    await (
      await again.loop.send('Go on.')
    ).run;
    expect(shapeOf(again.session)).toBe('user call result failed user assistant');
  });

  test('opened twice it is one; it closes with the last that lets go, and listens to nothing then', async () => {
    const { sessions, workspace, events, store } = await startSessions(new TestModel([done]));
    const one = await sessions.create({ workspace });
    const two = await sessions.open(one.id);
    expect(two).toBe(one);
    one.dispose();
    await (
      await two.loop.send('Still there?')
    ).run;
    two.dispose();
    await expect.poll(() => events.size).toBe(0);
    expect(await sessions.find(one.id)).toBeNull();
    await store.remove(one.id);
    expect(await sessions.list()).toEqual([]);
    await expect(sessions.open(one.id)).rejects.toThrow('not there any more');
    await expect(sessions.open(one.id)).rejects.toThrow('not there any more');
  });

  test('letting go does not stop the agent', async () => {
    const model = new TestModel([[call('c1', 'run_command', { command: 'true' })], done]);
    const { sessions, workspace, events } = await startSessions(model);
    const session = await sessions.create({ workspace });
    const { run } = await session.loop.send('Go.');
    await expect.poll(() => session.loop.view.permissions.length).toBe(1);
    session.dispose();
    session.loop.permit(session.loop.view.permissions[0]?.id ?? '', true);
    expect(await run).toMatchObject({ reason: 'finished' });
    await expect.poll(() => events.size).toBe(0);
  });

  test('a file that changes while nothing runs waits for the next turn', async () => {
    const model = new TestModel([[call('c1', 'read_file', { path: 'a.ts' })], done, done]);
    const { sessions, workspace, events } = await startSessions(model);
    const session = await sessions.create({ workspace });
    await (
      await session.loop.send('Read it.')
    ).run;
    await writeFile(join(workspace, 'a.ts'), '2');
    events.fire({ path: join(workspace, 'a.ts'), kind: 'changed' });
    await expect.poll(() => session.session.directives().map((directive) => directive.state)).toEqual(['queued']);
    expect(session.view.status).toBe('idle');
    await (
      await session.loop.send('And?')
    ).run;
    expect(session.session.directives().map((directive) => directive.state)).toEqual(['seen']);
  });

  test('without its folder it can be read, and says why it cannot go on', async () => {
    const first = await startSessions(new TestModel([done]));
    const session = await first.sessions.create({ workspace: first.workspace });
    await (
      await session.loop.send('x')
    ).run;
    await first.sessions.closeAll();
    await rm(first.workspace, { recursive: true });
    const second = await startSessions(new TestModel([[call('c1', 'run_command', { command: 'pwd' })], done]), first);
    const again = await second.sessions.open(session.id);
    expect(again.reader('active')?.messages).toBe(2);
    expect(again.view.no_composer).toContain('cannot be opened');
    again.loop.onDidChange((view) => view.permissions.forEach((one) => again.loop.permit(one.id, true)));
    await (
      await again.loop.send('Go.')
    ).run;
    expect(shapeOf(again.session)).toBe('user assistant user call failed assistant');
  });

  test('a session that fails is shown as failed until it is written to again', async () => {
    const { sessions, workspace } = await startSessions(null);
    const session = await sessions.create({ workspace });
    await (
      await session.loop.send('x')
    ).run;
    expect(session.view.status).toBe('failed');
    expect(session.loop.view.error).toContain('No model');
    session.loop.setModel(new TestModel([done]));
    await session.loop.start('continue');
    expect(session.view).toMatchObject({ status: 'idle', model: 'Test model' });
    expect(shapeOf(session.session)).toBe('user assistant');
  });
});
