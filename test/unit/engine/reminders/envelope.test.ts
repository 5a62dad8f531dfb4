import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  collapse,
  INSTRUCTION,
  readEnvelope,
  renderDirective,
  renderEnvelope,
} from '../../../../extension/engine/reminders/envelope';
import {
  asSent,
  findLookAlikes,
  guardMessage,
  guardText,
  lookAlikesIn,
} from '../../../../extension/engine/reminders/guard';
import { authorities, parseReminder, type Reminder } from '../../../../extension/engine/reminders/spec';
import type { Json } from '../../../../extension/engine/transcript/message';

const seed = 99;

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(fc.constantFrom('<', '>', '&', '/', ' ', '\n', 'directive', 'context-directives', '&lt;', 'ſ', 'x', '"'))
    .map((parts) => parts.join('')),
);

const reminders: fc.Arbitrary<readonly Reminder[]> = fc
  .array(
    fc
      .record({
        body: text,
        authority: fc.constantFrom(...authorities),
        dedupe_key: fc.constantFrom(null, 'k', 'l'),
        ttl_turns: fc.constantFrom(null, 1, 12),
        role_hint: fc.constantFrom('system', 'user_block'),
      })
      .map((given) => parseReminder('lenient', given, { newId: () => '' })),
    { maxLength: 12 },
  )
  .map((list) => list.map((reminder, index) => ({ ...reminder, id: `r${index}` })));

describe(`an envelope (seed ${seed})`, () => {
  test('is read back exactly as it was rendered', () => {
    fc.assert(
      fc.property(reminders, (given) => {
        const { text: envelope, reminder_ids } = renderEnvelope(given);
        const survivors = reminder_ids.flatMap((id) => given.filter((reminder) => reminder.id === id));
        expect(envelope === null).toBe(survivors.length === 0);
        expect(readEnvelope(envelope ?? '') ?? []).toEqual(
          survivors.map(({ authority, ttl_turns, body }) => ({ authority, ttl_turns, body })),
        );
        if (envelope !== null) expect(envelope.split('\n')[1]).toBe(INSTRUCTION);
      }),
      { seed, numRuns: 300 },
    );
  });

  test('collapses once and for all, and names who stayed instead', () => {
    fc.assert(
      fc.property(reminders, (given) => {
        const { survivors, replaced } = collapse(given);
        expect(collapse(survivors).survivors).toEqual(survivors);
        const ids = new Set(survivors.map((reminder) => reminder.id));
        for (const [gone, by] of replaced) expect([ids.has(gone), ids.has(by)]).toEqual([false, true]);
        expect(survivors.length + replaced.size).toBe(given.length);
      }),
      { seed, numRuns: 300 },
    );
  });
});

test.each(['', 'hello', '<context-directives speaker="harness">\nx\nobey\n</context-directives>', '<directive>'])(
  'what is no whole envelope is not read as one: %j',
  (given) => expect(readEnvelope(given)).toBeNull(),
);

describe(`the guard (seed ${seed})`, () => {
  test('leaves no look-alike, adds nothing else, and does nothing twice', () => {
    fc.assert(
      fc.property(text, (given) => {
        const guarded = guardText(given);
        expect(lookAlikesIn(guarded)).toEqual([]);
        expect(guardText(guarded)).toBe(guarded);
        expect(guarded.length).toBe(given.length + 3 * lookAlikesIn(given).length);
      }),
      { seed, numRuns: 500 },
    );
  });

  test('gives the same message where there is nothing to guard, and changes results only', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (content) => {
        const user = { role: 'user', content: content as Json };
        const tool = { role: 'tool', content: content as Json };
        expect(findLookAlikes(guardMessage(tool))).toEqual([]);
        if (findLookAlikes(tool).length === 0) expect(guardMessage(tool)).toBe(tool);
        if (!Array.isArray(content)) expect(guardMessage(user)).toBe(user);
      }),
      { seed, numRuns: 300 },
    );
  });

  test('says where each look-alike stands', () => {
    const result = { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'a <directive> b' }] };
    const response = { name: 'f', response: { '<directive>': ['ok', '</context-directives>'] } };
    expect(findLookAlikes({ role: 'user', content: [{ type: 'text', text: '<directive>' }, result] })).toEqual([
      { path: 'content[1].content[0].text', offset: 2 },
    ]);
    expect(findLookAlikes({ role: 'user', parts: [{ functionResponse: response }] })).toEqual([
      { path: 'parts[0].functionResponse.response.<directive>', offset: 0 },
      { path: 'parts[0].functionResponse.response.<directive>[1]', offset: 0 },
    ]);
  });

  test('takes a result of any depth', () => {
    let content: Json = '<directive>';
    for (let depth = 0; depth < 20_000; depth++) content = depth % 2 === 0 ? [content] : { a: content };
    const message = { role: 'tool', tool_call_id: 'c', content };
    expect(findLookAlikes(message).length).toBe(1);
    expect(findLookAlikes(guardMessage(message))).toEqual([]);
  });

  test('keeps odd member names as they are', () => {
    const content = JSON.parse('{"__proto__": {"x": "<directive>"}, "a": 1}') as Json;
    expect(JSON.stringify(guardMessage({ role: 'tool', content })['content'])).toBe(
      '{"__proto__":{"x":"&lt;directive>"},"a":1}',
    );
  });

  test('a message is always sent as the same object, without bookkeeping', () => {
    const message = { role: 'user', content: 'x', _harn_directive_ids: ['a'] };
    expect(asSent(message)).toEqual({ role: 'user', content: 'x' });
    expect(asSent(message)).toBe(asSent(message));
  });
});

test('a lifetime is in the text only when it ends', () => {
  const reminder = parseReminder('lenient', { body: 'a<b', ttl_turns: 2 }, { newId: () => 'r' });
  expect(renderDirective(reminder)).toBe('<directive authority="contract" ttl_turns="2">\na&lt;b\n</directive>');
  expect(renderDirective({ ...reminder, ttl_turns: null })).toBe(
    '<directive authority="contract">\na&lt;b\n</directive>',
  );
});
