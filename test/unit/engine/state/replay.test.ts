import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReminderFault } from '../../../../extension/engine/diagnostics';
import { decideHook } from '../../../../extension/engine/hooks/effects';
import { decideInjectUser, decideRemind, decideRevoke } from '../../../../extension/engine/reminders/bridge';
import { decideCompact } from '../../../../extension/engine/reminders/compaction';
import { directivesOf } from '../../../../extension/engine/reminders/directives';
import { decideFileEvents, decideFileSeen } from '../../../../extension/engine/reminders/fileChanges';
import { decideFireNow } from '../../../../extension/engine/reminders/fireNow';
import { fireProviders } from '../../../../extension/engine/reminders/firing';
import { decideHandOver, decideSeen } from '../../../../extension/engine/reminders/handover';
import { decideClear, decideInject } from '../../../../extension/engine/reminders/inject';
import { seams } from '../../../../extension/engine/reminders/modes';
import { decidePlacement, decideRequest, sentMessages } from '../../../../extension/engine/reminders/placement';
import { decideAnswerCalls, decideSeam } from '../../../../extension/engine/reminders/seams';
import { decideEndTurn } from '../../../../extension/engine/reminders/turnBoundary';
import { decideAppend, decideBudget, decideStatus } from '../../../../extension/engine/state/commands';
import type { Decision } from '../../../../extension/engine/state/decision';
import { isRecordKind, topics } from '../../../../extension/engine/state/kinds';
import { reduce } from '../../../../extension/engine/state/reduce';
import { initialState, type SessionState } from '../../../../extension/engine/state/state';
import { updatesOf } from '../../../../extension/engine/state/updates';
import type { Json, JsonObject, Message } from '../../../../extension/engine/transcript/message';
import { plainOf, Play, replay } from './play';

const seed = 7071;

type Sources = Play['sources'];
type Command = (state: SessionState, sources: Sources) => Decision<unknown>;

