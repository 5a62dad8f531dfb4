import type { Json, JsonObject, Message } from './message';
import { isObject } from './message';

/** Where a message keeps its blocks: `content` (chat and block style, some part style) or `parts` (part style). */
export type BlockList = 'content' | 'parts';

/** True when the model wrote this message: role `assistant`, or `model` in part style. */
export function isAssistant(message: Message): boolean {
  return message.role === 'assistant' || message.role === 'model';
}

/** Calls `visit` with every block of `content` and `parts`, in order, as far as these are lists. */
export function eachBlock(message: Message, visit: (block: Json, list: BlockList, index: number) => void): void {
  visitList(message.content, 'content', visit);
  visitList(message.parts, 'parts', visit);
}

function visitList(
  list: Json | undefined,
  name: BlockList,
  visit: (block: Json, list: BlockList, index: number) => void,
): void {
  if (Array.isArray(list)) {
    const blocks = list as readonly Json[];
    for (let index = 0; index < blocks.length; index++) {
      visit(blocks[index] ?? null, name, index);
    }
  }
}

/** The value as text, or null when it is none or empty. */
export function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** True for a `thinking`, `reasoning` or `redacted_thinking` block, and for a part marked as a thought. */
export function isReasoning(block: JsonObject): boolean {
  const { type } = block;
  return type === 'thinking' || type === 'reasoning' || type === 'redacted_thinking' || block.thought === true;
}

/** True when a block says nothing: null, blank text, or a text block or part with nothing else and blank text. */
export function isBlank(block: Json): boolean {
  if (block === null) {
    return true;
  }
  if (typeof block === 'string') {
    return block.trim() === '';
  }
  return isObject(block) && isTextBlock(block) && (block.text as string).trim() === '';
}

/** True for `{type: "text" | "output_text" | "input_text", text}` and for a part `{text}`. */
export function isTextBlock(block: JsonObject): boolean {
  const { type } = block;
  return (
    typeof block.text === 'string' &&
    (type === undefined || type === 'text' || type === 'output_text' || type === 'input_text')
  );
}

/** The text of a string, or of a list its text blocks joined by newlines; null for anything else. */
export function textOf(content: Json | undefined): string | null {
  if (typeof content === 'string') {
    return content;
  }
  if (!Array.isArray(content)) {
    return null;
  }
  const texts: string[] = [];
  for (const block of content as readonly Json[]) {
    if (typeof block === 'string') {
      texts.push(block);
    } else if (isObject(block) && isTextBlock(block)) {
      texts.push(block.text as string);
    }
  }
  return texts.join('\n');
}
