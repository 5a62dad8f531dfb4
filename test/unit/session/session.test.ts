import { spawn } from 'node:child_process';
import { appendFile, chmod, mkdir, readFile, readdir, writeFile, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReadOnlySession } from '../../../extension/session/deps';
import { Session } from '../../../extension/session/session';
import { SessionStore } from '../../../extension/session/store';
import type { LogRecord } from '../../../extension/engine/state/record';
import { projectMessages } from '../../../extension/engine/projection/project';
import { parseOptions } from '../../../extension/engine/projection/options';
import { unpackLists } from '../../../extension/session/projectionPacking';
import { ABOUT, testDeps, useFolder } from './support';

const folder = useFolder();

/** What the state says, without its shared buffers. */
function plain(session: Session): unknown {
  const { state, timeline } = session;
  return JSON.parse(
    JSON.stringify({
      messages: state.messages.toArray(),
      reminders: state.reminders.values(),
      pending: state.pending.keys(),
      queue: state.queue.values(),
      turn: state.turn,
      status: state.status,
      policy: state.policy,
      projections: state.projections.toArray(),
      requests: timeline.requests,
      moments: timeline.moments,
      directives: session.directives(),
      lifecycle: session.lifecycle({ kinds: [], reminder_id: null, since_ms: null, until_ms: null }, 0, 1e6),
    }),
  );
}

