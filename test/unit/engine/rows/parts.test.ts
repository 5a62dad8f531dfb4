import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, Message } from '../../../../extension/engine/transcript/message';
import { partsOf } from '../../../../extension/engine/rows/parts';
import { MAX_BLOCKS, bodyPiece, plainText, previewMessage } from '../../../../extension/engine/rows/preview';
import { speakerOf } from '../../../../extension/engine/rows/build';
import { PREVIEW_CHARACTERS } from '../../../../extension/engine/rows/row';
import { MASK } from '../../../../extension/engine/rows/mask';

interface Case {
  readonly name: string;
  readonly message: Message;
  readonly speaker: string;
  /** Each block as `kind detail: text`. */
  readonly blocks: readonly string[];
}

function wordsOf(message: Message): string[] {
  const names: Record<string, string> = { c1: 'Read' };
  return previewMessage(message, (id) => names[id] ?? null).map((block) => {
    const detail = {
      text: () => '',
      thinking: () => (block.kind === 'thinking' && block.signed ? ' signed' : ''),
      call: () => (block.kind === 'call' ? ` ${block.name}#${block.call_id}` : ''),
      result: () => (block.kind === 'result' ? ` ${block.name}#${block.call_id}${block.failed ? ' failed' : ''}` : ''),
      image: () => (block.kind === 'image' ? ` ${block.media_type}` : ''),
      pointer: () => (block.kind === 'pointer' ? ` ${block.name} ${block.reclaimed_tokens}` : ''),
      other: () => (block.kind === 'other' ? ` ${block.name}` : ''),
    }[block.kind]();
    return `${block.kind}${detail}: ${block.text.replace(/\s+/g, ' ')}`;
  });
}

function checkCase({ message, speaker, blocks }: Case): void {
  expect(wordsOf(message)).toEqual(blocks);
  expect(speakerOf(message)).toBe(speaker);
}

const pointer = { policy: 'reachability_gc', estimated_tokens_reclaimed: 12, tool_name: 'Read' };
const mark = { redacted: true, policy: 'reachability_gc', redaction_pointer: pointer };

const cases: readonly Case[] = [
  { name: 'text', message: { role: 'user', content: 'hello' }, speaker: 'user', blocks: ['text: hello'] },
  { name: 'no content', message: { role: 'assistant', content: null }, speaker: 'assistant', blocks: [] },
  {
    name: 'a name that would turn the text around it',
    message: {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'x', name: '\u202eda\u200beR\u001b[2J', input: {} }],
    },
    speaker: 'assistant',
    blocks: ['call \\u202eda\\u200beR\\u001b[2J#x: {}'],
  },
  { name: 'nothing at all', message: {}, speaker: 'user', blocks: [] },
  {
    name: 'system',
    message: { role: 'developer', content: 'be brief' },
    speaker: 'system',
    blocks: ['text: be brief'],
  },
  {
    name: 'chat calls, nested and flat',
    message: {
      role: 'assistant',
      content: 'now',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'Read', arguments: '{"path":"a"}' } },
        { id: 'c2', name: 'Bash', arguments: { cmd: 'ls' } },
        { id: 'c3', function: { name: 'Odd', arguments: '{"cut' } },
      ],
    },
    speaker: 'assistant',
    blocks: ['text: now', 'call Read#c1: {"path": "a"}', 'call Bash#c2: {"cmd": "ls"}', 'call Odd#c3: {"cut'],
  },
  {
    name: 'chat result',
    message: { role: 'tool', tool_call_id: 'c1', content: 'error: no such file' },
    speaker: 'result',
    blocks: ['result Read#c1 failed: error: no such file'],
  },
  {
    name: 'chat result with blocks',
    message: {
      role: 'tool_result',
      tool_call_id: 'c9',
      name: 'Bash',
      is_error: false,
      content: [{ type: 'text', text: 'error: fine' }],
    },
    speaker: 'result',
    blocks: ['result Bash#c9: error: fine'],
  },
  {
    name: 'blocks',
    message: {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'abc' },
        { type: 'thinking', thinking: 'unsigned', signature: '' },
        { type: 'redacted_thinking', data: 'xxx' },
        { type: 'text', text: 'done' },
        { type: 'tool_use', id: 'c1', name: 'Read', input: { path: 'a' } },
      ],
    },
    speaker: 'assistant',
    blocks: [
      'thinking signed: hm',
      'thinking: unsigned',
      'thinking signed: ',
      'text: done',
      'call Read#c1: {"path": "a"}',
    ],
  },
  {
    name: 'block results',
    message: {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c1',
          content: [
            { type: 'text', text: 'one' },
            { type: 'text', text: 'two' },
          ],
        },
        { type: 'tool_result', tool_use_id: 'c2', is_error: true, content: 'bad' },
        { type: 'text', text: '  ' },
      ],
    },
    speaker: 'result',
    blocks: ['result Read#c1: one two', 'result null#c2 failed: bad', 'text:  '],
  },
  {
    name: 'results with words beside them',
    message: {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: 'x' },
        { type: 'text', text: 'go on' },
      ],
    },
    speaker: 'user',
    blocks: ['result Read#c1: x', 'text: go on'],
  },
  {
    name: 'parts',
    message: {
      role: 'model',
      parts: [
        { text: 'thinking aloud', thought: true, thoughtSignature: 'abc' },
        { functionCall: { name: 'Read', args: { path: 'a' } } },
        { text: 'hi' },
      ],
    },
    speaker: 'assistant',
    blocks: ['thinking signed: thinking aloud', 'call Read#null: {"path": "a"}', 'text: hi'],
  },
  {
    name: 'part results',
    message: {
      role: 'user',
      parts: [
        { functionResponse: { name: 'Read', response: { output: 'text of it' } } },
        { functionResponse: { id: 'c1', response: { error: true, code: 2 } } },
      ],
    },
    speaker: 'result',
    blocks: ['result Read#null: text of it', 'result Read#c1 failed: { "error": true, "code": 2 }'],
  },
  {
    name: 'images',
    message: {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(4096) } },
        { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,AAAA' } },
        { inlineData: { mimeType: 'image/webp', data: 'AAAA' } },
      ],
    },
    speaker: 'user',
    blocks: ['image image/png: 3 KB', 'image image/jpeg: ', 'image image/webp: 1 KB'],
  },
  {
    name: 'a call shown in two shapes',
    message: {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c1', name: 'Read', input: {} }],
      tool_calls: [{ id: 'c1', function: { name: 'Read', arguments: '{}' } }],
    },
    speaker: 'assistant',
    blocks: ['call Read#c1: {}'],
  },
  {
    name: 'a block that nobody knows',
    message: { role: 'user', content: [{ type: 'hologram', depth: 3 }, 7, ['x']] },
    speaker: 'user',
    blocks: ['other hologram: { "type": "hologram", "depth": 3 }', 'other number: 7', 'other list: [ "x" ]'],
  },
  {
    name: 'a replaced message',
    message: { role: 'tool', tool_call_id: 'c1', content: '[tool result reclaimed …]', _harn_projection: mark },
    speaker: 'result',
    blocks: ['pointer Read 12: [tool result reclaimed …]'],
  },
  {
    name: 'a replaced block',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c1', content: '[…]', _harn_projection: mark }],
    },
    speaker: 'result',
    blocks: ['pointer Read 12: […]'],
  },
  {
    name: 'markup stays text',
    message: { role: 'user', content: '<img src=x onerror=alert(1)>' },
    speaker: 'user',
    blocks: ['text: <img src=x onerror=alert(1)>'],
  },
];

