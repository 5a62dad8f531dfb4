import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../extension/formats/detect';
import type { Facts, FormatName } from '../../../extension/formats/facts';
import { formatNamed, formats } from '../../../extension/formats/formats';
import type { IssueKind } from '../../../extension/formats/issue';
import type { LogReader } from '../../../extension/formats/reader';
import { answer, call, fileOf, prompt, result, text } from '../../support/claudeLines';

const decoder = new TextDecoder();

const item = (payload: object): object => ({ timestamp: '2026-01-01T00:00:00Z', type: 'response_item', payload });
const said = (role: string, words: string): object => ({
  type: 'message',
  role,
  content: [{ type: role === 'user' ? 'input_text' : 'output_text', text: words }],
});
const shell = (id: string): object => ({
  type: 'function_call',
  name: 'shell',
  arguments: '{"command":["ls"]}',
  call_id: id,
});
const output = (id: string, value: unknown): object => ({ type: 'function_call_output', call_id: id, output: value });
const thought = { type: 'reasoning', summary: [], encrypted_content: 'c2VhbGVk' };
const tokens = (total: number): object => ({
  type: 'event_msg',
  payload: { type: 'token_count', info: { last_token_usage: { total_tokens: total } } },
});
const lines = (...records: readonly (object | string)[]): string =>
  records.map((record) => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`).join('');

const items = [
  said('user', 'Look'),
  thought,
  shell('c1'),
  output('c1', '{"output":"a","metadata":{"exit_code":0}}'),
  shell('c2'),
  output('c2', '{"output":"","metadata":{"exit_code":2}}'),
  shell('c3'),
  output('c3', 'failed in sandbox Box with execution error: denied'),
  shell('c4'),
  output('c4', 'Exit code: 0\nfine'),
  said('assistant', 'Looked.'),
];
const codex = lines(
  { type: 'session_meta', payload: { id: 's', cli_version: '0.40.0' } },
  { type: 'turn_context', payload: { model: 'm' } },
  { type: 'event_msg', payload: { type: 'user_message', message: 'Look' } },
  ...items.map(item),
  tokens(100),
  tokens(120),
);
const codexOld = lines({ id: 's', timestamp: 't', instructions: null }, { record_type: 'state' }, ...items).replaceAll(
  '\n',
  '\r\n',
);

const chat = {
  sessionId: 's',
  projectHash: 'p',
  messages: [
    { id: 'u', type: 'user', content: 'Look' },
    {
      id: 'g',
      type: 'gemini',
      content: 'I look',
      tokens: { total: 50 },
      toolCalls: [
        { id: 't1', name: 'ls', args: {}, status: 'success', result: [{ functionResponse: { id: 't1', name: 'ls' } }] },
        { id: 't2', name: 'ls', args: {}, status: 'cancelled', result: [] },
      ],
    },
    { id: 'i', type: 'info', content: 'note' },
    { id: 'g2', type: 'gemini', content: 'Looked', tokens: { total: 70 } },
  ],
};
const geminiLines = lines(
  { sessionId: 's', projectHash: 'p' },
  chat.messages[0]!,
  { ...chat.messages[1], content: '' },
  chat.messages[1]!,
  { $set: { lastUpdated: 'now' } },
  chat.messages[3]!,
);

const event = (id: string, kind: string, payload: object): object => ({
  id,
  event: { kind, payload, headers: {}, occurred_at_ms: 1 },
});
const harn = lines(
  event('1', 'session.opened', { title: 't' }),
  event('2', 'message.appended', { message: { role: 'user', content: 'Look' } }),
  event('3', 'message.appended', {
    message: { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'ls', input: {} }] },
  }),
  event('4', 'message.appended', {
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'no', is_error: true }] },
  }),
  event('4', 'message.appended', { message: { role: 'user', content: 'again' } }),
  event('5', 'usage.reported', { input_tokens: 5, output_tokens: 6 }),
  event('6', 'kind.of.tomorrow', {}),
  { id: '7' },
);

interface Row {
  readonly name: string;
  readonly content: string;
  readonly format: FormatName;
  readonly facts: Partial<Facts>;
  readonly issues?: readonly (readonly [number, IssueKind])[];
  /** Roles of the messages that the model sees. */
  readonly context: readonly string[];
}

const codexFacts = { messages: 2, tool_calls: 4, tool_errors: 2, signed: 1, malformed: 0, compactions: 0 };
const codexContext = [
  'user',
  'assistant',
  ...Array.from({ length: 8 }, (_, i) => (i % 2 ? 'tool' : 'assistant')),
  'assistant',
];

const rows: readonly Row[] = [
  {
    name: 'Claude Code, the context of the active branch alone',
    format: 'claude-code',
    content: fileOf(
      prompt('u1', null, 'One'),
      answer('a1', 'u1', 'm1', call('c1')),
      result('r1', 'a1', 'c1', 'x'),
      prompt('u2', 'r1', 'left'),
      prompt('u3', 'r1', 'right'),
      answer('a2', 'u3', 'm2', text('ok')),
    ),
    facts: { messages: 6, real_forks: 1 },
    context: ['user', 'assistant', 'user', 'user', 'assistant'],
  },
  {
    name: 'Codex',
    format: 'codex',
    content: codex,
    facts: { ...codexFacts, lines: 16, versions: ['0.40.0'], last_usage: 120 },
    context: codexContext,
  },
  {
    name: 'Codex after a compaction: what replaced the history, and what came since',
    format: 'codex',
    content: lines(
      ...codex.trimEnd().split('\n'),
      { type: 'compacted', payload: { message: 'In short' } },
      item(said('user', 'On')),
    ),
    facts: { compactions: 1, messages: 3 },
    context: ['user', 'user'],
  },
  {
    name: 'Codex with odd lines',
    format: 'codex',
    content: `${codex}{"type":"response_item"}\n{"type":"later"}\n${JSON.stringify(item({ type: 'odd' }))}\n{"type":`,
    facts: { ...codexFacts, malformed: 1, lines: 20 },
    issues: [
      [17, 'wrong-shape'],
      [18, 'unknown-record'],
      [19, 'unknown-record'],
      [20, 'truncated'],
    ],
    context: codexContext,
  },
  {
    name: 'Codex in its old shape, with carriage returns',
    format: 'codex-old',
    content: codexOld,
    facts: { ...codexFacts, lines: 13, versions: [], last_usage: null },
    context: codexContext,
  },
  {
    name: 'Gemini, one document',
    format: 'gemini',
    content: JSON.stringify(chat, null, 2),
    facts: {
      lines: JSON.stringify(chat, null, 2).split('\n').length,
      malformed: 0,
      messages: 3,
      tool_calls: 2,
      tool_errors: 1,
      last_usage: 70,
    },
    context: ['user', 'model', 'user', 'model'],
  },
  {
    name: 'Gemini, lines: a message that comes again counts once',
    format: 'gemini',
    content: geminiLines,
    facts: { lines: 6, malformed: 0, messages: 3, tool_calls: 2, tool_errors: 1, last_usage: 70 },
    context: ['user', 'model', 'user', 'model'],
  },
  {
    name: 'our own log',
    format: 'harn',
    content: harn,
    facts: { lines: 8, malformed: 0, messages: 3, tool_calls: 1, tool_errors: 1, last_usage: 11 },
    issues: [
      [5, 'duplicate'],
      [8, 'wrong-shape'],
    ],
    context: ['user', 'assistant', 'user'],
  },
];

function read(format: FormatName, bytes: Uint8Array, size: number): LogReader {
  const reader = formatNamed(format).createReader!({ decode: (part) => decoder.decode(part) });
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.slice(at, at + size));
  reader.settle();
  return reader;
}

function checkRow({ content, format, facts, issues, context }: Row): void {
  expect(detectFormat(content)).toBe(format);
  const bytes = new TextEncoder().encode(content);
  for (const size of [bytes.length, 100, 7]) {
    const reader = read(format, bytes, size);
    expect(reader.facts()).toMatchObject({ format, ...facts });
    expect(reader.issues().map(({ line, kind }) => [line, kind])).toEqual(issues ?? []);
    expect(reader.context((start, end) => bytes.slice(start, end)).map(({ role }) => role)).toEqual(context);
  }
}

describe('readers', () => {
  it.each(rows)('$name', checkRow);

  it.each(formats.filter(({ createReader }) => createReader))('$title reads anything without failing', ({ name }) => {
    const odd =
      '\uFEFF{}\n[]\n\n"x"\n{"type":1,"event":{"kind":"message.appended"},"id":"1"}\n{"messages":[null,1]}\n{"a":\u0000';
    for (const content of [
      '',
      odd,
      '{"type":"response_item","payload":{"type":"function_call"}}',
      '\u0000'.repeat(100),
    ]) {
      const bytes = new TextEncoder().encode(content);
      const reader = read(name, bytes, 5);
      expect(reader.facts().format).toBe(name);
      expect(reader.context((start, end) => bytes.slice(start, end))).toBeInstanceOf(Array);
    }
  });
});

describe('detectFormat', () => {
  it.each([
    { head: '{"type":"summary","summary":"x","leafUuid":"y"}', format: 'claude-code' },
    {
      head: `{"parentUuid":null,"isSidechain":false,"type":"user","message":{"content":"${'x'.repeat(5000)}`,
      format: 'claude-code',
    },
    { head: '\uFEFF{"type":"queue-operation","sessionId":"s"}\n', format: 'claude-code' },
    { head: 'garbage\n\n{"type":"user","uuid":"1","parentUuid":null}', format: 'claude-code' },
    {
      head: '{"uuid":"1","parentUuid":null,"sessionId":"s","type":"user","message":{"role":"user","parts":[]}}',
      format: 'qwen',
    },
    { head: '{"type":"session","version":3,"id":"1","cwd":"/"}', format: 'pi' },
    { head: '{"info":{"id":"ses"},"messages":[]}', format: 'opencode' },
    { head: '{\n  "info": {\n "id": "ses" },\n "messages": [', format: 'opencode' },
    { head: '', format: null },
    { head: 'hello\nworld', format: null },
    { head: '{"name":"package","version":"1.0.0"}', format: null },
    { head: '[1,2,3]', format: null },
    { head: '\u0089PNG\r\n', format: null },
  ])('$head', ({ head, format }) => expect(detectFormat(head)).toBe(format));

  it('has one entry for every format', () => {
    expect(new Set(formats.map(({ name }) => name)).size).toBe(formats.length);
  });
});
