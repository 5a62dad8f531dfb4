import { describe, expect, test } from 'vitest';
import { messageOf } from '../../../../extension/engine/diagnostics';
import { decideRevoke } from '../../../../extension/engine/reminders/bridge';
import { decideCompact } from '../../../../extension/engine/reminders/compaction';
import { directivesOf, stateOf } from '../../../../extension/engine/reminders/directives';
import { decideFireNow, previewFireNow } from '../../../../extension/engine/reminders/fireNow';
import { fireProviders } from '../../../../extension/engine/reminders/firing';
import { decideHandOver, decideSeen } from '../../../../extension/engine/reminders/handover';
import { decideClear } from '../../../../extension/engine/reminders/inject';
import { lifecycleRowOf } from '../../../../extension/engine/reminders/lifecycle';
import { decideInherit, handoffOf } from '../../../../extension/engine/reminders/propagation';
import { decideSeam } from '../../../../extension/engine/reminders/seams';
import { decideBudget, decideStatus } from '../../../../extension/engine/state/commands';
import { updatesOf } from '../../../../extension/engine/state/updates';
import type { Json } from '../../../../extension/engine/transcript/message';
import { Play } from '../state/play';

/** What the Lifecycle tab says of everything that happened, without the bodies. */
function wordsOf(play: Play): readonly string[] {
  return play.records.flatMap((record) => {
    const row = lifecycleRowOf(record, play.state);
    return row === null ? [] : [row.text.replace(/: b$/, '')];
  });
}

describe('fire now', () => {
  test('makes a queued one immediate for the next turn, takes others along, and says so first', () => {
    const play = new Play();
    const id = play.remind({ body: 'b', authority: 'advisory' });
    play.inject({ body: 'other' });
    play.remind({ body: 'audit', mode: 'audit_only' });
    const before = play.state;
    expect(previewFireNow(play.state, id)).toEqual({ turn: 1, starts_turn: true, others: 1 });
    expect(play.state).toBe(before);
    play.do((state) => decideStatus(state, 'running'));
    expect(play.do((state) => decideFireNow(state, id))).toEqual({ turn: 1, starts_turn: false, others: 1 });
    expect(directivesOf(play.state)[0]).toMatchObject({ fire_turn: 1, state: 'queued', hold: 'waits_for_seam' });
    expect(play.do((state) => decideSeam(state, 'daemon_idle_pre')).delivered).toEqual([id]);
    expect(play.prompt().fired.length).toBe(2);
    expect(directivesOf(play.state)[0]).toMatchObject({ fire_turn: null, state: 'seen', delivered_turn: 1 });
  });

  test('overrides the hold on advisories', () => {
    const play = new Play([]);
    const id = play.inject({ body: 'b', authority: 'advisory' });
    expect(play.prompt().envelope).toBeNull();
    expect(directivesOf(play.state)[0]?.hold).toBe('no_user_turn');
    play.do((state) => decideFireNow(state, id));
    expect(directivesOf(play.state)[0]?.hold).toBeNull();
    expect(play.prompt().fired).toEqual([id]);
  });

  test('names the turn after one that is under way, and puts back what missed it', () => {
    const play = new Play();
    play.prompt();
    const id = play.remind({ body: 'b' });
    expect(play.do((state) => decideFireNow(state, id)).turn).toBe(2);
    expect(play.endTurn().missed).toEqual([]);
    expect(play.state.queue.get(id)?.mode).toBe('interrupt_immediate');
    play.prompt();
    expect(play.endTurn().missed).toEqual([id]);
    expect(play.state.queue.get(id)?.mode).toBe('finish_step');
    expect(directivesOf(play.state)[0]).toMatchObject({ fire_turn: null, state: 'queued', can_fire: true });
    expect(wordsOf(play).at(-1)).toBe('missed turn 2, waits again');
  });

  test('is refused while the model knows the same text, and offered again when that has ended', () => {
    const play = new Play();
    const first = play.inject({ body: 'b' });
    play.prompt();
    const id = play.inject({ body: 'b' });
    expect(directivesOf(play.state)[1]).toMatchObject({ hold: 'same_text_in_force', can_fire: false });
    expect(() => previewFireNow(play.state, id)).toThrow('is still in force');
    play.do((state) => decideClear(state, { id: first }));
    expect(directivesOf(play.state)[1]).toMatchObject({ hold: null, can_fire: true });
  });

  test('a fired watcher notice makes a loop go on', () => {
    const play = new Play();
    const id = play.remind({ body: 'b', _meta: { harn: { origin: 'file-watcher' } } });
    play.do((state) => decideFireNow(state, id));
    expect(play.do((state) => decideSeam(state, 'iteration_end', { finishing: true })).continue).toBe(true);
  });

  test.each<[string, (play: Play) => string, string]>([
    ['an unknown one', () => 'x', 'fire now: there is no reminder x in this session'],
    ['one for the record', (play) => play.remind({ body: 'b', mode: 'audit_only' }), 'the model never sees it'],
    [
      'a delivered one',
      (play) => {
        const id = play.inject({ body: 'b' });
        play.prompt();
        return id;
      },
      'was delivered in turn 1; send a correction instead',
    ],
    [
      'a revoked one',
      (play) => {
        const id = play.inject({ body: 'b' });
        play.do((state) => decideRevoke(state, id));
        return id;
      },
      'does not wait any more: it was revoked',
    ],
  ])('is refused for %s, with what happened', (_, make, message) => {
    const play = new Play();
    const id = make(play);
    expect(() => previewFireNow(play.state, id)).toThrow(message);
  });
});

