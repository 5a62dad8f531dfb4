import type { Json, JsonObject, Message } from '../../engine/transcript/message';
import { isObject } from '../../engine/transcript/message';

const CALLS: ReadonlySet<unknown> = new Set(['function_call', 'custom_tool_call', 'local_shell_call']);
const OUTPUTS: ReadonlySet<unknown> = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'local_shell_call_output',
]);

/** True for an item that calls a tool. */
export function isCall(item: JsonObject): boolean {
  return CALLS.has(item['type']);
}

/** True for an item that is a tool's result. */
export function isOutput(item: JsonObject): boolean {
  return OUTPUTS.has(item['type']);
}

/** The id that joins a call and its output, or null. */
export function callIdOf(item: JsonObject): string | null {
  const id = item['call_id'] ?? item['id'];
  return typeof id === 'string' ? id : null;
}

/** Whether an output tells of a failure: an exit code other than 0, `success` false, or a refusal of the sandbox. */
export function hasFailed(item: JsonObject): boolean {
  const output = unpacked(item['output']);
  if (isObject(output)) {
    const metadata = isObject(output['metadata']) ? output['metadata'] : {};
    const code = metadata['exit_code'] ?? output['exit_code'];
    if (typeof code === 'number') return code !== 0;
    if (typeof output['success'] === 'boolean') return !output['success'];
    return isFailureText(output['content']) || isFailureText(output['output']);
  }
  return item['success'] === false || isFailureText(output);
}

/** Outputs are JSON in a text, or plain text. */
function unpacked(output: Json | undefined): unknown {
  if (typeof output !== 'string' || !output.startsWith('{')) return output;
  try {
    return JSON.parse(output);
  } catch {
    return output;
  }
}

function isFailureText(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  const code = /^Exit code: (-?\d+)/u.exec(text)?.[1];
  if (code !== undefined) return code !== '0';
  return /^(failed in sandbox|exec(ution)? (error|failed)|execution error|sandbox (denied|error))/iu.test(text);
}

/** A recorded item as a message of the transcript; null for what the model is not shown. */
export function messageOf(item: JsonObject): Message | null {
  const id = callIdOf(item);
  if (item['type'] === 'message') {
    const { role, content } = item;
    return { role: role ?? 'user', content: content ?? [] };
  }
  if (item['type'] === 'reasoning') return { role: 'assistant', content: [item] };
  if (isCall(item)) {
    const input = item['arguments'] ?? item['input'] ?? item['action'] ?? {};
    const name = item['name'] ?? (item['type'] === 'local_shell_call' ? 'local_shell' : null);
    return { role: 'assistant', content: [], tool_calls: [{ id, name, arguments: input }] };
  }
  if (isOutput(item)) {
    return { role: 'tool', tool_call_id: id, content: item['output'] ?? '', is_error: hasFailed(item) };
  }
  return null;
}