describe('a session', () => {
  test('opens with what it is about, and is the same after it was closed', async () => {
    const deps = testDeps();
    const session = await Session.open(folder(), 'one', deps, ABOUT);
    expect(session.about).toMatchObject({ title: 'Test', own: true, workspace: '/w' });
    session.addMessage({ role: 'user', content: 'hello' });
    const { reminder_id } = session.inject({ body: 'look', ttl_turns: 2 });
    const prompt = session.buildPrompt();
    expect(prompt.reminder_ids).toEqual([reminder_id]);
    expect(prompt.messages).toHaveLength(2);
    expect(session.promptAccepted().fired).toEqual([reminder_id]);
    session.addMessage({ role: 'assistant', content: 'hi' }, { model: 'm' });
    session.recordUsage({ input_tokens: 10, output_tokens: 2 });
    session.endTurn();
    const before = plain(session);
    session.dispose();
    session.dispose();
    const again = await Session.open(folder(), 'one', deps, { ...ABOUT, title: 'other' });
    expect(plain(again)).toEqual(before);
    expect(again.title).toBe('Test');
    expect(again.timeline.usageAt(2)).toBe(12);
    again.dispose();
    expect(deps.errors).toEqual([]);
  });

  test('announces only what stands in the file', async () => {
    const session = await Session.open(folder(), 'one', testDeps(), ABOUT);
    const seen: LogRecord[] = [];
    session.onDidAppend((records) => {
      seen.push(...records);
      for (const record of records) expect(session.record(record.id)).toEqual(record);
    });
    session.addMessage({ role: 'user', content: 'é😀' });
    session.remind({ body: 'x' });
    expect(seen.map((record) => record.event.kind)).toEqual([
      'message.appended',
      'transcript.event',
      'reminder.queued',
    ]);
    expect(seen.map((record) => record.event.headers['batch'])).toEqual([undefined, '1/2', '2/2']);
    const text = await readFile(session.file, 'utf8');
    expect(
      text
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(seen);
    expect(session.record('nothing')).toBeNull();
    session.dispose();
    expect(() => session.addMessage({ role: 'user', content: 'late' })).toThrow(ReadOnlySession);
  });

  test('a refusal records nothing', async () => {
    const session = await Session.open(folder(), 'one', testDeps(), ABOUT);
    const before = await readFile(session.file, 'utf8');
    expect(() => session.remind({ body: ' ' })).toThrow(/HARN-RMD-002/);
    expect(() => session.revoke('nobody')).toThrow(/nobody/);
    expect(() => session.setPolicy({ policy: 'nope' })).toThrow(/nope/);
    expect(await readFile(session.file, 'utf8')).toBe(before);
    session.dispose();
  });

  test('large material of a policy is kept once, and turns by it verify', async () => {
    const session = await Session.open(folder(), 'one', testDeps(), ABOUT);
    const summary = 'what was said before '.repeat(500);
    session.setPolicy({ policy: 'summary_prefix', keep_last: 1, summary });
    const size = session.state.projections.length;
    for (let turn = 0; turn < 10; turn++) {
      session.addMessage({ role: 'user', content: 'on' });
      const prompt = session.buildPrompt();
      if (turn > 0) expect(prompt.messages[0]?.['content']).toBe(summary);
      session.promptAccepted();
      session.addMessage({ role: 'assistant', content: 'ok' });
      session.endTurn();
    }
    expect(session.projectionOptions(size + 9)?.['summary']).toBe(summary);
    const text = await readFile(session.file, 'utf8');
    expect(text.split(summary).length - 1).toBe(2);
    session.dispose();
    const again = await Session.open(folder(), 'one', testDeps());
    expect(again.projectionOptions(9)?.['summary']).toBe(summary);
    again.dispose();
  });

  test('a second window is told to use the first, follows it, and takes over', async () => {
    const first = await Session.open(folder(), 'one', testDeps('1'), ABOUT);
    const second = await Session.open(folder(), 'one', testDeps('2'), ABOUT);
    expect(second.readOnly).toContain('another window');
    expect(() => second.addMessage({ role: 'user', content: 'no' })).toThrow(ReadOnlySession);
    first.addMessage({ role: 'user', content: 'one' });
    const heard = new Promise<number>((resolve) => second.onDidAppend((records) => resolve(records.length)));
    await second.catchUp();
    expect(await heard).toBe(1);
    expect(plain(second)).toEqual(plain(first));
    first.dispose();
    await second.catchUp();
    expect(second.readOnly).toBeNull();
    second.addMessage({ role: 'user', content: 'two' });
    expect(second.state.messages.length).toBe(2);
    second.dispose();
  });

  test('replaying the file gives the state, whatever was done', async () => {
    const command = fc.oneof(
      fc.record({ do: fc.constant('say'), text: fc.string(), role: fc.constantFrom('user', 'assistant', 'tool') }),
      fc.record({
        do: fc.constant('remind'),
        body: fc.constantFrom('a', 'b', 'c'),
        key: fc.constantFrom(null, 'k'),
        ttl: fc.constantFrom(null, 1, 2),
        mode: fc.constantFrom('finish_step', 'interrupt_immediate', 'audit_only'),
      }),
      fc.record({ do: fc.constant('inject'), body: fc.constantFrom('a', 'b'), key: fc.constantFrom(null, 'k') }),
      fc.record({ do: fc.constantFrom('turn', 'drain', 'revoke', 'user', 'reopen', 'policy', 'refused') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 25 }), fc.uuid(), async (commands, id) => {
        const deps = testDeps();
        let session = await Session.open(folder(), id, deps, ABOUT);
        for (const step of commands) {
          if (!('role' in step) && !('body' in step)) {
            if (step.do === 'turn' || step.do === 'refused') {
              session.drain('iteration_start');
              session.buildPrompt();
              if (step.do === 'refused') session.promptRefused();
              else {
                session.promptAccepted();
                session.addMessage({ role: 'assistant', content: 'ok' });
                session.endTurn();
              }
            } else if (step.do === 'drain') session.drain('post_tool_dispatch');
            else if (step.do === 'user') session.injectUser({ content: 'more' });
            else if (step.do === 'policy') session.setPolicy({ policy: 'summary_prefix', keep_last: 2 });
            else if (step.do === 'revoke') {
              const waiting = session.directives().find((directive) => directive.can_revoke);
              if (waiting) session.revoke(waiting.reminder_id);
            } else {
              const before = plain(session);
              session.dispose();
              session = await Session.open(folder(), id, deps);
              expect(plain(session)).toEqual(before);
            }
          } else if ('role' in step) session.addMessage({ role: step.role, content: step.text });
          else if ('mode' in step) {
            session.remind({ body: step.body, dedupe_key: step.key, ttl_turns: step.ttl, mode: step.mode });
          } else session.inject({ body: step.body, dedupe_key: step.key });
        }
        const before = plain(session);
        session.state.requests.toArray().forEach((mark) => {
          const number = mark.projections - 1;
          const recorded = session.state.projections.at(number);
          const options = parseOptions(session.projectionOptions(number));
          const again = projectMessages(mark.messages.toArray(), null, options, deps);
          expect(again.prefix_hash).toBe(recorded?.['prefix_hash']);
          const lists = unpackLists(number, (index) => session.state.projections.at(index));
          expect(lists.kept_indices).toEqual(again.kept_indices);
          expect(lists.dropped_indices).toEqual(again.dropped_indices);
        });
        session.dispose();
        const again = await Session.open(folder(), id, deps);
        expect(plain(again)).toEqual(before);
        expect(again.issues.total).toBe(0);
        again.dispose();
        expect(deps.errors).toEqual([]);
      }),
      { seed: 42, numRuns: 40 },
    );
  });

  test('nothing that was acknowledged is lost when the process is killed', async () => {
    const script = join(folder(), 'child.mjs');
    buildSync({
      entryPoints: [join(import.meta.dirname, 'killed.child.ts')],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
    });
    const acknowledged: string[] = [];
    for (let round = 0; round < 6; round++) {
      const child = spawn(process.execPath, [script, folder(), 'killed'], { stdio: ['ignore', 'pipe', 'inherit'] });
      let out = '';
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text;
        if (out.length > 2000 + round * 3137) child.kill('SIGKILL');
      });
      await ended;
      const lines = out.split('\n');
      acknowledged.push(...lines.slice(0, -1));
      if (round % 2 === 0) await appendFile(join(folder(), 'killed.jsonl'), '{"id":"torn","event":{"ki');
    }
    const session = await Session.open(folder(), 'killed', testDeps());
    expect(session.readOnly).toBeNull();
    expect(acknowledged.length).toBeGreaterThan(200);
    for (const id of acknowledged) expect(session.record(id)?.id).toBe(id);
    const issues = session.issues.first.filter((issue) => issue.kind !== 'truncated');
    expect(issues).toEqual([]);
    session.dispose();
    const text = await readFile(join(folder(), 'killed.jsonl'), 'utf8');
    let open: string | null = null;
    for (const line of text.trimEnd().split('\n')) {
      const record = JSON.parse(line) as LogRecord;
      const [at = '1', of = '1'] = (record.event.headers['batch'] ?? '1/1').split('/');
      expect(at === '1' ? open : `${Number(at) - 1}/${of}`).toBe(at === '1' ? null : open);
      open = at === of ? null : `${at}/${of}`;
    }
    expect(open).toBeNull();
  });
});