describe('an agent that others run', () => {
  test('is handed a directive, which ages and is seen', () => {
    const play = new Play();
    const id = play.remind({ body: 'b', ttl_turns: 1 });
    const how = { route: 'hook', mid_turn: true };
    expect(play.do((state) => decideHandOver(state, [id, 'x'], how)).handed_over).toEqual([id]);
    expect(stateOf(play.state, id)).toBe('delivered');
    expect(play.do((state) => decideHandOver(state, [id], how)).handed_over).toEqual([]);
    expect(() => play.do((state) => decideRevoke(state, id))).toThrow(/was delivered in turn 1/);
    expect(play.do((state) => decideSeen(state, [id], 'log')).seen).toEqual([id]);
    expect(play.do((state) => decideSeen(state, [id], 'log')).seen).toEqual([]);
    expect(stateOf(play.state, id)).toBe('seen');
    expect(play.endTurn()).toMatchObject({ expired: [id], lost: [] });
  });

  test.each([
    [true, [0, 1]],
    [false, [1, 1]],
  ])('loses what is not seen by the end of the next turn (in mid-turn: %s)', (mid_turn, lost) => {
    const play = new Play();
    const id = play.inject({ body: 'b' });
    play.do((state) => decideHandOver(state, [id], { route: 'prompt', mid_turn }));
    const after = [0, 1].map(() => {
      play.endTurn();
      return stateOf(play.state, id) === 'lost' ? 1 : 0;
    });
    expect(after).toEqual(lost);
    expect(directivesOf(play.state)[0]).toMatchObject({ state: 'lost', can_revoke: true, can_fire: true });
    play.do((state) => decideHandOver(state, [id], { route: 'prompt', mid_turn }));
    expect(stateOf(play.state, id)).toBe('delivered');
  });
});

describe('the states that people see', () => {
  test.each<[string, (play: Play, id: string) => void, string]>([
    ['pending', () => undefined, 'pending'],
    ['seen', (play) => void play.prompt(), 'seen'],
    ['cleared', (play, id) => void play.do((state) => decideClear(state, { id })), 'cleared'],
    ['revoked', (play, id) => void play.do((state) => decideRevoke(state, id)), 'revoked'],
    ['replaced', (play) => void play.inject({ body: 'c', dedupe_key: 'k' }), 'replaced'],
    [
      'expired with a compaction',
      (play) => void play.do((state) => decideCompact(state, { outcome: 'done', messages: [] })),
      'expired',
    ],
  ])('%s', (_, act, wanted) => {
    const play = new Play();
    const id = play.inject({ body: 'b', dedupe_key: 'k' });
    act(play, id);
    expect(stateOf(play.state, id)).toBe(wanted);
  });

  test('and the words of the Lifecycle tab', () => {
    const play = new Play();
    play.remind({ body: 'b' });
    play.do((state) => decideSeam(state, 'iteration_start'));
    play.prompt();
    expect(wordsOf(play)).toEqual([
      'queued (finish_step)',
      'pending',
      'in message 1',
      'delivered in turn 1',
      'seen by the model',
    ]);
    const rows = play.records.flatMap((record) => lifecycleRowOf(record, play.state) ?? []);
    expect(rows.every((row) => row.reminder_id === 'id-1')).toBe(true);
    expect(rows[0]?.text).toBe('queued (finish_step): b');
  });

  test('no lifecycle record holds a body', () => {
    const play = new Play();
    play.inject({ body: 'secret', dedupe_key: 'k' });
    play.prompt();
    play.inject({ body: 'secret two', dedupe_key: 'k' });
    const lifecycle = play.records.filter(({ event }) => event.headers['topic'] === 'transcript.reminder.lifecycle');
    expect(JSON.stringify(lifecycle)).not.toContain('secret');
    expect(lifecycle.length).toBe(4);
  });
});

