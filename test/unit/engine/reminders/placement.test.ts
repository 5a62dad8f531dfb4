import { describe, expect, test } from 'vitest';
import { decideRevoke, pendingInjections } from '../../../../extension/engine/reminders/bridge';
import { decideCompact } from '../../../../extension/engine/reminders/compaction';
import { directivesOf, stateOf } from '../../../../extension/engine/reminders/directives';
import { decideClear } from '../../../../extension/engine/reminders/inject';
import { decideAnswerCalls, decideSeam } from '../../../../extension/engine/reminders/seams';
import { decideDeliverable } from '../../../../extension/engine/state/commands';
import { pendingEntries } from '../../../../extension/engine/state/state';
import type { JsonObject, Message } from '../../../../extension/engine/transcript/message';
import { Play } from '../state/play';

type Move = 'prompt' | 'refused' | 'turn' | 'compact' | JsonObject;

/** Injects objects, does the rest by name, and says what each prompt fired, by body. */
function playOut(moves: readonly Move[], play = new Play()): readonly (readonly string[])[] {
  const fired: string[][] = [];
  for (const move of moves) {
    if (move === 'prompt' || move === 'refused') {
      const ids = play.prompt(move === 'prompt').fired;
      fired.push(ids.map((id) => play.state.reminders.get(id)?.reminder.body ?? ''));
    } else if (move === 'turn') play.endTurn();
    else if (move === 'compact') {
      play.do((state) => decideCompact(state, { outcome: 'done', messages: [{ role: 'user', content: 'Summary.' }] }));
    } else if (typeof move['clear'] === 'string') {
      const dedupe_key = move['clear'];
      play.do((state) => decideClear(state, { dedupe_key }));
    } else if (typeof move === 'object') play.inject(move);
  }
  return fired;
}

const t = { body: 'T', dedupe_key: 'k' };
const u = { body: 'U', dedupe_key: 'k' };
const finite = { ...t, ttl_turns: 2 };

test.each<[string, readonly Move[], readonly (readonly string[])[]]>([
  ['an equal one is held back', [t, 'prompt', 'turn', t, 'prompt'], [['T'], []]],
  ['and so is the one after that', [t, 'prompt', t, 'turn', t, 'prompt'], [['T'], []]],
  ['until the last of them is cleared', [t, 'prompt', t, 'prompt', { clear: 'k' }, t, 'prompt'], [['T'], [], ['T']]],
  ['or another text has come between', [t, 'prompt', u, 'prompt', t, 'prompt'], [['T'], ['U'], ['T']]],
  ['another text that was never sent counts too', [t, 'prompt', u, t, 'prompt'], [['T'], ['T']]],
  ['a finite one is renewed', [finite, 'prompt', 'turn', finite, 'prompt'], [['T'], ['T']]],
  [
    'what was refused goes with the next valid request',
    [t, 'refused', 'refused', 'prompt', 'prompt'],
    [[], [], ['T'], []],
  ],
  ['also when it was cleared in between', [t, 'refused', { clear: 'k' }, 'prompt'], [[], ['T']]],
  ['but not when its envelope was compacted away', [t, 'refused', 'compact', 'prompt'], [[], []]],
  [
    'a preserved one is issued again after a compaction, once',
    [{ ...t, preserve_on_compact: true }, 'prompt', 'turn', 'compact', 'prompt', 'prompt'],
    [['T'], ['T'], []],
  ],
])('%s', (_, moves, fired) => expect(playOut(moves)).toEqual(fired));

describe('a request that was refused', () => {
  test('leaves the directive pending and beyond recall', () => {
    const play = new Play();
    const id = play.inject({ body: 'b', ttl_turns: 1 });
    play.prompt(false);
    expect(directivesOf(play.state)).toMatchObject([{ state: 'pending', can_revoke: false, can_fire: false }]);
    expect(() => play.do((state) => decideRevoke(state, id))).toThrow(/was delivered; send a correction instead/);
    expect(play.endTurn().expired).toEqual([]);
    play.prompt();
    expect(stateOf(play.state, id)).toBe('seen');
    expect(play.endTurn().expired).toEqual([id]);
    expect(directivesOf(play.state)).toMatchObject([
      { state: 'expired', reason: 'ttl', ttl_turns: 0, delivered_turn: 2 },
    ]);
  });
});

