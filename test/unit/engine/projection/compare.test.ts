import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparePrefix } from '../../../../extension/engine/projection/compare';
import type { PrefixRelation } from '../../../../extension/engine/projection/compare';
import type { Message } from '../../../../extension/engine/transcript/message';

/** A message of four characters and so of one token, its content being three of them. */
const m = (name: string): Message => ({ role: 'u', content: name.padEnd(3, '.') });
const list = (names: string): readonly Message[] => [...names].map(m);

test.each<[string, string | null, string, PrefixRelation]>([
  ['the first request', null, 'ab', { relation: 'initial', reread_tokens: 0 }],
  ['nothing new', 'ab', 'ab', { relation: 'append_only', reread_tokens: 0 }],
  ['something new', 'ab', 'abcd', { relation: 'append_only', reread_tokens: 0 }],
  ['after nothing', '', 'ab', { relation: 'append_only', reread_tokens: 0 }],
  ['a message is gone', 'abcd', 'acde', { relation: 'diverged', at: 1, how: 'vanished', reread_tokens: 2 }],
  ['the last one is gone', 'abc', 'ab', { relation: 'diverged', at: 2, how: 'vanished', reread_tokens: 0 }],
  ['a message is another', 'abcd', 'axcde', { relation: 'diverged', at: 1, how: 'changed', reread_tokens: 2 }],
  ['a message stands further back', 'abcd', 'axbcd', { relation: 'diverged', at: 1, how: 'moved', reread_tokens: 3 }],
  ['equal messages are told apart', 'aab', 'ab', { relation: 'diverged', at: 1, how: 'vanished', reread_tokens: 1 }],
])('%s', (_, previous, next, relation) => {
  expect(comparePrefix(previous === null ? null : list(previous), list(next))).toEqual(relation);
});

test('members in another order make no difference', () => {
  const next = [{ content: 'a..', role: 'u' }];
  expect(comparePrefix(list('a'), next)).toEqual({ relation: 'append_only', reread_tokens: 0 });
});

test('append-only means: the one begins with the other', () => {
  const names = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 }).map((some) => some.join(''));
  fc.assert(
    fc.property(names, names, (previous, next) => {
      const { relation, at } = comparePrefix(list(previous), list(next));
      expect(relation === 'append_only').toBe(next.startsWith(previous));
      expect(at === undefined || next.slice(0, at) === previous.slice(0, at)).toBe(true);
    }),
    { seed: 20260105 },
  );
});
