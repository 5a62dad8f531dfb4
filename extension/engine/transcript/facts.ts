import { eachBlock, isAssistant, isBlank, isReasoning } from './blocks';
import { callsOf } from './calls';
import { charsOf } from './estimate';
import type { Json, Message } from './message';
import { isObject } from './message';
import type { ToolResult } from './results';
import { bodyOf, isFailedResult, resultsOf } from './results';
import { isSigned } from './signed';

/** A tool call as far as pairing needs it. */
export interface CallFacts {
  readonly id: string | null;
  readonly name: string | null;
}

/** A tool result as far as pairing and the policies need it. */
export interface ResultFacts {
  readonly id: string | null;
  readonly name: string | null;
  readonly failed: boolean;
  /** The block's index in its list; null when the whole message is the result. */
  readonly block: number | null;
  /** Characters (code points) of its body. */
  readonly chars: number;
}

/** What a projection must know about a message: small, so that a session's messages need not stay in memory. */
export interface MessageFacts {
  readonly assistant: boolean;
  /** In order; empty unless the message is an assistant's. */
  readonly calls: readonly CallFacts[];
  /** In order; empty for an assistant's message. */
  readonly results: readonly ResultFacts[];
  /** It holds reasoning that its provider signed or encrypted. */
  readonly signed: boolean;
  /**
   * It holds something beside its calls or results: for an assistant an observable outcome (no reasoning, no blank
   * text), for others any block that is not blank.
   */
  readonly other: boolean;
  /** Characters (code points) of text in the whole message. */
  readonly chars: number;
}

const NO_CALLS: readonly CallFacts[] = [];
const NO_RESULTS: readonly ResultFacts[] = [];

/** The facts of one message. Never fails, whatever the message holds. */
export function factsOf(message: Message): MessageFacts {
  const assistant = isAssistant(message);
  const calls = assistant ? callsOf(message) : NO_CALLS;
  const results = assistant ? [] : resultsOf(message);
  return {
    assistant,
    calls: calls.length === 0 ? NO_CALLS : calls.map(({ id, name }) => ({ id, name })),
    results: results.length === 0 ? NO_RESULTS : results.map(resultFacts),
    signed: isSigned(message),
    other: assistant ? hasOutcome(message) : hasOther(message, results),
    chars: charsOf(message),
  };
}

function resultFacts(result: ToolResult): ResultFacts {
  const { id, name, block, value } = result;
  return { id, name, block, failed: isFailedResult(value), chars: charsOf(bodyOf(result)) };
}

/** Whether an assistant's message has an outcome that can be observed beside its calls. */
function hasOutcome(message: Message): boolean {
  const { content, refusal, audio, images } = message;
  if (!isAbsentOrBlank(refusal) || !isAbsentOrBlank(audio) || !isAbsentOrBlank(images)) {
    return true;
  }
  if (!Array.isArray(content) && !isAbsentOrBlank(content)) {
    return true;
  }
  let found = false;
  eachBlock(message, (block) => {
    found =
      found ||
      !(
        isBlank(block) ||
        (isObject(block) && (block.type === 'tool_use' || isObject(block.functionCall) || isReasoning(block)))
      );
  });
  return found;
}

/** Whether a message that is no assistant's holds a block that is neither blank nor one of its results. */
function hasOther(message: Message, results: readonly ToolResult[]): boolean {
  if (results.some((result) => result.block === null)) {
    return false;
  }
  if (!Array.isArray(message.content) && !isAbsentOrBlank(message.content)) {
    return true;
  }
  const own = new Set<Json>(results.map((result) => result.value));
  let found = false;
  eachBlock(message, (block) => {
    found = found || !(isBlank(block) || own.has(block));
  });
  return found;
}

function isAbsentOrBlank(value: Json | undefined): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) && value.length === 0)
  );
}