describe('the store', () => {
  test('lists sessions, the latest first, and gives one object for one session', async () => {
    const store = new SessionStore(join(folder(), 'deep', 'er'), testDeps());
    expect(await store.list()).toEqual([]);
    const first = await store.create({ ...ABOUT, title: 'First' });
    const second = await store.openFor('claude-code:../../x y', {
      ...ABOUT,
      title: 'Second',
      own: false,
      agent: 'Claude Code',
      source: '/s',
    });
    first.setTitle('First, renamed');
    first.addMessage({ role: 'user', content: 'hi' });
    const list = await store.list();
    expect(
      list.map(({ id, title, own, agent, source, problem }) => ({ id, title, own, agent, source, problem })),
    ).toEqual([
      { id: first.id, title: 'First, renamed', own: true, agent: 'Own agent', source: null, problem: null },
      { id: 'claude-code:../../x y', title: 'Second', own: false, agent: 'Claude Code', source: '/s', problem: null },
    ]);
    const [a, b] = await Promise.all([store.open(first.id), store.openFor(first.id)]);
    expect(a).toBe(first);
    expect(b).toBe(first);
    await expect(store.remove(first.id)).rejects.toThrow(/open/);
    for (const session of [a, b, first]) session.dispose();
    expect(first.readOnly).not.toBeNull();
    const again = await store.open(first.id);
    expect(again).not.toBe(first);
    expect(again.readOnly).toBeNull();
    again.dispose();
    second.dispose();
    await store.remove(first.id);
    expect((await store.list()).map((each) => each.id)).toEqual([second.id]);
    await expect(store.open(first.id)).rejects.toThrow(/not there/);
    expect((await readdir(join(folder(), 'deep', 'er'))).filter((name) => name.includes('lock'))).toEqual([]);
  });

  test('a log that holds its records twice, or something from the future, gives the same state', async () => {
    const session = await Session.open(folder(), 'twice', testDeps(), ABOUT);
    session.addMessage({ role: 'user', content: 'hello' });
    session.inject({ body: 'look', ttl_turns: 2 });
    session.buildPrompt();
    session.promptAccepted();
    const before = plain(session);
    session.dispose();
    const lines = (await readFile(session.file, 'utf8')).trimEnd().split('\n');
    const future = { kind: 'moon.landed', payload: { a: [] }, headers: { batch: '9' }, occurred_at_ms: 8.64e15 };
    const more = [JSON.stringify({ id: 'f', event: future, since: 9 }), 'garbage', '\ud800', '{"id":1}'];
    await writeFile(session.file, [...lines, ...more, ...lines].join('\n') + '\n');
    const again = await Session.open(folder(), 'twice', testDeps());
    expect(plain(again)).toEqual(before);
    const kinds = again.issues.first.map(({ line, kind }) => `${line} ${kind}`);
    expect(again.issues.total).toBe(lines.length + 3);
    expect(kinds).toContain(`${lines.length + more.length + 1} duplicate`);
    again.dispose();
  });

  test('where nothing can be written a new session is refused, and one that is there can be looked at', async () => {
    await mkdir(join(folder(), 'new.jsonl.lock'));
    await expect(Session.open(folder(), 'new', testDeps(), ABOUT)).rejects.toThrow(/cannot be written/);
    const session = await Session.open(folder(), 'old', testDeps(), ABOUT);
    session.addMessage({ role: 'user', content: 'hello' });
    session.dispose();
    await mkdir(join(folder(), 'old.jsonl.lock'));
    const again = await Session.open(folder(), 'old', testDeps());
    expect([again.state.messages.length, again.title]).toEqual([1, 'Test']);
    expect(again.readOnly).toMatch(/can only be looked at/);
    expect(() => again.addMessage({ role: 'user', content: 'more' })).toThrow(/can only be looked at/);
    await again.catchUp();
    await rmdir(join(folder(), 'old.jsonl.lock'));
    await again.catchUp();
    again.addMessage({ role: 'user', content: 'more' });
    expect([again.state.messages.length, again.readOnly]).toEqual([2, null]);
    again.dispose();
  });

  test('files that are no logs, empty ones and folders do no harm', async () => {
    await writeFile(join(folder(), 'empty.jsonl'), '');
    await writeFile(join(folder(), 'other.txt'), 'x');
    await writeFile(join(folder(), 'binary.jsonl'), Buffer.from([0, 255, 10, 1]));
    await writeFile(join(folder(), '%zz.jsonl'), 'x');
    await mkdir(join(folder(), 'folder.jsonl'));
    const list = await new SessionStore(folder(), testDeps()).list();
    expect(list.map(({ id, problem }) => [id, problem !== null]).sort()).toEqual([
      ['binary', true],
      ['empty', false],
    ]);
  });

  test('the ends of a long log are enough to list it', async () => {
    const store = new SessionStore(folder(), testDeps());
    const session = await store.create(ABOUT);
    for (let turn = 0; turn < 40; turn++) {
      session.addMessage({ role: 'user', content: 'x'.repeat(8000) });
      session.buildPrompt();
      session.promptAccepted();
      session.addMessage({ role: 'assistant', content: 'ok' });
      session.endTurn();
    }
    const [summary] = await store.list();
    expect(summary).toMatchObject({ title: 'Test', turns: 40, own: true });
    expect(summary?.bytes).toBeGreaterThan(300_000);
    session.dispose();
  });

  test('a log that cannot be written says so and stays as it was', async () => {
    const session = await Session.open(folder(), 'full', testDeps(), ABOUT);
    const before = await readFile(session.file, 'utf8');
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    expect(() => session.append([{ kind: 'x', payload: cyclic as never }])).toThrow();
    expect(await readFile(session.file, 'utf8')).toBe(before);
    await chmod(folder(), 0o700);
    session.addMessage({ role: 'user', content: 'fine' });
    expect(session.state.messages.length).toBe(1);
    session.dispose();
  });
});
