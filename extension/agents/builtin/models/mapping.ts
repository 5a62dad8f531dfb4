import type { Json, JsonObject, Message } from '../../../engine/transcript/message';
import { isObject } from '../../../engine/transcript/message';
import type { ModelPart, ModelRequest, ToolDescription } from '../model';

/** One part of a message as chat models of the editor take it. */
export type LmPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: JsonObject }
  | { readonly type: 'result'; readonly id: string; readonly text: string; readonly failed: boolean };

/** Those models know two roles only. */
export interface LmMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly LmPart[];
}

export interface LmTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/**
 * A request for an interface without a system role: the system prompt goes first, as a user message of its own, and so
 * does a leading synthetic `system` message, always alike. Messages that follow each other with the same role stay apart,
 * since joining them would change what was sent before. A message without any part is left out.
 */
export function toLmMessages(request: Pick<ModelRequest, 'system' | 'messages'>): LmMessage[] {
  const system: LmMessage[] =
    request.system === '' ? [] : [{ role: 'user', parts: [{ type: 'text', text: request.system }] }];
  const messages = request.messages.map(toLmMessage).filter((message) => message.parts.length > 0);
  return [...system, ...messages];
}

export function toLmTools(tools: readonly ToolDescription[]): LmTool[] {
  return tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters }));
}

/** How to recognise the parts that a model streams; null: not of that kind. */
export interface LmReader {
  text(part: unknown): string | null;
  call(part: unknown): { readonly id: string; readonly name: string; readonly input: unknown } | null;
}

/** What a model streams, as our own parts. What is neither text nor call is passed over. */
export async function* fromLmParts(stream: AsyncIterable<unknown>, reader: LmReader): AsyncGenerator<ModelPart> {
  for await (const part of stream) {
    const text = reader.text(part);
    if (text !== null) {
      if (text !== '') yield { type: 'text', text };
      continue;
    }
    const call = reader.call(part);
    if (call !== null) yield { type: 'call', id: call.id, name: call.name, input: call.input };
  }
}

function toLmMessage(message: Message): LmMessage {
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  if (typeof message.content === 'string') return { role, parts: textPart(message.content) };
  const blocks = Array.isArray(message.content) ? (message.content as readonly Json[]) : [];
  return { role, parts: blocks.flatMap(toLmPart) };
}

function toLmPart(block: Json): LmPart[] {
  if (!isObject(block)) return [];
  switch (block.type) {
    case 'text':
      return textPart(block.text);
    case 'tool_use': {
      const { id, name, input } = block;
      if (typeof id !== 'string' || typeof name !== 'string') return [];
      return [{ type: 'call', id, name, input: isObject(input) ? input : {} }];
    }
    case 'tool_result': {
      const id = block.tool_use_id;
      if (typeof id !== 'string') return [];
      return [{ type: 'result', id, text: resultText(block.content), failed: block.is_error === true }];
    }
    default:
      return [];
  }
}

function textPart(text: Json | undefined): LmPart[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : [];
}

function resultText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content === undefined ? '' : JSON.stringify(content);
  const blocks = content as readonly Json[];
  return blocks.flatMap((block) => (isObject(block) && typeof block.text === 'string' ? [block.text] : [])).join('\n');
}
