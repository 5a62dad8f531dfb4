import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callsOf } from '../../../../extension/engine/transcript/calls';
import { charsOf, tokensOf } from '../../../../extension/engine/transcript/estimate';
import { factsOf } from '../../../../extension/engine/transcript/facts';
import type { Json, Message } from '../../../../extension/engine/transcript/message';
import { isFailedResult, resultsOf } from '../../../../extension/engine/transcript/results';
import { isSigned } from '../../../../extension/engine/transcript/signed';
import { pairResults } from '../../../../extension/engine/transcript/turns';

const use = (id: string, name = 'run'): Json => ({ type: 'tool_use', id, name, input: { x: 1 } });
const part = (name: string, id?: string): Json => ({ functionCall: { name, id, args: {} } });

describe('calls', () => {
  test.each<[string, Message, readonly (readonly [string | null, string | null])[]]>([
    ['chat, nested', { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f' } }] }, [['a', 'f']]],
    ['chat, flat', { role: 'assistant', tool_calls: [{ id: 'a', name: 'f' }] }, [['a', 'f']]],
    [
      'blocks',
      { role: 'assistant', content: [use('a'), { type: 'text', text: 'x' }, use('b')] },
      [
        ['a', 'run'],
        ['b', 'run'],
      ],
    ],
    ['parts in content', { role: 'model', content: [part('f')] }, [[null, 'f']]],
    ['parts in parts', { role: 'model', parts: [part('f', 'i')] }, [['i', 'f']]],
    [
      'two shapes of one call',
      { role: 'assistant', tool_calls: [{ id: 'a', name: 'run' }], content: [use('a')] },
      [['a', 'run']],
    ],
    [
      'two shapes, one of them without ids',
      { role: 'assistant', content: [use('a'), use('b')], parts: [part('run'), part('run')] },
      [
        ['a', 'run'],
        ['b', 'run'],
      ],
    ],
    [
      'one id twice in one shape is two calls',
      { role: 'assistant', content: [use('a'), use('a')] },
      [
        ['a', 'run'],
        ['a', 'run'],
      ],
    ],
    ['an empty id is none', { role: 'assistant', content: [use('')] }, [[null, 'run']]],
    ['a user calls nothing', { role: 'user', content: [use('a')] }, []],
    ['odd values', { role: 'assistant', tool_calls: [null, 5, {}], content: [null, 'x', 7] }, [[null, null]]],
  ])('%s', (_, message, expected) => {
    expect(callsOf(message).map(({ id, name }) => [id, name])).toEqual(expected);
  });
});

describe('results', () => {
  test.each<[string, Message, readonly unknown[]]>([
    ['a tool message', { role: 'tool', tool_call_id: 'a', name: 'f', content: 'x' }, [['a', 'f', null, null]]],
    ['role tool_result', { role: 'tool_result', tool_call_id: 'a', content: 'x' }, [['a', null, null, null]]],
    [
      'blocks',
      {
        role: 'user',
        content: [
          { type: 'text', text: 't' },
          { type: 'tool_result', tool_use_id: 'a' },
        ],
      },
      [['a', null, 'content', 1]],
    ],
    ['parts', { role: 'user', parts: [{ functionResponse: { name: 'f' } }] }, [[null, 'f', 'parts', 0]]],
    [
      'parts of a tool message',
      { role: 'tool', parts: [{ functionResponse: { name: 'f' } }] },
      [[null, 'f', 'parts', 0]],
    ],
    [
      'a tool message whose content is a list',
      { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'x' }] },
      [['a', null, null, null]],
    ],
    ['an assistant answers no call', { role: 'assistant', content: [{ type: 'tool_result', tool_use_id: 'a' }] }, []],
  ])('%s', (_, message, expected) => {
    expect(resultsOf(message).map(({ id, name, list, block }) => [id, name, list, block])).toEqual(expected);
  });
});

describe('failures beyond the vectors', () => {
  test.each<[string, Message, boolean]>([
    [
      'is_error of the part goes before that of the response',
      { is_error: false, functionResponse: { response: { is_error: true } } },
      false,
    ],
    ['is_error in the response', { functionResponse: { response: { is_error: true } } }, true],
    ['a status in the response', { functionResponse: { response: { status: 'error' } } }, true],
    ['the output of a response', { functionResponse: { response: { output: 'Error: x' } } }, true],
    [
      'text blocks joined',
      {
        content: [
          { type: 'text', text: ' ' },
          { type: 'text', text: 'FAILED: x' },
        ],
      },
      true,
    ],
    ['no content', {}, false],
  ])('%s', (_, value, failed) => {
    expect(isFailedResult(value)).toBe(failed);
  });
});

