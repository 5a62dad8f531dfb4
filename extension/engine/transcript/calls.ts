import { eachBlock, isAssistant, textOrNull } from './blocks';
import type { Json, JsonObject, Message } from './message';
import { isObject } from './message';

/** A tool call of an assistant message. */
export interface ToolCall {
  /** Null when the call has none (part style). */
  readonly id: string | null;
  readonly name: string | null;
  /** As written: an object, or a JSON text. */
  readonly arguments: Json | undefined;
}

const NONE: readonly ToolCall[] = [];

/**
 * The tool calls of a message, in order: `tool_calls` (nested under `function` or flat), `tool_use` blocks and
 * `functionCall` parts. A call shown in two of these shapes is one call. Only assistant messages have calls.
 */
export function callsOf(message: Message): readonly ToolCall[] {
  if (!isAssistant(message)) {
    return NONE;
  }
  const chat = chatCalls(message);
  const blocks: ToolCall[] = [];
  const contentParts: ToolCall[] = [];
  const parts: ToolCall[] = [];
  eachBlock(message, (block, list) => {
    if (!isObject(block)) {
      return;
    }
    if (block.type === 'tool_use') {
      blocks.push({ id: textOrNull(block.id), name: textOrNull(block.name), arguments: block.input });
    } else if (isObject(block.functionCall)) {
      const { id, name, args } = block.functionCall;
      (list === 'content' ? contentParts : parts).push({ id: textOrNull(id), name: textOrNull(name), arguments: args });
    }
  });
  const shapes = [chat, blocks, contentParts, parts].filter((calls) => calls.length > 0);
  return shapes.length === 0 ? NONE : shapes.reduce(mergeShapes);
}

function chatCalls(message: Message): readonly ToolCall[] {
  const { tool_calls: list } = message;
  if (!Array.isArray(list)) {
    return NONE;
  }
  return (list as readonly Json[]).filter(isObject).map((call) => {
    const called: JsonObject = isObject(call.function) ? call.function : call;
    return {
      id: textOrNull(call.id),
      name: textOrNull(called.name) ?? textOrNull(call.name),
      arguments: called.arguments ?? call.arguments,
    };
  });
}

/** Adds the calls of one more shape; each may stand for one call that is known already. */
function mergeShapes(known: readonly ToolCall[], shape: readonly ToolCall[]): readonly ToolCall[] {
  const merged = [...known];
  const taken = new Set<number>();
  for (const call of shape) {
    const same = known.findIndex((other, index) => !taken.has(index) && isSameCall(other, call));
    if (same < 0) {
      merged.push(call);
      continue;
    }
    taken.add(same);
    const other = known[same] ?? call;
    merged[same] = {
      id: other.id ?? call.id,
      name: other.name ?? call.name,
      arguments: other.arguments ?? call.arguments,
    };
  }
  return merged;
}

function isSameCall(a: ToolCall, b: ToolCall): boolean {
  return a.id !== null && b.id !== null ? a.id === b.id : a.name !== null && a.name === b.name;
}
