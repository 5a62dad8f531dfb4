import { describe, expect, test } from 'vitest';
import type { LmMessage } from '../../../../extension/agents/builtin/models/mapping';
import { fromLmParts, toLmMessages, toLmTools } from '../../../../extension/agents/builtin/models/mapping';
import { toolDescriptions } from '../../../../extension/agents/builtin/tools';
import type { Message } from '../../../../extension/engine/transcript/message';

describe('our messages for chat models of the editor', () => {
  const rows: readonly { name: string; system?: string; messages: readonly Message[]; gives: readonly LmMessage[] }[] =
    [
      {
        name: 'the system prompt first, as a user message',
        system: 'Be brief.',
        messages: [{ role: 'user', content: 'Hi' }],
        gives: [
          { role: 'user', parts: [{ type: 'text', text: 'Be brief.' }] },
          { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
        ],
      },
      {
        name: 'no system prompt',
        messages: [{ role: 'user', content: 'Hi' }],
        gives: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      },
      {
        name: 'a synthetic system message',
        messages: [{ role: 'system', content: 'Summary' }],
        gives: [{ role: 'user', parts: [{ type: 'text', text: 'Summary' }] }],
      },
      {
        name: 'text and calls of one answer',
        messages: [
          {
            role: 'assistant',
            id: 'a1',
            content: [
              { type: 'text', text: 'Look.' },
              { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a' } },
            ],
          },
        ],
        gives: [
          {
            role: 'assistant',
            parts: [
              { type: 'text', text: 'Look.' },
              { type: 'call', id: 'c1', name: 'read_file', input: { path: 'a' } },
            ],
          },
        ],
      },
      {
        name: 'broken arguments',
        messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'f', input: '{"a' }] }],
        gives: [{ role: 'assistant', parts: [{ type: 'call', id: 'c1', name: 'f', input: {} }] }],
      },
      {
        name: 'results',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'c1', content: 'x', is_error: true },
              { type: 'tool_result', tool_use_id: 'c2', content: [{ type: 'text', text: 'y' }] },
            ],
          },
        ],
        gives: [
          {
            role: 'user',
            parts: [
              { type: 'result', id: 'c1', text: 'x', failed: true },
              { type: 'result', id: 'c2', text: 'y', failed: false },
            ],
          },
        ],
      },
      {
        name: 'messages that follow each other stay apart',
        messages: [
          { role: 'user', content: 'a' },
          { role: 'user', content: 'b' },
        ],
        gives: [
          { role: 'user', parts: [{ type: 'text', text: 'a' }] },
          { role: 'user', parts: [{ type: 'text', text: 'b' }] },
        ],
      },
      {
        name: 'what is not understood, and what is empty, is left out',
        messages: [
          { role: 'user', content: '' },
          { role: 'assistant', content: [{ type: 'image' }, null] },
          { role: 'user' },
        ],
        gives: [],
      },
    ];
  for (const { name, system = '', messages, gives } of rows) {
    test(name, () => expect(toLmMessages({ system, messages })).toEqual(gives));
  }

  test('a longer transcript begins with the shorter one', () => {
    const messages = rows.flatMap((row) => row.messages);
    const all = toLmMessages({ system: 's', messages });
    for (let length = 0; length <= messages.length; length += 1) {
      const part = toLmMessages({ system: 's', messages: messages.slice(0, length) });
      expect(all.slice(0, part.length)).toEqual(part);
    }
  });

  test('the tools', () => {
    expect(toLmTools(toolDescriptions).map((tool) => tool.name)).toEqual([
      'read_file',
      'write_file',
      'edit_file',
      'list_files',
      'search',
      'run_command',
    ]);
    expect(toLmTools(toolDescriptions)[0]).toMatchObject({ inputSchema: { type: 'object', required: ['path'] } });
  });
});

test('what a model streams, as our parts', async () => {
  async function* stream(): AsyncGenerator<unknown> {
    yield { value: 'a' };
    yield { value: '' };
    yield { other: 1 };
    yield { callId: 'c1', name: 'f', input: { x: 1 } };
  }
  const found: unknown[] = [];
  const reader = {
    text: (part: unknown) => (part as { value?: string }).value ?? null,
    call: (part: unknown) => {
      const { callId, name, input } = part as { callId?: string; name?: string; input?: unknown };
      return callId === undefined || name === undefined ? null : { id: callId, name, input };
    },
  };
  for await (const part of fromLmParts(stream(), reader)) found.push(part);
  expect(found).toEqual([
    { type: 'text', text: 'a' },
    { type: 'call', id: 'c1', name: 'f', input: { x: 1 } },
  ]);
});