/** Calls in each of the three styles, and the synthetic results that answer them. */
test.each<[string, Message, readonly Message[]]>([
  [
    'chat',
    {
      role: 'assistant',
      content: '',
      tool_calls: [
        { id: 'c1', function: { name: 'a' } },
        { id: 'c2', name: 'b' },
      ],
    },
    [
      { role: 'tool', tool_call_id: 'c1', name: 'a', content: 'why', is_error: true },
      { role: 'tool', tool_call_id: 'c2', name: 'b', content: 'why', is_error: true },
    ],
  ],
  [
    'block',
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'a', input: {} }] },
    [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'why', is_error: true }] }],
  ],
  [
    'part',
    { role: 'model', parts: [{ functionCall: { name: 'a', args: {} } }] },
    [{ role: 'user', parts: [{ functionResponse: { name: 'a', response: { output: 'why', is_error: true } } }] }],
  ],
])('calls of %s style are answered in their own style, and hold the envelope until then', (_, call, results) => {
  const play = new Play();
  play.inject({ body: 'b' });
  play.add(call);
  expect(play.prompt().envelope).toBeNull();
  expect(directivesOf(play.state)[0]?.hold).toBe('unanswered_calls');
  play.do((state) => decideAnswerCalls(state, 'why'));
  expect(play.state.messages.slice(2)).toEqual(results);
  expect(play.state.open_calls).toEqual([]);
  expect(play.prompt().fired.length).toBe(1);
});

test('an answer without its call, and a call that the next answer has passed over, hold nothing', () => {
  const play = new Play();
  play.add({ role: 'assistant', content: '', tool_calls: [{ id: 'c1', name: 'a' }] });
  play.add({ role: 'tool', tool_call_id: 'other', content: 'ok' });
  expect(play.state.open_calls.length).toBe(1);
  play.add({ role: 'assistant', content: 'Done.' });
  expect(play.state.open_calls).toEqual([]);
});

describe('input of the person', () => {
  test('waits while calls are unanswered, and comes after their results', () => {
    const play = new Play();
    const answer = { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'a', input: {} }] };
    play.add(answer);
    play.write([{ kind: 'message.queued', payload: { id: 'u1', content: 'Wait.', mode: 'finish_step' } }]);
    expect(play.do((state) => decideSeam(state, 'post_tool_dispatch')).delivered).toEqual([]);
    play.do((state) => decideAnswerCalls(state, 'stopped'));
    expect(play.do((state) => decideSeam(state, 'post_tool_dispatch')).delivered).toEqual(['u1']);
    expect(play.state.messages.last).toEqual({ role: 'user', content: 'Wait.' });
  });

  test.each<[string, Message, boolean]>([
    ['text', { role: 'user', content: 'Hi.' }, true],
    ['nothing', { role: 'user', content: ' ' }, false],
    ['results only', { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: 'ok' }] }, false],
    [
      'a result and a word',
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'x' },
          { type: 'text', text: 'Hi.' },
        ],
      },
      true,
    ],
    ['a response only', { role: 'user', parts: [{ functionResponse: { name: 'f' } }] }, false],
    ['an image', { role: 'user', content: [{ type: 'image', source: {} }] }, true],
    ['no user', { role: 'assistant', content: 'Hi.' }, false],
  ])('%s is a user turn or not', (_, message, isTurn) => {
    const play = new Play([message]);
    play.inject({ body: 'b', authority: 'advisory' });
    expect(play.prompt().fired.length).toBe(isTurn ? 1 : 0);
  });
});

