import { isReasoning, isTextBlock } from '../transcript/blocks';
import { isObject } from '../transcript/message';
import type { Json, JsonObject, Message } from '../transcript/message';
import { printJson } from '../transcript/printed';
import { isFailedResult } from '../transcript/results';
import type { Block } from './row';
import { showUnseen } from './text';

/** A block without its text, which is only made when it is asked for. */
export interface Part {
  readonly block: Block;
  /** The full text, as stored (not masked); arguments of a call on one line. */
  text(): string;
  /** As `text`, laid out over several lines where that reads better. */
  laidOut?(): string;
}

/** What a call is named, for results that do not say it themselves; null when it is not known. */
export type NameOf = (call_id: string) => string | null;

type Bare<B> = B extends Block ? Omit<B, 'text' | 'length'> : never;

function part(bare: Bare<Block>, text: () => string): Part {
  let known: string | null = null;
  const named = 'name' in bare && bare.name !== null ? { name: showUnseen(bare.name) } : {};
  return { block: { ...bare, ...named, text: '', length: 0 }, text: () => (known ??= text()) };
}

function asText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : printJson(value);
}

function textField(object: JsonObject, ...keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = object[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** Arguments of a call: JSON that came as a string is read; what is no JSON stays as it is. */
function readArguments(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

/** JSON on one line, with a space after each comma and colon. */
function onOneLine(value: Json | undefined): string {
  const text = asText(value);
  if (typeof value === 'string') return text;
  // A line break in JSON that was laid out is never part of a string.
  return text.replace(/([[{])\n\s*|\n\s*(?=[\]}])/g, '$1').replace(/\n\s*/g, ' ');
}

function textOfContent(content: Json | undefined): string {
  if (!Array.isArray(content)) return asText(content);
  return (content as readonly Json[])
    .map((item) => {
      if (typeof item === 'string') return item;
      if (!isObject(item)) return asText(item);
      if (typeof item['text'] === 'string') return item['text'];
      const media = mediaOf(item);
      return media === null ? asText(item) : `[${media}]`;
    })
    .join('\n');
}

/** The media type of an image block in any of the shapes that providers use; null for what is no image. */
function mediaOf(block: JsonObject): string | null {
  const inline = isObject(block['inlineData']) ? block['inlineData'] : null;
  if (inline) return textField(inline, 'mimeType') ?? 'image';
  const type = block['type'];
  if (type !== 'image' && type !== 'image_url' && type !== 'input_image' && type !== 'document') return null;
  const source = isObject(block['source']) ? block['source'] : block;
  const named = textField(source, 'media_type', 'mimeType', 'mime_type');
  if (named) return named;
  const url = isObject(block['image_url'])
    ? textField(block['image_url'], 'url')
    : textField(block, 'image_url', 'url');
  return /^data:([\w.+-]+\/[\w.+-]+)/.exec(url ?? '')?.[1] ?? (type === 'document' ? 'document' : 'image');
}

function sizeOf(block: JsonObject): string {
  const inline = isObject(block['inlineData'])
    ? block['inlineData']
    : isObject(block['source'])
      ? block['source']
      : block;
  const data = textField(inline, 'data');
  return data === null ? '' : `${Math.ceil((data.length * 3) / 4 / 1024)} KB`;
}

function pointerOf(object: JsonObject): JsonObject | null {
  const mark = object['_harn_projection'];
  if (!isObject(mark) || mark['redacted'] !== true) return null;
  return isObject(mark['redaction_pointer']) ? mark['redaction_pointer'] : {};
}

function pointerPart(pointer: JsonObject, name: string | null, text: () => string): Part {
  const tokens = pointer['estimated_tokens_reclaimed'];
  const tool = textField(pointer, 'tool_name') ?? name;
  return part({ kind: 'pointer', name: tool, reclaimed_tokens: typeof tokens === 'number' ? tokens : 0 }, text);
}

function resultPart(object: JsonObject, id: string | null, content: () => string, nameOf: NameOf): Part {
  const name = textField(object, 'name', 'tool_name') ?? (id === null ? null : nameOf(id));
  const pointer = pointerOf(object);
  if (pointer) return pointerPart(pointer, name, content);
  return part({ kind: 'result', call_id: id, name, failed: isFailedResult(object) }, content);
}

function functionResponsePart(holder: JsonObject, response: JsonObject, nameOf: NameOf): Part {
  const body = response['response'];
  const id = textField(response, 'id', 'tool_call_id');
  const name = textField(response, 'name') ?? (id === null ? null : nameOf(id));
  const content = (): string =>
    isObject(body) && typeof body['output'] === 'string' && Object.keys(body).length === 1
      ? body['output']
      : asText(body);
  const pointer = pointerOf(holder) ?? pointerOf(response);
  if (pointer) return pointerPart(pointer, name, content);
  return part({ kind: 'result', call_id: id, name, failed: isFailedResult(holder) }, content);
}

function callPart(id: string | null, name: string | null, input: Json | undefined): Part {
  const read = (): Json | undefined => readArguments(input);
  const call = part({ kind: 'call', call_id: id, name: name ?? 'tool' }, () => onOneLine(read()));
  return { ...call, laidOut: () => asText(read()) };
}

function reasoningText(block: JsonObject): string {
  return textField(block, 'thinking', 'text', 'reasoning') ?? textOfContent(block['summary'] ?? block['content']);
}

const SIGNATURES = ['signature', 'thoughtSignature', 'thought_signature', 'thinking_signature', 'encrypted_content'];

function isSigned(block: JsonObject): boolean {
  return block['type'] === 'redacted_thinking' || textField(block, ...SIGNATURES) !== null;
}

function contentPart(item: Json, nameOf: NameOf): Part {
  if (typeof item === 'string') return part({ kind: 'text' }, () => item);
  if (!isObject(item))
    return part({ kind: 'other', name: Array.isArray(item) ? 'list' : typeof item }, () => asText(item));
  const type = textField(item, 'type');
  if (isObject(item['functionCall'])) {
    const call = item['functionCall'];
    return callPart(textField(call, 'id'), textField(call, 'name'), call['args'] ?? call['arguments']);
  }
  if (isObject(item['functionResponse'])) return functionResponsePart(item, item['functionResponse'], nameOf);
  if (type === 'tool_use' || type === 'server_tool_use' || type === 'tool_call' || type === 'function_call') {
    const id = textField(item, 'id', 'call_id');
    return callPart(id, textField(item, 'name'), item['input'] ?? item['arguments'] ?? item['args']);
  }
  if (type === 'tool_result' || type === 'function_call_output' || type?.endsWith('_tool_result')) {
    const id = textField(item, 'tool_use_id', 'tool_call_id', 'call_id');
    return resultPart(item, id, () => textOfContent(item['content'] ?? item['output']), nameOf);
  }
  if (isReasoning(item)) {
    return part({ kind: 'thinking', signed: isSigned(item) }, () => reasoningText(item));
  }
  const media = mediaOf(item);
  if (media !== null) return part({ kind: 'image', media_type: media }, () => sizeOf(item));
  if (isTextBlock(item)) {
    const text = textField(item, 'text') ?? '';
    return part({ kind: 'text' }, () => text);
  }
  return part({ kind: 'other', name: type ?? 'block' }, () => asText(item));
}

function toolCallParts(message: Message, known: ReadonlySet<string | null>): Part[] {
  const calls = message['tool_calls'];
  if (!Array.isArray(calls)) return [];
  return (calls as readonly Json[]).filter(isObject).flatMap((call) => {
    const id = textField(call, 'id');
    if (id !== null && known.has(id)) return [];
    const inner = isObject(call['function']) ? call['function'] : call;
    return [callPart(id, textField(inner, 'name'), inner['arguments'] ?? inner['input'])];
  });
}

function messageReasoning(message: Message): Part[] {
  const value = message['reasoning'] ?? message['reasoning_content'] ?? message['thinking'];
  const signed = isSigned(message) || (isObject(message['reasoning']) && isSigned(message['reasoning']));
  if (value === undefined || value === null || value === '') {
    return signed ? [part({ kind: 'thinking', signed }, () => '')] : [];
  }
  return [part({ kind: 'thinking', signed }, () => (isObject(value) ? reasoningText(value) : textOfContent(value)))];
}

/** Whether a message is one tool's result by its role. */
function isToolRole(message: Message): boolean {
  return message['role'] === 'tool' || message['role'] === 'tool_result' || message['role'] === 'function';
}

/** The parts of a message in any of the shapes that are understood; what is not understood is shown as JSON. */
export function partsOf(message: Message, nameOf: NameOf = () => null): readonly Part[] {
  if (isToolRole(message)) {
    const id = textField(message, 'tool_call_id', 'tool_use_id', 'call_id', 'id');
    const list = message['content'];
    const inner = Array.isArray(list)
      ? (list as readonly Json[]).find((item) => isObject(item) && pointerOf(item))
      : null;
    const marked = isObject(inner) ? { ...message, _harn_projection: inner['_harn_projection'] } : message;
    return [resultPart(marked, id, () => textOfContent(message['content'] ?? message['output']), nameOf)];
  }
  const parts: Part[] = [...messageReasoning(message)];
  for (const key of ['content', 'parts'] as const) {
    const value = message[key];
    if (typeof value === 'string' && value !== '') parts.push(part({ kind: 'text' }, () => value));
    else if (Array.isArray(value)) for (const item of value as readonly Json[]) parts.push(contentPart(item, nameOf));
    else if (isObject(value)) parts.push(contentPart(value, nameOf));
  }
  const known = new Set(parts.map(({ block }) => (block.kind === 'call' ? block.call_id : null)));
  parts.push(...toolCallParts(message, known));
  return parts;
}