describe('signed reasoning', () => {
  test.each<[string, Message, boolean]>([
    ['thinking with a signature', { content: [{ type: 'thinking', signature: 's' }] }, true],
    ['an empty signature', { content: [{ type: 'thinking', signature: '' }] }, false],
    ['a signature elsewhere', { content: [{ type: 'text', text: 'x', signature: 's' }] }, false],
    ['redacted thinking', { content: [{ type: 'redacted_thinking' }] }, true],
    ['a thinking signature of the message', { thinking_signature: 's' }, true],
    ['encrypted content of the message', { encrypted_content: 's' }, true],
    ['encrypted content of its reasoning', { reasoning: { encrypted_content: 's' } }, true],
    ['a list of reasoning', { reasoning: [{}, { encrypted_content: 's' }] }, true],
    ['encrypted content of another block', { content: [{ type: 'web_search_result', encrypted_content: 's' }] }, false],
    ['a part with a thought signature', { parts: [{ text: '', thoughtSignature: 's' }] }, true],
  ])('%s', (_, message, signed) => {
    expect(isSigned(message)).toBe(signed);
  });
});

describe('characters', () => {
  test.each<[string, Json, number]>([
    ['code points', { a: ['😀x', { b: 'é' }] }, 3],
    ['a lone surrogate is one', '\ud83dx', 2],
    ['pairs one after another', '😀😀\udc00', 3],
    ['keys and numbers are none', { long: 5, other: true }, 0],
    ['_harn_projection', { _harn_projection: { text: 'x' } }, 0],
    ['signatures', { type: 'thinking', thinking: 'ab', signature: 'xyz' }, 10],
    ['an argument named signature is text', { input: { signature: 'fn()' } }, 4],
    ['encrypted content', { type: 'reasoning', encrypted_content: 'xyz' }, 9],
    ['redacted thinking', { type: 'redacted_thinking', data: 'xyz' }, 17],
    ['image data', { type: 'base64', media_type: 'image/png', data: 'xyz' }, 15],
    ['inline data', { inlineData: { mimeType: 'image/png', data: 'xyz' } }, 9],
    ['other data', { data: 'xyz' }, 3],
    ['a data address', { url: 'data:image/png;base64,AAAA' }, 0],
    ['text about a data address', 'see data:image/png;base64,AAAA', 30],
  ])('%s', (_, value, chars) => {
    expect(charsOf(value)).toBe(chars);
  });

  test('tokens are a quarter, rounded down, never below 0', () => {
    expect([-5, 0, 3, 4, 7].map(tokensOf)).toEqual([0, 0, 0, 1, 1]);
  });
});

describe('pairs of calls and results', () => {
  const call = (id: string | null, name: string | null = 'run') => ({ id, name });
  test.each<[string, ReturnType<typeof call>[], ReturnType<typeof call>[], (number | null)[]]>([
    ['by id', [call('a'), call('b')], [call('b'), call('a')], [1, 0]],
    ['one id twice, one by one', [call('a'), call('a')], [call('a'), call('a'), call('a')], [0, 1, 1]],
    ['by name where the result has no id', [call('a'), call('b')], [call(null), call('a')], [1, 0]],
    ['by name where the call has no id', [call(null), call(null)], [call('x'), call('y')], [0, 1]],
    ['another id is another call', [call('a')], [call('b')], [null]],
    ['two calls, another id', [call('a'), call('c')], [call('b'), call('c')], [null, 1]],
    ['neither id nor name', [call(null), call('a')], [call(null, null)], [null]],
    ['a left-over name goes to the last', [call(null), call(null)], [call(null), call(null), call(null)], [0, 1, 1]],
    ['one call, many results', [call('a')], [call('a'), call(null), call('b')], [0, 0, null]],
  ])('%s', (_, calls, results, pairs) => {
    expect(pairResults(calls, results)).toEqual(pairs);
  });
});

test('the facts of any object can be told', () => {
  const role = fc.constantFrom('assistant', 'model', 'user', 'tool', 5);
  const content = fc.array(
    fc.oneof(
      fc.jsonValue(),
      fc.record({ type: fc.constantFrom('tool_use', 'tool_result', 'text', 'thinking'), content: fc.jsonValue() }),
      fc.record({ functionCall: fc.jsonValue(), functionResponse: fc.jsonValue() }),
    ),
  );
  fc.assert(
    fc.property(fc.record({ role, content, parts: content, tool_calls: fc.array(fc.jsonValue()) }), (message) => {
      expect(factsOf(message as Message).chars).toBeGreaterThanOrEqual(0);
    }),
    { seed: 20260103, numRuns: 300 },
  );
});
