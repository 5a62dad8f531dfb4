import { eachBlock, textOrNull } from './blocks';
import type { Json, JsonObject, Message } from './message';
import { isObject } from './message';

/** True when a message holds reasoning that its provider signed or encrypted, and so wants back unchanged. */
export function isSigned(message: Message): boolean {
  if (textOrNull(message.thinking_signature) !== null || textOrNull(message.encrypted_content) !== null) {
    return true;
  }
  if (message.reasoning !== undefined && hasEncrypted(message.reasoning)) {
    return true;
  }
  let signed = false;
  eachBlock(message, (block) => {
    signed = signed || (isObject(block) && isSignedBlock(block));
  });
  return signed;
}

function hasEncrypted(reasoning: Json): boolean {
  const items: readonly Json[] = Array.isArray(reasoning) ? (reasoning as readonly Json[]) : [reasoning];
  return items.some((item) => isObject(item) && textOrNull(item.encrypted_content) !== null);
}

function isSignedBlock(block: JsonObject): boolean {
  const { type } = block;
  if (type === 'redacted_thinking' || textOrNull(block.thoughtSignature) !== null) {
    return true;
  }
  return (
    (type === 'thinking' || type === 'reasoning') &&
    (textOrNull(block.signature) !== null || textOrNull(block.encrypted_content) !== null)
  );
}
