import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CanonicalError, canonicalJson, canonicalText } from '../../../../extension/engine/transcript/canonical';
import type { Json, Message } from '../../../../extension/engine/transcript/message';
import { contentHash, PrefixHash, prefixHash } from '../../../../extension/engine/transcript/prefix';
import { createSha256 } from '../../../../extension/io/hash';

const SEED = 20260102;

function sha256(text: string): string {
  const hash = createSha256();
  hash.update(text);
  return `sha256:${hash.digest()}`;
}

/** Nested lists and objects, `depth` of them. */
function nested(depth: number): Json {
  let value: Json = 'leaf';
  for (let level = 0; level < depth; level++) {
    value = level % 2 === 0 ? [value] : { b: value, a: 1 };
  }
  return value;
}

test('the canonical form is that of the reference implementation', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }), (value) => {
      expect(canonicalJson(value as Json)).toBe(canonicalize(value));
      expect(canonicalText(value as Json)).toBe(canonicalize(value));
    }),
    { seed: SEED, numRuns: 500 },
  );
});

test.each<[string, Json, string]>([
  ['integer-like keys by their text', { 9: 1, 10: 2, a: 3 }, '{"10":2,"9":1,"a":3}'],
  ['a key named __proto__', JSON.parse('{"__proto__":{"b":1},"a":2}') as Json, '{"__proto__":{"b":1},"a":2}'],
  ['undefined members are none', { a: undefined, b: 1 }, '{"b":1}'],
  ['an escaped backslash before ud is no surrogate', '\\ud83d', '"\\\\ud83d"'],
])('%s', (_, value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

describe('what has no canonical form', () => {
  test.each<[string, Json, string]>([
    ['a lone surrogate', ['a\ud83d'], '["a\ufffd"]'],
    ['one in a key, sorted as what it becomes', { '\ud83d': 1, '\ue000': 2 }, '{"\ue000":2,"\ufffd":1}'],
    ['infinity', [Infinity], '[null]'],
    ['no number', { a: NaN }, '{"a":null}'],
  ])('%s is an error, but is hashed', (_, value, text) => {
    expect(() => canonicalJson(value)).toThrow(CanonicalError);
    expect(canonicalText(value)).toBe(text);
  });
});

test('nesting of any depth', () => {
  expect(canonicalText(nested(1000))).toBe(canonicalize(nested(1000)));
  expect(canonicalText(nested(100_000))).toHaveLength(canonicalText(nested(99_998)).length + '[{"a":1,"b":}]'.length);
});

describe('the prefix hash', () => {
  const messages: readonly Message[] = [{ role: 'user', content: 'a\ud83d' }, { content: '\\ud', role: 'x' }, {}];

  test.each([0, 1, 2, 3])('of %d messages', (count) => {
    const some = messages.slice(0, count);
    expect(prefixHash(some, createSha256)).toBe(sha256(`[${some.map(canonicalText).join(',')}]`));
  });

  test('of every prefix, by copies', () => {
    const hash = PrefixHash.start(createSha256);
    messages.forEach((message, index) => {
      expect(hash.copy().digest()).toBe(prefixHash(messages.slice(0, index), createSha256));
      hash.add(message);
    });
    expect(hash.digest()).toBe(hash.digest());
  });

  test('of an array that is hashed in pieces', () => {
    const long = Array.from({ length: 300 }, (_, index): Message => ({ content: `${index} `.repeat(200) }));
    expect(prefixHash(long, createSha256)).toBe(sha256(canonicalText(long)));
  });
});

test('the hash of a content', () => {
  expect(contentHash('text', createSha256)).toBe(sha256('text'));
  expect(contentHash({ b: 1, a: [] }, createSha256)).toBe(sha256('{"a":[],"b":1}'));
});
