import { isObject, type Json, type JsonObject, type Message } from '../transcript/message';
import { DIRECTIVE_IDS } from './envelope';

/** The opener of anything that looks like one of our elements; only its `<` is matched. */
const opener = /<(?=[\s/]*(?:context-directives|directive)(?![\p{L}\p{M}\p{N}_-]))/giu;

/** A text that looks like one of our elements and was not issued by the engine. */
export interface LookAlike {
  /** Where it stands in the message, such as `content` or `content[2].text`. */
  readonly path: string;
  /** Offset of its `<` in that text, in UTF-16 units. */
  readonly offset: number;
}

/** The text with every look-alike disarmed. */
export function guardText(text: string): string {
  return text.includes('<') ? text.replace(opener, '&lt;') : text;
}

/** Offsets of every look-alike in a text. */
export function lookAlikesIn(text: string): readonly number[] {
  return text.includes('<') ? [...text.matchAll(opener)].map((found) => found.index) : [];
}

/**
 * The message as a model may see it: in tool results (role `tool` or `tool_result`, `tool_result` blocks, responses of
 * `functionResponse` parts) every look-alike is disarmed. The same object when there is nothing to disarm.
 */
export function guardMessage(message: Message): Message {
  return mapResults(message, (value) => mapStrings(value, guardText));
}

/** The look-alikes in a message's tool results, for marking them where the original is shown. */
export function findLookAlikes(message: Message): readonly LookAlike[] {
  const found: LookAlike[] = [];
  mapResults(message, (value, path) => {
    eachString(value, path, (text, at) => {
      for (const offset of lookAlikesIn(text)) found.push({ path: at, offset });
    });
    return value;
  });
  return found;
}

const sent = new WeakMap<Message, Message>();

/**
 * The message as it is sent: guarded, and without bookkeeping. A message always gives the same object, so that a
 * request built again costs nothing and is the same.
 */
export function asSent(message: Message): Message {
  const known = sent.get(message);
  if (known !== undefined) return known;
  const { [DIRECTIVE_IDS]: bookkeeping, ...rest } = message;
  const result = guardMessage(bookkeeping === undefined ? message : rest);
  sent.set(message, result);
  return result;
}

type Change = (value: Json, path: string) => Json;

function mapResults(message: Message, change: Change): Message {
  const role = message['role'];
  let result: Message = message;
  const put = (key: string, value: Json): void => {
    if (value !== message[key]) result = { ...result, [key]: value };
  };
  for (const key of ['content', 'parts'] as const) {
    const value = message[key];
    if (value === undefined) continue;
    if (role === 'tool' || role === 'tool_result') put(key, change(value, key));
    else if (Array.isArray(value)) put(key, mapBlocks(value as readonly Json[], key, change));
  }
  return result;
}

function mapBlocks(blocks: readonly Json[], path: string, change: Change): readonly Json[] {
  return mapItems(blocks, (block, index) => {
    if (!isObject(block)) return block;
    const at = `${path}[${String(index)}]`;
    if (block['type'] === 'tool_result') return mapMember(block, 'content', at, change);
    const response = block['functionResponse'];
    if (!isObject(response)) return block;
    const guarded = mapMember(response, 'response', `${at}.functionResponse`, change);
    return guarded === response ? block : { ...block, functionResponse: guarded };
  });
}

function mapMember(object: JsonObject, key: string, path: string, change: Change): JsonObject {
  const value = object[key];
  if (value === undefined) return object;
  const changed = change(value, `${path}.${key}`);
  return changed === value ? object : { ...object, [key]: changed };
}

function mapItems(items: readonly Json[], change: (item: Json, index: number) => Json): readonly Json[] {
  let same = true;
  const changed = items.map((item, index) => {
    const next = change(item, index);
    same &&= next === item;
    return next;
  });
  return same ? items : changed;
}

function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return mapItems(value as readonly Json[], (item) => mapStrings(item, change));
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  let same = true;
  const changed = entries.map(([key, member]): [string, Json | undefined] => {
    const name = change(key);
    const next = member === undefined ? member : mapStrings(member, change);
    same &&= name === key && next === member;
    return [name, next];
  });
  return same ? value : Object.fromEntries(changed);
}

function eachString(value: Json, path: string, visit: (text: string, path: string) => void): void {
  if (typeof value === 'string') visit(value, path);
  else if (Array.isArray(value)) {
    (value as readonly Json[]).forEach((item, index) => eachString(item, `${path}[${String(index)}]`, visit));
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      visit(key, `${path}.${key}`);
      if (member !== undefined) eachString(member, `${path}.${key}`, visit);
    }
  }
}
