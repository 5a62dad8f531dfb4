import { callsOf } from '../transcript/calls';
import { isBlank } from '../transcript/blocks';
import { isObject, type Json, type Message } from '../transcript/message';
import { resultsOf, type ToolResult } from '../transcript/results';
import type { OpenCall } from './state';

/**
 * The calls that are unanswered once `message` follows a history in which `open` were: an assistant message asks
 * anew, a result answers one call by id, or by name where either side has no id.
 */
export function openCallsAfter(open: readonly OpenCall[], message: Message): readonly OpenCall[] {
  if (message.role === 'assistant' || message.role === 'model') {
    const style = styleOf(message);
    const calls = callsOf(message);
    return calls.length === 0 ? [] : calls.map(({ id, name }) => ({ id, name, style }));
  }
  if (open.length === 0) return open;
  return resultsOf(message).reduce(answer, open);
}

function answer(open: readonly OpenCall[], result: ToolResult): readonly OpenCall[] {
  const byId = result.id === null ? -1 : open.findIndex((call) => call.id === result.id);
  const index =
    byId >= 0
      ? byId
      : open.findIndex(
          (call) => (call.id === null || result.id === null) && call.name !== null && call.name === result.name,
        );
  return index < 0 ? open : open.toSpliced(index, 1);
}

function styleOf(message: Message): OpenCall['style'] {
  if (Array.isArray(message['tool_calls']) && message['tool_calls'].length > 0) return 'chat';
  const content = message['content'];
  const blocks: readonly Json[] = Array.isArray(content) ? (content as readonly Json[]) : [];
  return blocks.some((block) => isObject(block) && block['type'] === 'tool_use') ? 'block' : 'part';
}

/** The messages that answer these calls with an error text, in the shape in which they were made. */
export function errorResults(open: readonly OpenCall[], text: string): readonly Message[] {
  const messages: Message[] = [];
  const blocks: Json[] = [];
  const parts: Json[] = [];
  for (const call of open) {
    if (call.style === 'chat') {
      messages.push({
        role: 'tool',
        ...(call.id === null ? {} : { tool_call_id: call.id }),
        ...(call.name === null ? {} : { name: call.name }),
        content: text,
        is_error: true,
      });
    } else if (call.style === 'block') {
      blocks.push({ type: 'tool_result', tool_use_id: call.id, content: text, is_error: true });
    } else {
      parts.push({
        functionResponse: {
          ...(call.id === null ? {} : { id: call.id }),
          name: call.name,
          response: { output: text, is_error: true },
        },
      });
    }
  }
  if (blocks.length > 0) messages.push({ role: 'user', content: blocks });
  if (parts.length > 0) messages.push({ role: 'user', parts });
  return messages;
}

/** True for a message of the person: role user, something in it, and not results only. */
export function isUserTurn(message: Message): boolean {
  if (message.role !== 'user') return false;
  const blocks = [message['content'], message['parts']].flatMap((list) =>
    Array.isArray(list) ? (list as readonly Json[]) : [],
  );
  if (typeof message['content'] === 'string' && message['content'].trim() !== '') return true;
  return blocks.some((block) => !isBlank(block) && !isResult(block));
}

function isResult(block: Json): boolean {
  return isObject(block) && (block['type'] === 'tool_result' || isObject(block['functionResponse']));
}