test.each([
  [new Error('a'), 'a'],
  [{ message: 'b' }, 'b'],
  ['c', 'c'],
  [5, 'unknown fault'],
])('the message of %j is %s', (thrown, message) => expect(messageOf(thrown)).toBe(message));

test('a fired reminder goes out as an update, with its body', () => {
  const play = new Play();
  const id = play.inject({ body: 'b', tags: ['t'], ttl_turns: 3 });
  play.prompt();
  const updates = play.records.flatMap(({ event }) => updatesOf(play.state, event));
  const reminder = {
    reminderId: id,
    tags: ['t'],
    body: 'b',
    roleHint: 'system',
    authority: 'contract',
    renderedRole: 'user',
    source: 'in_pipeline',
    ttlTurns: 3,
  };
  expect(updates).toEqual([{ sessionUpdate: 'reminder_emitted', _meta: { harn: { reminder } } }]);
});

test('a copy that a sub-agent takes over keeps its id unless that is taken', () => {
  const parent = new Play();
  parent.inject({ body: 'b', propagate: 'all' });
  parent.remind({ body: 'audit', mode: 'audit_only', propagate: 'all' });
  parent.do((state) => decideSeam(state, 'loop_exit'));
  const copies = handoffOf(parent.state);
  expect(copies.map(({ id, originating_agent_id }) => [id, originating_agent_id])).toEqual([['id-1', 's1']]);
  const child = new Play();
  child.inject({ body: 'own' });
  expect(child.do((state, sources) => decideInherit(state, copies, sources)).reminder_ids).toEqual(['id-3']);
});

describe('providers', () => {
  const fire = (play: Play, evaluate: () => Json | undefined) =>
    play.do((state, sources) => {
      const providers = [{ id: 'p', subscribes_to: ['e'], evaluate }];
      return fireProviders(state, { event: 'e', payload: {}, providers }, sources);
    });

  test.each<[string, () => Json | undefined, string]>([
    [
      'throws',
      () => {
        throw new Error('no network');
      },
      'provider p on e: HARN-RMD-006: no network',
    ],
    [
      'returns half',
      () => [{ body: 'ok' }, { body: 5 }],
      'provider p on e: HARN-RMD-006: `body` must be a non-empty string',
    ],
    ['has no such scope', () => ({ body: 'b', propagate: 'x' }), 'HARN-RMD-005'],
  ])('one that %s ends the firing, with a record and nothing injected', (_, evaluate, message) => {
    const play = new Play();
    const { error, fired_count } = fire(play, evaluate);
    expect([messageOf(error).includes(message), fired_count]).toEqual([true, 0]);
    expect(play.kinds(1)).toEqual(['transcript.reminder.provider_evaluated']);
    expect(play.records.at(-1)?.event.payload['error']).toBe(messageOf(error));
  });

  test('see a threshold once, until use has fallen and risen again or a compaction came', () => {
    const play = new Play();
    const emits = (tokens: number): boolean =>
      play.do((state) => decideBudget(state, { context_tokens: tokens, context_window: 100 })).emit;
    expect([60, 71, 75, 86, 84, 86, 96, 96, 50, 72].map(emits)).toEqual([
      false,
      true,
      false,
      true,
      false,
      true,
      true,
      false,
      false,
      true,
    ]);
    play.do((state) => decideCompact(state, { outcome: 'done', messages: [] }));
    expect([72, 72].map(emits)).toEqual([true, false]);
    expect(play.do((state) => decideBudget(state, { context_tokens: 10, context_window: null })).emit).toBe(false);
  });
});
