import { charsOf, tokensOf } from '../transcript/estimate';
import type { CreateHash } from '../transcript/hash';
import type { Json, JsonObject, Message } from '../transcript/message';
import { isObject } from '../transcript/message';
import { contentHash } from '../transcript/prefix';
import type { ToolResult } from '../transcript/results';
import { bodyOf, isResponsePart, resultsOf } from '../transcript/results';
import type { Redaction, RedactionPointer } from './decision';

const POLICY = 'reachability_gc';

/**
 * The replacement of a result's body by a pointer, or null when it would not be shorter. It follows from the message
 * and its call alone, so it is the same on every later turn.
 * @param ordinal which of the message's results.
 */
export function redactionOf(
  message: Message,
  index: number,
  ordinal: number,
  call: { readonly id: string | null; readonly name: string | null } | null,
  createHash: CreateHash,
): Redaction | null {
  const result = resultsOf(message)[ordinal];
  const body = result === undefined ? undefined : bodyOf(result);
  if (result === undefined || body === undefined) {
    return null;
  }
  const hash = contentHash(body, createHash);
  const contentChars = charsOf(body);
  const chars = contentChars - charsOf(replacementOf(body, textFor(index, hash)));
  if (chars <= 0) {
    return null;
  }
  const pointer: RedactionPointer = {
    policy: POLICY,
    source: `transcript.messages[${index}].${sourceOf(result)}`,
    source_index: index,
    source_block_index: result.block,
    content_hash: hash,
    content_chars: contentChars,
    estimated_tokens_reclaimed: tokensOf(chars),
    tool_call_id: result.id ?? call?.id ?? null,
    tool_name: call?.name ?? result.name,
    reason: 'stale_tool_result_unreachable',
  };
  return { result: ordinal, pointer, chars };
}

function sourceOf(result: ToolResult): string {
  const { list, block } = result;
  return list === null
    ? 'content'
    : `${list}[${block}].${isResponsePart(result) ? 'functionResponse.response' : 'content'}`;
}

function textFor(index: number, hash: string): string {
  return `[tool result reclaimed by reachability_gc; source_index=${index}; content_hash=${hash}. Raw content remains in the transcript audit trail.]`;
}

/** A string stays a string, a list becomes one text block, an object one with the text as output. */
function replacementOf(body: Json, text: string): Json {
  if (Array.isArray(body)) {
    return [{ type: 'text', text }];
  }
  return isObject(body) ? { output: text } : text;
}

/** The message with the bodies of these results replaced, each marked with its pointer. */
export function redact(message: Message, redactions: readonly Redaction[]): Message {
  const results = resultsOf(message);
  let redacted: Message = message;
  for (const { result: ordinal, pointer } of redactions) {
    const result = results[ordinal];
    if (result === undefined) {
      continue;
    }
    const text = textFor(pointer.source_index, pointer.content_hash);
    const { list, block } = result;
    if (list === null || block === null) {
      return replaceBody(message, false, text, pointer);
    }
    const blocks = [...(redacted[list] as readonly Json[])];
    blocks[block] = replaceBody(result.value, isResponsePart(result), text, pointer);
    redacted = { ...redacted, [list]: blocks };
  }
  return {
    ...redacted,
    _harn_projection: {
      redacted: true,
      policy: POLICY,
      redaction_pointers: redactions.map((redaction) => redaction.pointer),
    },
  };
}

function replaceBody(owner: JsonObject, inPart: boolean, text: string, pointer: RedactionPointer): JsonObject {
  const marker = { redacted: true, policy: POLICY, redaction_pointer: pointer };
  const { functionResponse } = owner;
  if (inPart && isObject(functionResponse)) {
    const response = replacementOf(functionResponse.response ?? null, text);
    return { ...owner, functionResponse: { ...functionResponse, response }, _harn_projection: marker };
  }
  return { ...owner, content: replacementOf(owner.content ?? null, text), _harn_projection: marker };
}
