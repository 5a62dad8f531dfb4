import type { BlockList } from './blocks';
import { eachBlock, isAssistant, textOf, textOrNull } from './blocks';
import type { Json, JsonObject, Message } from './message';
import { isObject } from './message';

/** A tool result: a whole message (chat style), a `tool_result` block, or a `functionResponse` part. */
export interface ToolResult {
  /** The id of the call it answers, when it says one. */
  readonly id: string | null;
  /** The tool's name, when the result itself says it. */
  readonly name: string | null;
  /** Null when the whole message is the result. */
  readonly list: BlockList | null;
  /** The block's index in its list; null when the whole message is the result. */
  readonly block: number | null;
  /** The message, block or part. */
  readonly value: JsonObject;
}

const NONE: readonly ToolResult[] = [];
const FAILED_STATUS: ReadonlySet<Json | undefined> = new Set(['error', 'failed', 'rejected', 'exception', 'denied']);
const FAILED_TEXT = /^\s*(?:error:|tool error|failed:)/i;

/** The tool results that a message holds, in order. An assistant's message holds none. */
export function resultsOf(message: Message): readonly ToolResult[] {
  if (isAssistant(message)) {
    return NONE;
  }
  const isResultRole = message.role === 'tool' || message.role === 'tool_result';
  const id = isResultRole ? (textOrNull(message.tool_call_id) ?? textOrNull(message.tool_use_id)) : null;
  if (id === null && (Array.isArray(message.content) || Array.isArray(message.parts))) {
    const results: ToolResult[] = [];
    eachBlock(message, (value, list, block) => {
      if (isObject(value)) {
        const result = blockResult(value, list, block);
        if (result !== null) {
          results.push(result);
        }
      }
    });
    if (results.length > 0) {
      return results;
    }
  }
  return isResultRole ? [{ id, name: textOrNull(message.name), list: null, block: null, value: message }] : NONE;
}

function blockResult(value: JsonObject, list: BlockList, block: number): ToolResult | null {
  if (value.type === 'tool_result') {
    const id = textOrNull(value.tool_use_id) ?? textOrNull(value.tool_call_id);
    return { id, name: textOrNull(value.name), list, block, value };
  }
  if (isObject(value.functionResponse)) {
    const { id, name } = value.functionResponse;
    return { id: textOrNull(id), name: textOrNull(name), list, block, value };
  }
  return null;
}

/** True when the result is a `functionResponse` part. */
export function isResponsePart({ list, value }: ToolResult): boolean {
  return list !== null && value.type !== 'tool_result';
}

/** What a result says: `content`, or the `response` of a `functionResponse`. */
export function bodyOf(result: ToolResult): Json | undefined {
  const { value } = result;
  return isResponsePart(result) && isObject(value.functionResponse) ? value.functionResponse.response : value.content;
}

/**
 * Whether a tool message, `tool_result` block or `functionResponse` part reports a failure. A boolean `is_error` (else
 * `error`) decides alone; otherwise a status that means failure, or a text that begins like an error.
 */
export function isFailedResult(value: JsonObject): boolean {
  const levels = levelsOf(value);
  const flag = firstBoolean(levels, 'is_error') ?? firstBoolean(levels, 'error');
  if (flag !== null) {
    return flag;
  }
  const status = levels.find((level) => typeof level.status === 'string')?.status;
  if (FAILED_STATUS.has(status)) {
    return true;
  }
  const text = failureText(value, levels);
  return text !== null && FAILED_TEXT.test(text);
}

/** The objects that are read, outermost first. */
function levelsOf(value: JsonObject): readonly JsonObject[] {
  const { functionResponse } = value;
  if (!isObject(functionResponse)) {
    return [value];
  }
  return isObject(functionResponse.response)
    ? [value, functionResponse, functionResponse.response]
    : [value, functionResponse];
}

function firstBoolean(levels: readonly JsonObject[], key: 'is_error' | 'error'): boolean | null {
  for (const level of levels) {
    const flag = level[key];
    if (typeof flag === 'boolean') {
      return flag;
    }
  }
  return null;
}

function failureText(value: JsonObject, levels: readonly JsonObject[]): string | null {
  for (const level of levels) {
    const text = textOf(level.content);
    if (text !== null) {
      return text;
    }
  }
  const { functionResponse } = value;
  if (!isObject(functionResponse)) {
    return null;
  }
  const { response } = functionResponse;
  return textOf(isObject(response) ? response.output : response);
}
