import { expect, test } from 'vitest';
import { partsOf } from '../../../../extension/engine/rows/parts';
import { plainText, previewMessage } from '../../../../extension/engine/rows/preview';
import type { Json, Message } from '../../../../extension/engine/transcript/message';
import { printJson } from '../../../../extension/engine/transcript/printed';

/** A value so deep that anything which calls itself for each level fails on it. */
function nested(levels: number): Json {
  let value: Json = 'core';
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { z: 1, a: value } : [value];
  return value;
}

const deep = nested(60_000);

const rows: readonly (readonly [name: string, message: Message])[] = [
  ['content', { role: 'user', content: deep }],
  ['a tool message', { role: 'tool', tool_call_id: 'c', content: deep }],
  ['arguments', { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'n', input: deep }] }],
  ['a result', { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: [deep] }] }],
  ['a block of no known type', { role: 'user', content: [{ type: 'new', deep }] }],
  ['a response', { role: 'user', parts: [{ functionResponse: { name: 'n', response: deep } }] }],
];

test.each(rows)('%s nested without end is shown and can be copied', (_, message) => {
  const [block] = previewMessage(message, () => null);
  expect(block?.length).toBeGreaterThan(100_000);
  expect(plainText(partsOf(message, () => null))).toContain('"core"');
});

test.each([1, 64, 65, 1_000])('%i levels are the same value again, members in their own order', (levels) => {
  const text = printJson(nested(levels));
  expect(JSON.parse(text)).toEqual(nested(levels));
  expect(text.indexOf('"z"')).toBeLessThan(text.indexOf('"a"'));
  expect(text.includes('\n')).toBe(levels <= 64);
});