test.each([
  [[{ origin: 'file-watcher' }], false],
  [[{ origin: 'rule:no-tabs' }, { origin: 'provider' }], false],
  [[{ origin: 'file-watcher' }, { origin: 'script' }], true],
  [[{}], true],
])('at the end of a loop, deliveries from %j make it go on: %s', (senders, goesOn) => {
  const play = new Play();
  for (const harn of senders) play.remind({ body: JSON.stringify(harn), _meta: { harn } });
  expect(play.do((state) => decideSeam(state, 'iteration_end', { finishing: true })).continue).toBe(goesOn);
});

test('what is for the record only takes no part in a compaction but its lifetime', () => {
  const play = new Play();
  const same = { body: 'b', preserve_on_compact: true, dedupe_key: 'k' };
  const seen = play.inject(same);
  const unseen = play.remind({ ...same, ttl_turns: 3, mode: 'audit_only' });
  play.do((state) => decideSeam(state, 'loop_exit'));
  const answer = play.do((state) => decideCompact(state, { outcome: 'done', messages: [] }));
  expect(answer.compactor_reminders.map((reminder) => reminder.id)).toEqual([seen]);
  expect(pendingEntries(play.state).map(({ reminder }) => [reminder.id, reminder.ttl_turns])).toEqual([
    [seen, null],
    [unseen, 2],
  ]);
});

test('a session that offers no way to deliver says so, and drops once', () => {
  const play = new Play();
  play.open({ title: 'Other', deliverable: false });
  play.inject({ body: 'b' });
  expect(directivesOf(play.state)).toMatchObject([{ state: 'pending', hold: 'no_route', can_fire: false }]);
  play.prompt();
  expect(directivesOf(play.state)).toMatchObject([{ state: 'dropped', reason: 'capability_mismatch' }]);
  expect(pendingEntries(play.state)).toEqual([]);
});

test.each([
  [{}, true],
  [{ own: true }, true],
  [{ own: false }, false],
  [{ own: false, deliverable: true }, true],
])('a session opened with %j can be delivered to: %s', (about, deliverable) => {
  const play = new Play();
  play.open(about);
  expect(play.state.deliverable).toBe(deliverable);
  play.do((state) => decideDeliverable(state, !deliverable));
  expect(play.state.deliverable).toBe(!deliverable);
  expect(decideDeliverable(play.state, !deliverable).drafts).toEqual([]);
});

test('what waits in the queue is told in the names of the bridge', () => {
  const play = new Play();
  play.remind({ body: ' b ', id: 'w', ttl_turns: 2, mode: 'interrupt_immediate' });
  expect(pendingInjections(play.state).injections).toEqual([
    {
      kind: 'reminder',
      id: 'w',
      reminderId: 'w',
      mode: 'interrupt_immediate',
      position: 0,
      body: 'b',
      tags: [],
      dedupeKey: null,
      ttlTurns: 2,
      preserveOnCompact: false,
      propagate: 'session',
      roleHint: 'system',
      authority: 'contract',
      source: 'bridge',
      firedAtTurn: 0,
      originatingAgentId: null,
    },
  ]);
});

test.each<[string, (play: Play) => string, string]>([
  ['one never heard of', () => 'x', 'there is no reminder x in this session'],
  [
    'one that was replaced',
    (play) => {
      const id = play.remind({ body: 'a', dedupe_key: 'k' });
      play.remind({ body: 'b', dedupe_key: 'k', id: 'new' });
      return id;
    },
    'does not wait any more: it was replaced by new',
  ],
  [
    'one that was delivered',
    (play) => {
      const id = play.inject({ body: 'a' });
      play.prompt();
      return id;
    },
    'was delivered in turn 1; send a correction instead',
  ],
])('revoking %s is refused with what happened', (_, make, message) => {
  const play = new Play();
  const id = make(play);
  expect(() => play.do((state) => decideRevoke(state, id))).toThrow(message);
});