describe('parts of a message', () => {
  for (const each of cases) test(each.name, () => checkCase(each));

  test('a preview never cuts inside a character and says how long the text is', () => {
    const text = '😀'.repeat(PREVIEW_CHARACTERS + 10);
    const [block] = previewMessage({ role: 'user', content: text });
    expect(block).toEqual({ kind: 'text', text: '😀'.repeat(PREVIEW_CHARACTERS), length: PREVIEW_CHARACTERS + 10 });
  });

  test('a secret that the end of the preview cuts is hidden', () => {
    const text = `${'x'.repeat(PREVIEW_CHARACTERS - 12)} sk-abcdefghij0123456789abcdefghij`;
    const [block] = previewMessage({ role: 'user', content: text });
    expect(block?.text.endsWith(` sk-${MASK.repeat(8)}`)).toBe(true);
  });

  test('very many blocks are begun, counted, and do not fill a page', () => {
    const content = Array.from({ length: 10_000 }, (_, at) => ({ type: 'text', text: `${at} ${'y'.repeat(2000)}` }));
    const blocks = previewMessage({ role: 'user', content });
    expect(blocks).toHaveLength(MAX_BLOCKS);
    const last = blocks.at(-1);
    expect(last).toMatchObject({ kind: 'other', name: 'more' });
    expect(last?.text).toContain('9951 more');
    expect(JSON.stringify(blocks).length).toBeLessThan(60_000);
  });

  test('arguments stand on one line, and over several where they are opened', () => {
    const input = { a: [1, { b: 'x,\n {' }], c: {}, d: [] };
    const parts = partsOf({ role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'T', input }] });
    expect(parts[0]?.text()).toBe('{"a": [1, {"b": "x,\\n {"}], "c": {}, "d": []}');
    expect(plainText(parts)).toBe(`[Call T (c1)]\n${JSON.stringify(input, null, 2)}`);
  });

  test('plain text labels what is no text', () => {
    const message = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'hi password=hunter2' },
        { type: 'tool_use', id: 'c1', name: 'Read', input: {} },
      ],
    };
    expect(plainText(partsOf(message))).toBe(`hi password=${MASK.repeat(7)}\n\n[Call Read (c1)]\n{}`);
  });

  test('the pieces of a body are its whole text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '😀', 'é', '\ud800', 'x'.repeat(30_000)), { maxLength: 12 }),
        (pieces) => {
          const text = pieces.join('');
          const parts = partsOf({ role: 'user', content: `t${text}` });
          let whole = '';
          for (let next: number | null = 0; next !== null;) {
            const piece = bodyPiece(parts, 0, next);
            if (!piece) throw new Error('no such block');
            expect(/^[\udc00-\udfff]/.test(piece.text) && next > 0 && /[\ud800-\udbff]$/.test(whole)).toBe(false);
            whole += piece.text;
            next = piece.next;
          }
          expect(whole).toBe(`t${text}`);
        },
      ),
      { seed: 7, numRuns: 60 },
    );
  });

  test('anything at all gives parts', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('user', 'assistant', 'tool', 'model', 7), (value, role) => {
        const json = value as Json;
        for (const message of [
          { role, content: json },
          { role, content: [json] },
          { role, parts: json, tool_calls: json, reasoning: json },
          {
            role,
            content: [
              { type: 'tool_result', content: json },
              { type: 'tool_use', input: json, name: json },
            ],
          },
          {
            role,
            content: [{ functionResponse: { response: json } }, { functionCall: json }, { _harn_projection: json }],
          },
        ]) {
          const blocks = previewMessage(message);
          for (const block of blocks) expect(typeof block.text).toBe('string');
          speakerOf(message);
        }
      }),
      { seed: 11, numRuns: 200 },
    );
  });
});