const body = fc.oneof(
  fc.constantFrom('one', 'one ', ' one', 'two', '</directive>', '<context-directives speaker="person">', ' ', ''),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

const options = fc.record(
  {
    body,
    tags: fc.constantFrom<Json>(['a'], ['a', 'b'], 'a', [' ']),
    dedupe_key: fc.constantFrom<Json>('k', 'l', null, 5),
    ttl_turns: fc.constantFrom<Json>(1, 2, 3, null, 0, 1.5),
    preserve_on_compact: fc.boolean(),
    authority: fc.constantFrom<Json>('contract', 'corrective', 'advisory', 'law'),
    role_hint: fc.constantFrom<Json>('system', 'user_block'),
    mode: fc.constantFrom<Json>('interrupt_immediate', 'finish_step', 'audit_only'),
  },
  { requiredKeys: ['body'] },
) as fc.Arbitrary<JsonObject>;

const message: fc.Arbitrary<Message> = fc.constantFrom<Message>(
  { role: 'user', content: 'More.' },
  { role: 'assistant', content: 'Done.' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [
      { id: 'c1', name: 'a' },
      { id: 'c2', name: 'b' },
    ],
  },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c3', name: 'a', input: {} }] },
  { role: 'tool', tool_call_id: 'c1', content: '<directive>' },
  { role: 'tool', tool_call_id: 'c2', content: 'ok' },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c3', content: 'ok' }] },
  { role: 'user', content: 'x', _harn_directive_ids: ['id-1', 'id-2'] },
);

const id = fc.nat(60).map((number) => `id-${number}`);
const files = { denied: (path: string) => path === '.env', burst: 2 };
const path = fc.constantFrom('a', 'b', 'c', 'd', '.env');
const hash = fc.constantFrom('h1', 'h2', null);

const provider = (returned: Json) => ({ id: 'p', subscribes_to: ['e'], evaluate: () => returned });

const command: fc.Arbitrary<Command> = fc.oneof(
  options.map(
    ({ mode: _, ...given }): Command =>
      (state, sources) =>
        decideInject(state, given, sources),
  ),
  options.map(
    (given): Command =>
      (state, sources) =>
        decideRemind(state, given, sources),
  ),
  options.map(
    ({ mode: _, ...given }): Command =>
      (state, sources) =>
        decideHook(state, { event: 'post_step', value: given }, sources),
  ),
  fc
    .array(
      options.map(({ mode: _, ...given }) => given),
      { maxLength: 3 },
    )
    .map(
      (given): Command =>
        (state, sources) =>
          fireProviders(state, { event: 'e', payload: {}, providers: [provider(given)] }, sources),
    ),
  fc
    .record({ content: fc.constantFrom('hello', ' '), mode: fc.constantFrom(undefined, 'interrupt_immediate', 'x') })
    .map(
      (given): Command =>
        (state, sources) =>
          decideInjectUser(state, given, sources),
    ),
  id.map(
    (given): Command =>
      (state) =>
        decideRevoke(state, given),
  ),
  id.map(
    (given): Command =>
      (state) =>
        decideFireNow(state, given),
  ),
  id.map(
    (given): Command =>
      (state) =>
        decideHandOver(state, [given], { route: 'hook', mid_turn: true }),
  ),
  id.map(
    (given): Command =>
      (state) =>
        decideSeen(state, [given], 'log'),
  ),
  fc.record({ id, dedupe_key: fc.constantFrom('k', 'l'), tag: fc.constantFrom('a', 'z') }, { requiredKeys: [] }).map(
    (given): Command =>
      (state) =>
        decideClear(state, given),
  ),
  fc.constantFrom(...seams).map(
    (seam): Command =>
      (state) =>
        decideSeam(state, seam, { finishing: true }),
  ),
  message.map(
    (given): Command =>
      (state) =>
        decideAppend(state, given),
  ),
  fc.constant<Command>((state) => decideAnswerCalls(state, 'stopped')),
  fc.constant<Command>((state) => decidePlacement(state)),
  fc.boolean().map(
    (valid): Command =>
      (state) =>
        decideRequest(state, { valid }),
  ),
  fc.constant<Command>((state) => decideEndTurn(state)),
  fc.constantFrom('idle', 'running').map(
    (status): Command =>
      (state) =>
        decideStatus(state, status),
  ),
  fc.nat(100).map(
    (used): Command =>
      (state) =>
        decideBudget(state, { context_tokens: used, context_window: 100 }),
  ),
  fc.record({ path, hash }).map(
    (seen): Command =>
      (state, sources) =>
        decideFileSeen(state, [seen], files, sources),
  ),
  fc.array(fc.record({ path, hash, kind: fc.constantFrom('created', 'changed', 'deleted', 'renamed') })).map(
    (events): Command =>
      (state, sources) =>
        decideFileEvents(state, events, files, sources),
  ),
);

const compaction = fc
  .record({ outcome: fc.constantFrom('done', 'blocked'), messages: fc.array(message, { maxLength: 2 }) })
  .map(
    (given): Command =>
      (state) =>
        decideCompact(state, given),
  );

/** Runs a command; the only thing that may come of it beside a decision is a fault. */
function run(play: Play, given: Command): void {
  try {
    play.do(given);
  } catch (thrown) {
    if (!(thrown instanceof ReminderFault)) throw thrown;
  }
}

describe('any interleaving', () => {
  test(`the log leads to the state that ran, and looking at it changes nothing (seed ${seed})`, () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 9, arbitrary: command }, { weight: 1, arbitrary: compaction })),
        (all) => {
          const play = new Play([]);
          for (const given of all) {
            const before = play.state;
            const frozen = JSON.stringify(plainOf(before));
            run(play, given);
            directivesOf(play.state);
            expect(JSON.stringify(plainOf(before))).toBe(frozen);
          }
          expect(plainOf(replay(play.records))).toEqual(plainOf(play.state));
          for (const { event } of play.records) expect(isRecordKind(event.kind)).toBe(true);
        },
      ),
      { seed, numRuns: 150 },
    );
  });

  test(`each request begins with the one before it (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.array(command, { minLength: 10, maxLength: 60 }), (all) => {
        const play = new Play([]);
        let before: readonly Message[] = [];
        for (const given of all) {
          run(play, given);
          run(play, (state) => decidePlacement(state));
          const now = sentMessages(play.state);
          expect(JSON.stringify(now.slice(0, before.length))).toBe(JSON.stringify(before));
          before = now;
          run(play, (state) => decidePlacement(state));
          expect(play.state.messages.length).toBe(now.length);
        }
      }),
      { seed, numRuns: 150 },
    );
  });

  test(`no envelope stands between a call and its result, and no id stands in one (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.array(command, { minLength: 10, maxLength: 60 }), (all) => {
        const play = new Play([]);
        for (const given of all) {
          const open = play.state.open_calls.length > 0;
          const envelopes = [...play.state.envelopes.entries()].length;
          run(play, given);
          if (open) expect([...play.state.envelopes.entries()].length).toBe(envelopes);
        }
        for (const [index, ids] of play.state.envelopes.entries()) {
          const [text] = sentMessages(play.state)
            .slice(Number(index))
            .map((sent) => sent['content'] as string);
          for (const issued of ids) expect(text?.includes(issued)).toBe(false);
        }
      }),
      { seed, numRuns: 100 },
    );
  });

  test(`a log torn anywhere can be read, and a directive in it is not issued again (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.array(command, { minLength: 5, maxLength: 40 }), fc.nat(), (all, cut) => {
        const play = new Play([]);
        for (const given of all) run(play, given);
        const torn = play.records.slice(0, cut % (play.records.length + 1));
        const state = replay(torn);
        const issued = new Set([...state.envelopes.entries()].flatMap(([, ids]) => ids));
        const again = decidePlacement(state).answer.reminder_ids.filter((reminder) => issued.has(reminder));
        expect(again).toEqual([]);
      }),
      { seed, numRuns: 150 },
    );
  });
});

test(`records with any payload are read without harm (seed ${seed})`, () => {
  const kinds = fc.constantFrom(...Object.keys(topics), 'unknown.kind');
  const payload = fc.dictionary(
    fc.constantFrom(
      'reminder_id',
      'event',
      'message',
      'messages',
      'path',
      'replaced_ids',
      'removed',
      'lifetimes',
      'id',
    ),
    fc.oneof(fc.jsonValue(), fc.constantFrom<Json>('r1', { id: 'e', kind: 'system_reminder', reminder: { id: 'r1' } })),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(kinds, payload)), (events) => {
      let state = initialState('s1');
      for (const [kind, given] of events) {
        const event = { kind, payload: given as JsonObject };
        state = reduce(state, event);
        updatesOf(state, event);
      }
      directivesOf(state);
      decidePlacement(state);
    }),
    { seed, numRuns: 300 },
  );
});

test('thousands of messages and pending reminders stay workable', () => {
  const play = new Play();
  for (let index = 0; index < 2000; index++) play.inject({ body: `note ${index}`, dedupe_key: `k${index}` });
  for (let index = 0; index < 20_000; index++) play.add({ role: 'assistant', content: 'x' });
  expect(play.prompt().fired.length).toBe(2000);
  expect(play.state.messages.length).toBe(20_002);
});
