import { describe, expect, test } from 'vitest';
import { eachIdentifier, materialTexts, rootTokens } from '../../../../extension/engine/projection/references';
import { eachToken, isIdentifier } from '../../../../extension/engine/projection/tokens';
import type { Json, Message } from '../../../../extension/engine/transcript/message';

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  eachToken(text, (token) => {
    tokens.push(token);
    return false;
  });
  return tokens;
}

test.each<[string, readonly string[]]>([
  ['src/a.rs:10', ['src/a.rs', '10']],
  ['std::io and a:::b', ['std::io', 'and', 'a::', 'b']],
  ['See src/a.rs. Then...', ['See', 'src/a.rs', 'Then']],
  ['"C:\\dir\\x.ts", (#12)', ['C', '\\dir\\x.ts', '#12']],
  ['naïve файл.txt 𝒳y e\u0301', ['naïve', 'файл.txt', '𝒳y', 'e\u0301']],
  ['😀a-b_c.d😀\ud83d', ['a-b_c.d']],
  ['a:', ['a']],
  ['', []],
])('the tokens of %j', (text, tokens) => {
  expect(tokensOf(text)).toEqual(tokens);
});

describe('identifiers by their spelling', () => {
  test.each([
    ...['a/b', 'a\\b', 'a::b', 'index.html', 'x.a1234567', 'a_bcde', 'parseFile', 'äÖ', 'abcdef1', '1234567', '#12'],
    '8F14E45F-ea5e-4dab-8c71-6f589afb8e17',
    'a'.repeat(64),
  ])('%s is one', (token) => {
    expect(isIdentifier(token)).toBe(true);
  });

  test.each([
    ...[
      'word',
      'Parser',
      'ALLCAPS',
      'a_bcd',
      '__12__',
      'live-line',
      '1.25',
      'x.1a',
      'x.a12345678',
      '123456',
      '#',
      '#1a',
    ],
    'a'.repeat(65),
    '8f14e45f-ea5e-4dab-8c71-6f589afb8e1',
  ])('%s is none', (token) => {
    expect(isIdentifier(token)).toBe(false);
  });
});

test.each<[string, Message, readonly string[]]>([
  [
    'form, harn fields, signatures and image data are left out',
    {
      role: 'assistant',
      status: 'st',
      _harn: { x: 'h' },
      content: [
        { type: 'thinking', thinking: 'th', signature: 'sig' },
        { type: 'image', source: { media_type: 'm', data: 'AAAA' } },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
      data: { kind: 'kk', n: 5, yes: true },
    },
    ['th', 'm', 'kk', '5'],
  ],
  [
    'arguments that are a JSON text are read',
    {
      role: 'assistant',
      tool_calls: [{ type: 'function', id: 'i', function: { name: 'f', arguments: '{"file": "a\\\\b"}' } }],
    },
    ['i', 'f', 'a\\b'],
  ],
  ['arguments that are no JSON are text', { role: 'assistant', tool_calls: [{ arguments: 'rm -rf' }] }, ['rm', '-rf']],
])('root tokens: %s', (_, message, tokens) => {
  expect([...rootTokens(message, 'message')].sort()).toEqual([...tokens].sort());
});

test.each<[string, Json, readonly string[]]>([
  [
    'a single token counts whatever its spelling',
    { object_id: 'widget', paths: ['one', 'two'], id: 7 },
    ['widget', 'one', 'two', '7'],
  ],
  ['several tokens count by their spelling', { ref: 'the main a/b' }, ['a/b']],
  [
    'other fields count by their spelling',
    { name: 'word', note: 'parseFile', number: 7, identity: 'x' },
    ['parseFile'],
  ],
  ['endings have an underscore', { fileid: 'x', filePath: 'y', base_ref: 'z' }, ['z']],
])('identifiers: %s', (_, data, identifiers) => {
  const found: string[] = [];
  eachIdentifier(
    { value: { role: 'tool', data }, level: 'message' },
    undefined,
    () => true,
    (token) => {
      found.push(token);
      return false;
    },
  );
  expect(found.sort()).toEqual([...identifiers].sort());
});

test('root material gives its strings at any depth, once round a cycle', () => {
  const cycle: Record<string, Json> = { a: ['x', { b: 'y' }], c: '  ', d: 5 };
  cycle.self = cycle;
  expect([...materialTexts(cycle)].sort()).toEqual(['x', 'y']);
});
