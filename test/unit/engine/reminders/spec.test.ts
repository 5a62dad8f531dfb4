import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainDiagnostic, ReminderFault } from '../../../../extension/engine/diagnostics';
import { hookEffect } from '../../../../extension/engine/hooks/effects';
import { eventOf, reminderOf } from '../../../../extension/engine/reminders/event';
import { lintReminder } from '../../../../extension/engine/reminders/lint';
import { parseReminder, type Producer } from '../../../../extension/engine/reminders/spec';

const seed = 414;
const newId = (): string => 'new';

function checkFault(producer: Producer, value: unknown, message: string): void {
  const [code] = /HARN-RMD-\d{3}/.exec(message) ?? [null];
  const parse = (): unknown => parseReminder(producer, value, { newId, event: 'post_step' });
  expect(parse).toThrow(expect.objectContaining({ message, code, rpc: -32602 }));
}

const oneOf = (name: string, choices: string): string => `\`${name}\` must be one of ${choices}`;

test.each<[Producer, unknown, string]>([
  ['pipeline', undefined, 'injectReminder: HARN-RMD-001: reminder options are required'],
  ['pipeline', [], 'injectReminder: HARN-RMD-001: reminder options must be an object'],
  ['pipeline', { b: 1, a: 2 }, 'injectReminder: HARN-RMD-001: unknown option(s): b, a'],
  ['pipeline', { body: ' ' }, 'injectReminder: HARN-RMD-001: `body` must be a non-empty string'],
  ['pipeline', { ttl_turns: 0 }, 'injectReminder: HARN-RMD-001: `ttl_turns` must be > 0'],
  ['pipeline', { ttl_turns: 1e308 }, 'injectReminder: HARN-RMD-001: `ttl_turns` must be an integer'],
  ['hook', { tags: ['a', 1] }, 'hook post_step: `tags` must be a list of non-empty strings'],
  ['hook', { propagate: 1 }, 'hook post_step: HARN-RMD-005: `propagate` must be one of all, session, or none'],
  ['provider', null, 'provider on post_step: HARN-RMD-006: reminder options are required'],
  [
    'provider',
    { authority: 7 },
    `provider on post_step: HARN-RMD-006: ${oneOf('authority', 'contract, corrective, advisory')}`,
  ],
  ['bridge', { body: 'b', _meta: 1 }, 'session/remind: HARN-RMD-002: `_meta` must be an object'],
  ['bridge', { body: 'b', source: 'hook' }, 'session/remind: HARN-RMD-002: `source` must be bridge'],
  ['bridge', { content: 'x', zzz: 1 }, 'session/remind: HARN-RMD-001: unknown option(s): content, zzz'],
  ['bridge', { body: 'b', content: 'x' }, 'session/remind: HARN-RMD-001: unknown option(s): content'],
])('%s refuses %j', checkFault);

const field = fc.oneof(fc.jsonValue(), fc.constantFrom(1, 0, -1, 1.5, 'all', 'none', 'contract', ' ', true, null));
const value = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(
    fc.constantFrom('body', 'tags', 'dedupe_key', 'ttl_turns', 'preserve_on_compact', 'propagate', 'authority', 'id'),
    field,
  ),
);

describe(`any value (seed ${seed})`, () => {
  test('gives a reminder or a fault, and never a fault from the lenient parser', () => {
    fc.assert(
      fc.property(value, fc.constantFrom<Producer>('pipeline', 'hook', 'provider', 'bridge'), (given, producer) => {
        const before = JSON.stringify(given);
        const lenient = parseReminder('lenient', given, { newId });
        expect(reminderOf(eventOf(lenient, 'e'))).toEqual(lenient);
        try {
          const reminder = parseReminder(producer, given, { newId });
          expect(reminder.body.trim()).not.toBe('');
          expect(reminderOf(eventOf(reminder, 'e'))).toEqual(reminder);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(ReminderFault);
        }
        expect(JSON.stringify(given)).toBe(before);
      }),
      { seed, numRuns: 500 },
    );
  });

  test('can be linted, and comes from a hook as effects or a fault', () => {
    fc.assert(
      fc.property(value, fc.constantFrom('post_step', 'worker_failed'), (given, event) => {
        for (const finding of lintReminder(given)) {
          expect(explainDiagnostic(finding.code).severity).toBe(finding.severity);
        }
        try {
          hookEffect(event, given, { newId });
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(ReminderFault);
        }
      }),
      { seed, numRuns: 500 },
    );
  });
});

test.each([
  ['what is no reminder', { block: 'no' }, 0, [{ block: 'no' }]],
  ['both in one', { reminder: { body: 'b' }, block: 'no', then: [true, { body: 'c' }] }, 2, [{ block: 'no' }, true]],
  ['a list of everything', [null, 'text', { effects: [{ body: 'b' }, { result: {} }] }], 1, ['text', { result: {} }]],
  ['no reminder in the wrapper', { reminder: null, then: { allow: true } }, 0, [{ allow: true }]],
])('hook effects: %s', (_, given, reminders, rest) => {
  const effect = hookEffect('pre_tool_use', given, { newId });
  expect([effect.reminders.length, effect.rest]).toEqual([reminders, rest]);
});

test('hook effects that never end are refused', () => {
  let given: unknown = { body: 'b' };
  for (let depth = 0; depth < 5000; depth++) given = { effects: [given] };
  expect(() => hookEffect('post_step', given, { newId })).toThrow('hook post_step: its effects are nested too deeply');
});

test('a worker event lets through what is no reminder', () => {
  expect(hookEffect('worker_failed', { note: 'x' }, { newId }).rest).toEqual([{ note: 'x' }]);
});
