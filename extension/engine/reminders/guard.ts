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
    for (const { text, path: at } of stringsOf(value, path)) {
      for (const offset of lookAlikesIn(text)) found.push({ path: at, offset });
    }
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

/** A value with every text (keys too) changed; the same value when none changes. Takes any depth of nesting. */
function mapStrings(root: Json, change: (text: string) => string): Json {
  let same = true;
  for (const { text } of stringsOf(root, '')) same &&= change(text) === text;
  if (same) return root;
  const result: Json[] = [];
  const work: { value: Json; put: (value: Json) => void }[] = [{ value: root, put: (value) => result.push(value) }];
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { value, put } = item;
    if (Array.isArray(value)) {
      const copy: Json[] = [...(value as readonly Json[])];
      put(copy);
      copy.forEach((member, index) => work.push({ value: member, put: (next) => (copy[index] = next) }));
    } else if (isObject(value)) {
      const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [change(key), member]));
      put(copy);
      for (const [key, member] of Object.entries(copy)) {
        if (member === undefined) continue;
        const define = (next: Json): void => {
          Object.defineProperty(copy, key, { value: next, enumerable: true, writable: true, configurable: true });
        };
        work.push({ value: member, put: define });
      }
    } else {
      put(typeof value === 'string' ? change(value) : value);
    }
  }
  return result[0] ?? root;
}

interface FoundText {
  readonly text: string;
  readonly path: string;
}

/** Every text in a value, keys too, in order, with its place. */
function* stringsOf(root: Json, path: string): Generator<FoundText> {
  const work: { value: Json; path: string }[] = [{ value: root, path }];
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { value, path: at } = item;
    if (typeof value === 'string') yield { text: value, path: at };
    else if (Array.isArray(value)) {
      const members = value as readonly Json[];
      for (let index = members.length - 1; index >= 0; index--) {
        work.push({ value: members[index] ?? null, path: `${at}[${String(index)}]` });
      }
    } else if (isObject(value)) {
      for (const [key, member] of Object.entries(value).reverse()) {
        if (member !== undefined) work.push({ value: member, path: `${at}.${key}` });
        work.push({ value: key, path: `${at}.${key}` });
      }
    }
  }
}
