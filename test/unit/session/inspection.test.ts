import { beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../../extension/engine/transcript/message';
import { projectMessages } from '../../../extension/engine/projection/project';
import { parseOptions } from '../../../extension/engine/projection/options';
import { Emitter } from '../../../extension/session/disposable';
import { inspectOwn } from '../../../extension/session/ownSession';
import { Session } from '../../../extension/session/session';
import { followed, openInspector, readerOf } from './inspector';
import type { FakeLane, TestInspector } from './inspector';
import { call, laneOf, openLane, repaired, result, rowsOf, say, setPolicy, words } from './asking';
import { ABOUT, testDeps, useFolder } from './support';

const folder = useFolder();
let session: Session;
beforeEach(async () => {
  session = await Session.open(folder(), 'claude-code:x', testDeps(), { ...ABOUT, own: false });
  return () => session.dispose();
});

const open = (lane: FakeLane, inspector?: TestInspector): Promise<TestInspector> => openLane(session, lane, inspector);

describe('a big session', () => {
  const COUNT = 100_000;
  const big = (): FakeLane => ({
    entries: COUNT,
    entry: (index) =>
      index % 4 === 1
        ? call(`c${index}`)
        : index % 4 === 2
          ? result(`c${index - 1}`, 'text', index % 8 === 2)
          : say(index % 4 ? 'assistant' : 'user', `message ${index}`),
  });

  test('the first page is there before it is projected, and reads no more than it needs', async () => {
    const reader = readerOf(big());
    const inspector = openInspector();
    inspector.hold();
    inspector.inspection.show(followed(session, [reader]));
    reader.reads.count = 0;
    const { rows } = await inspector.inspection.request('rows', { start: COUNT - 40, count: 40 });
    expect(rows).toHaveLength(40);
    expect(rows.at(-1)?.message).toBe(COUNT - 1);
    expect(reader.reads.count).toBeLessThan(200);
    expect(inspector.inspection.view.projection).toMatchObject({ computing: true, prefix_hash: null });
    inspector.release();
    inspector.inspection.dispose();
  });

  test('is projected in slices, and grows without starting over', async () => {
    const lane = big();
    const reader = readerOf(lane);
    const shown = followed(session, [reader]);
    const inspector = openInspector({ policy: 'clean_tool_repair' });
    inspector.inspection.show(shown);
    await inspector.inspection.settled();
    const { projection } = inspector.inspection.view;
    expect(projection.kept + projection.hidden).toBe(COUNT);
    expect(projection.hidden).toBeGreaterThan(20_000);
    reader.reads.count = 0;
    lane.entries += 2;
    shown.changes.fire({ kind: 'grew', from: null });
    await inspector.inspection.settled();
    expect(reader.reads.count).toBeLessThan(2000);
    const after = inspector.inspection.view.projection;
    expect(after.kept).toBe(projection.kept + 2);
    expect(after.prefix_hash).not.toBe(projection.prefix_hash);
    const messages = Array.from({ length: lane.entries }, (_, index) => lane.entry(index) as Message);
    const options = parseOptions({ policy: 'clean_tool_repair', respect_provider_signatures: 'per_turn' });
    expect(after.prefix_hash).toBe(projectMessages(messages, null, options, testDeps()).prefix_hash);
    expect(inspector.errors).toEqual([]);
  });

  test('a newer choice stops the older one', async () => {
    const inspector = openInspector();
    inspector.inspection.show(followed(session, [readerOf(big())]));
    const policies = ['clean_tool_repair', 'squash_failed_calls', 'summary_prefix', 'raw'];
    await Promise.all(policies.map((policy) => inspector.inspection.request('set_policy', { policy, options: {} })));
    await inspector.inspection.settled();
    expect(inspector.inspection.view.projection).toMatchObject({ policy: 'raw', kept: COUNT, computing: false });
    inspector.inspection.show(null);
    expect(inspector.inspection.view.session).toBeNull();
    expect(inspector.errors).toEqual([]);
  });
});

describe('our own session', () => {
  async function ownSession(): Promise<{ inspector: TestInspector; own: Session }> {
    const own = await Session.open(folder(), 'own', testDeps(), ABOUT);
    const status = new Emitter<void>(() => undefined);
    const loop = {
      status: 'idle' as const,
      model: 'scripted',
      window: 1000,
      no_composer: null,
      onDidChange: status.event,
    };
    const inspector = openInspector();
    inspector.inspection.show(inspectOwn(own, loop, (error) => void inspector.errors.push(error)));
    return { inspector, own };
  }

  function turn(own: Session, answer: Message): void {
    own.drain('iteration_start');
    own.buildPrompt();
    own.promptAccepted();
    own.recordUsage({ input_tokens: own.state.messages.length * 10, output_tokens: 1 });
    own.addMessage(answer, { model: 'scripted' });
  }

  test('directives are pending, delivered in an envelope, and stay there', async () => {
    const { inspector, own } = await ownSession();
    own.addMessage(say('user', 'go'));
    const { reminder_id } = await inspector.ask('remind', {
      body: 'mind the gap',
      tags: ['x'],
      dedupe_key: null,
      ttl_turns: 1,
      preserve_on_compact: false,
      propagate: 'session',
      authority: 'advisory',
      role_hint: 'system',
      mode: 'finish_step',
    });
    expect(words(await rowsOf(inspector))).toEqual(['message kept user 0', 'pending directive engine null']);
    expect(inspector.inspection.view.directives).toEqual({ pending: 1, total: 1 });
    expect(await inspector.ask('fire_preview', { reminder_id })).toEqual({ turn: 1, starts_turn: true, others: 0 });
    turn(own, say('assistant', 'ok'));
    own.endTurn();
    const rows = await rowsOf(inspector);
    expect(words(rows)).toEqual(['message kept user 0', 'envelope directive engine 1', 'message kept assistant 2']);
    expect(rows[1]?.directives[0]).toMatchObject({
      reminder_id,
      state: 'expired',
      body: 'mind the gap',
      source: 'bridge',
      origin: 'person',
    });
    await expect(inspector.ask('revoke', { reminder_id })).rejects.toThrow(/delivered/);
    await inspector.inspection.revealDirective(reminder_id);
    expect(inspector.posted.at(-1)).toEqual({ type: 'reveal', row: 1 });
    own.dispose();
  });

  test('turns gone by are shown as they were sent, and verified', async () => {
    const { inspector, own } = await ownSession();
    own.setPolicy({ policy: 'clean_tool_repair' });
    own.addMessage(repaired[0] ?? {});
    for (const at of [1, 3]) {
      turn(own, repaired[at] ?? {});
      own.addMessage(repaired[at + 1] ?? {});
      own.endTurn();
    }
    turn(own, repaired[5] ?? {});
    own.endTurn();
    await inspector.inspection.settled();
    const { view } = inspector.inspection;
    expect(view.turn).toMatchObject({ count: 3, shown: null, verified: null });
    expect(view.turn.bars.map((bar) => bar.tokens)).toEqual([11, 31, 51]);
    expect(view.turn.bars.map((bar) => bar.diverged)).toEqual([false, false, true]);
    expect(view.projection).toMatchObject({ standing: 'applied', hidden: 2, can_apply: false });
    await inspector.ask('set_turn', { turn: 2 });
    expect(words(await rowsOf(inspector))).toEqual([
      'message kept user 0',
      'message kept assistant 1',
      'message kept result 2',
    ]);
    expect(inspector.inspection.view).toMatchObject({
      turn: { shown: 2, verified: true },
      usage: { tokens: 31, source: 'reported' },
      messages: { raw: 3, projected: 3 },
      projection: { standing: 'as_sent', hidden: 0, relation: 'append_only', can_apply: false },
    });
    await inspector.ask('set_turn', { turn: 3 });
    await inspector.inspection.settled();
    expect(inspector.inspection.view.projection).toMatchObject({
      standing: 'as_sent',
      hidden: 2,
      relation: 'diverged',
      diverged_at: 1,
      diverged_how: 'changed',
    });
    expect(inspector.inspection.view.turn.verified).toBe(true);
    await setPolicy(inspector, 'raw');
    await inspector.inspection.settled();
    expect(inspector.inspection.view.projection).toMatchObject({ standing: 'preview', hidden: 0 });
    expect(inspector.inspection.view.turn.verified).toBeNull();
    await inspector.ask('set_turn', { turn: null });
    await inspector.inspection.settled();
    expect(inspector.inspection.view.projection).toMatchObject({ standing: 'applied', policy: 'clean_tool_repair' });
    await expect(inspector.ask('set_turn', { turn: 9 })).rejects.toThrow(/turn 9/);
    own.dispose();
  });

  test('a policy is previewed, applied and recorded', async () => {
    const { inspector, own } = await ownSession();
    for (const message of repaired) own.addMessage(message);
    await setPolicy(inspector, 'clean_tool_repair', { protect_unanswered: false });
    await inspector.inspection.settled();
    expect(inspector.inspection.view.projection).toMatchObject({
      standing: 'preview',
      can_apply: true,
      options: { protect_unanswered: false },
    });
    expect(own.state.policy).toBeNull();
    await inspector.ask('apply_policy', {});
    await inspector.inspection.settled();
    expect(inspector.inspection.view.projection).toMatchObject({ standing: 'applied', can_apply: false, hidden: 2 });
    expect(own.state.policy).toMatchObject({ policy: 'clean_tool_repair', protect_unanswered: false });
    expect(own.buildPrompt().messages).toHaveLength(4);
    own.dispose();
  });

  test('what was chosen is there again, what does not fit any more is not', async () => {
    const inspector = await open(laneOf(repaired));
    await setPolicy(inspector, 'summary_prefix', { keep_last: 2 });
    await inspector.ask('set_filter', { speakers: ['assistant'], states: [] });
    await inspector.ask('set_turn', { turn: 2 });
    const again = openInspector();
    for (const [id, kept] of inspector.kept) again.kept.set(id, kept);
    await open(laneOf(repaired), again);
    expect(again.inspection.view).toMatchObject({
      projection: { policy: 'summary_prefix', options: { keep_last: 2 } },
      filter: { speakers: ['assistant'] },
      turn: { shown: 2 },
    });
    const odd = openInspector();
    odd.kept.set(session.id, {
      policy: 'gone',
      options: {},
      lane: 'gone',
      turn: 99,
      filter: { speakers: [], states: [] },
    });
    await open(laneOf(repaired), odd);
    expect(odd.inspection.view).toMatchObject({ projection: { policy: 'raw' }, turn: { shown: null }, lane: 'active' });
    expect(odd.errors).toEqual([]);
  });

  test('what was looked at waits until enough is known', async () => {
    const shown = followed(session, [readerOf(laneOf(repaired.slice(3), { provisional: true }))]);
    const readers = [readerOf(laneOf(repaired)), readerOf(laneOf(repaired, { id: 'branch' }))];
    const inspector = openInspector();
    const kept = { policy: 'raw', options: {}, lane: 'branch', turn: 2, filter: { speakers: [], states: [] } };
    inspector.kept.set(session.id, kept);
    inspector.inspection.show(shown);
    await inspector.ask('set_filter', { speakers: [], states: [] });
    expect(inspector.kept.get(session.id)).toEqual(kept);
    const known = followed(session, readers);
    Object.assign(shown, { reader: (lane: string) => known.reader(lane) });
    shown.changes.fire({ kind: 'reset', lane: null });
    await inspector.inspection.settled();
    expect(inspector.inspection.view).toMatchObject({ lane: 'branch', turn: { shown: 2 }, rows: { count: 3 } });
  });
});

describe('the window', () => {
  test('hears of changes once, with a rising revision, and only when it is ready', async () => {
    const inspector = openInspector();
    const { inspection, posted } = inspector;
    inspection.show(followed(session, [readerOf(laneOf(repaired))]));
    await inspection.settled();
    inspector.flush();
    expect(posted).toEqual([]);
    inspection.receive({ type: 'ready' });
    await expect.poll(() => posted.length).toBe(1);
    for (let at = 0; at < 20; at++) session.remind({ body: `r${at}` });
    inspection.changed();
    inspection.changed();
    inspector.flush();
    expect(posted).toHaveLength(2);
    const revisions = posted.flatMap((message) => (message.type === 'view' ? [message.view.revision] : []));
    expect(revisions[1]).toBeGreaterThan(revisions[0] ?? 0);
    expect(JSON.stringify(posted).length).toBeLessThan(30_000);
  });

  const hostile: readonly (readonly [string, unknown, RegExp | null])[] = [
    ['nothing', undefined, null],
    ['a string', 'rows', null],
    ['an unknown type', { type: 'rm' }, null],
    ['an unknown method', { type: 'request', id: 1, method: 'rm', params: {} }, /does not know/],
    ['a method of the prototype', { type: 'request', id: 1, method: 'toString', params: {} }, /does not know/],
    ['no params', { type: 'request', id: 1, method: 'rows' }, /malformed/],
    ['a negative start', { type: 'request', id: 1, method: 'rows', params: { start: -1, count: 5 } }, /start/],
    ['half a row', { type: 'request', id: 1, method: 'rows', params: { start: 0.5, count: 5 } }, /start/],
    ['too many rows', { type: 'request', id: 1, method: 'rows', params: { start: 0, count: 1e9 } }, /count/],
    ['more than it should be', { type: 'request', id: 1, method: 'stop', params: { force: true } }, /malformed/],
    [
      'an unknown command',
      { type: 'request', id: 1, method: 'command', params: { command: 'workbench.action.terminal.new' } },
      /command/,
    ],
    [
      'a script link',
      { type: 'request', id: 1, method: 'link', params: { url: 'javascript:alert(1)' } },
      /web and mail/,
    ],
    ['a file link', { type: 'request', id: 1, method: 'link', params: { url: 'file:///etc/passwd' } }, /web and mail/],
    [
      'a key of another time',
      { type: 'request', id: 1, method: 'body', params: { key: '0.m1', side: 'raw', block: 0, offset: 0 } },
      /not there/,
    ],
    [
      'no key',
      { type: 'request', id: 1, method: 'body', params: { key: '../x', side: 'raw', block: 0, offset: 0 } },
      /not there/,
    ],
    [
      'an unknown policy',
      { type: 'request', id: 1, method: 'set_policy', params: { policy: 3, options: {} } },
      /policy/,
    ],
    ['an unknown lane', { type: 'request', id: 1, method: 'set_lane', params: { lane: 'x' } }, /branch/],
    [
      'a reminder without text',
      {
        type: 'request',
        id: 1,
        method: 'remind',
        params: {
          body: '',
          tags: [],
          dedupe_key: null,
          ttl_turns: null,
          preserve_on_compact: false,
          propagate: 'session',
          authority: 'contract',
          role_hint: 'system',
          mode: 'finish_step',
        },
      },
      /HARN-RMD/,
    ],
    ['an unknown reminder', { type: 'request', id: 1, method: 'fire', params: { reminder_id: 'x' } }, /no reminder/],
    [
      'an unknown question',
      { type: 'request', id: 1, method: 'permit', params: { id: 'x', allow: true } },
      /no question/,
    ],
    ['a message that goes nowhere', { type: 'request', id: 1, method: 'send', params: { text: 'hi' } }, /no way in/],
    [
      'an unknown record',
      { type: 'request', id: 1, method: 'open', params: { what: 'record', record_id: 'x' } },
      /no record/,
    ],
  ];
  for (const [name, message, error] of hostile) {
    test(`${name} is refused and nothing breaks`, async () => {
      const inspector = await open(laneOf(repaired));
      const before = JSON.stringify(await rowsOf(inspector));
      inspector.inspection.receive(message);
      if (error) {
        await expect.poll(() => inspector.posted.length).toBe(1);
        const [reply] = inspector.posted;
        expect(reply).toMatchObject({ type: 'failure', id: 1 });
        expect(reply?.type === 'failure' ? reply.error : '').toMatch(error);
      } else {
        await expect.poll(() => inspector.errors.length).toBe(1);
      }
      expect(JSON.stringify(await rowsOf(inspector))).toBe(before);
      expect(inspector.calls).toEqual([]);
    });
  }

  test('a policy that does not work says why in its place', async () => {
    const inspector = await open(laneOf(repaired));
    await setPolicy(inspector, 'clean_tool_repair');
    await setPolicy(inspector, 'summary_prefix', { keep_last: -1 });
    await inspector.inspection.settled();
    expect(inspector.inspection.view.projection.error).toMatch(/keep_last/);
    expect(inspector.inspection.view.projection).toMatchObject({ policy: 'clean_tool_repair', hidden: 2 });
    await setPolicy(inspector, 'raw');
    expect(inspector.inspection.view.projection.error).toBeNull();
  });

  test('without a session everything is refused with what to do', async () => {
    const inspector = openInspector();
    await expect(inspector.ask('rows', { start: 0, count: 1 })).rejects.toThrow(/Choose one/);
    await expect(inspector.ask('directives', {})).rejects.toThrow(/Choose one/);
    expect(inspector.inspection.view).toMatchObject({ session: null, rows: { count: 0 }, error: null });
    expect(inspector.inspection.view.policies.map(({ name }) => name)).toEqual([
      'raw',
      'clean_tool_repair',
      'squash_failed_calls',
      'summary_prefix',
      'reachability_gc',
    ]);
  });

  test('a session whose file is replaced is looked at anew', async () => {
    const readers = [readerOf(laneOf(repaired))];
    const shown = followed(session, readers);
    const inspector = openInspector();
    inspector.inspection.show(shown);
    const [first] = await rowsOf(inspector);
    readers[0] = readerOf(laneOf([say('user', 'another')]));
    shown.changes.fire({ kind: 'reset', lane: null });
    const rows = await rowsOf(inspector);
    expect(words(rows)).toEqual(['message kept user 0']);
    expect(rows[0]?.key).not.toBe(first?.key);
    await expect(inspector.ask('body', { key: first?.key ?? '', side: 'raw', block: 0, offset: 0 })).rejects.toThrow(
      /not there/,
    );
  });

  test('opened and closed ten times nothing stays behind', async () => {
    const shown = followed(session, [readerOf(laneOf(repaired))]);
    for (let time = 0; time < 10; time++) {
      const inspector = openInspector();
      inspector.inspection.show(shown);
      inspector.inspection.receive({ type: 'ready' });
      inspector.inspection.dispose();
      inspector.inspection.receive({ type: 'request', id: 1, method: 'rows', params: { start: 0, count: 1 } });
      inspector.flush();
      expect(inspector.posted).toEqual([]);
    }
    expect(shown.changes.size).toBe(0);
  });
});
