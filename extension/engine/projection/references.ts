import { isDataAddress, isText } from '../transcript/estimate';
import type { Json, JsonObject } from '../transcript/message';
import { isObject } from '../transcript/message';
import { eachToken, isIdentifier } from './tokens';

/** What an object is: some members of messages, blocks and calls are their form and no content. */
type Level = 'message' | 'block' | 'call' | 'data';

const FORM: ReadonlySet<string> = new Set(['role', 'type', 'kind', 'status']);
const STRUCTURED = /(?:^|_)(?:id|path|symbol|sha|commit|ref)s?$/;

/** A value that is still to be looked at, with the name of the member it stands under. */
interface Open {
  readonly value: Json;
  readonly level: Level;
  readonly field: string;
}

/**
 * Calls `visit` with every text and number below `root` until it answers true; gives whether it did. `structured` says
 * that it stands in a field for identifiers. Left out: the form of messages, blocks and calls, `_harn…` fields,
 * signatures, encrypted content and image data. The arguments of a call may be a JSON text: its values are visited.
 */
function eachValue(root: Open, visit: (value: string | number, structured: boolean) => boolean): boolean {
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, level, field } = next;
    if (typeof value === 'string') {
      if (!isDataAddress(value) && visit(value, STRUCTURED.test(field))) {
        return true;
      }
    } else if (typeof value === 'number') {
      if (visit(value, STRUCTURED.test(field))) {
        return true;
      }
    } else if (isObject(value)) {
      openMembers(value, level, open);
    } else if (Array.isArray(value)) {
      for (const item of value as readonly Json[]) {
        open.push({ value: item, level, field });
      }
    }
  }
  return false;
}

function openMembers(owner: JsonObject, level: Level, open: Open[]): void {
  for (const field of Object.keys(owner)) {
    const value = owner[field];
    if (value === undefined || field.startsWith('_harn') || (level !== 'data' && FORM.has(field))) {
      continue;
    }
    if (typeof value === 'string' && !isText(owner, field)) {
      continue;
    }
    open.push({
      value: isArguments(level, field) ? parsedArguments(value) : value,
      level: typeof value === 'object' ? levelBelow(level, field, value) : 'data',
      field,
    });
  }
}

function levelBelow(level: Level, field: string, value: Json): Level {
  if (level === 'message') {
    if (field === 'tool_calls') {
      return 'call';
    }
    return field === 'parts' || field === 'reasoning' || (field === 'content' && Array.isArray(value))
      ? 'block'
      : 'data';
  }
  if (level === 'block') {
    if (field === 'functionCall') {
      return 'call';
    }
    return field === 'functionResponse' || (field === 'content' && Array.isArray(value)) ? 'block' : 'data';
  }
  return level === 'call' && field === 'function' ? 'call' : 'data';
}

function isArguments(level: Level, field: string): boolean {
  return level === 'call' ? field === 'arguments' || field === 'args' : level === 'block' && field === 'input';
}

function parsedArguments(value: Json): Json {
  if (typeof value !== 'string') {
    return value;
  }
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

/** The tokens of a message, or of one of its blocks: what it refers to when it is a root. */
export function rootTokens(value: JsonObject, level: 'message' | 'block'): ReadonlySet<string> {
  const tokens = new Set<string>();
  eachValue({ value, level, field: '' }, (found) => {
    if (typeof found === 'number') {
      tokens.add(String(found));
      return false;
    }
    return eachToken(found, (token) => {
      tokens.add(token);
      return false;
    });
  });
  return tokens;
}

/** The strings of root material at any depth, blank ones left out. */
export function materialTexts(material: Json): readonly string[] {
  const texts: string[] = [];
  const seen = new Set<Json>();
  const open: Json[] = [material];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') {
      if (next.trim() !== '') {
        texts.push(next);
      }
    } else if (typeof next === 'object' && next !== null && !seen.has(next)) {
      seen.add(next);
      for (const item of Object.values(next) as readonly (Json | undefined)[]) {
        open.push(item ?? null);
      }
    }
  }
  return texts;
}

/**
 * Calls `visit` with every identifier of a result and of its call's arguments until it answers true; gives whether it
 * did. In a structured field a single token is an identifier whatever its spelling.
 * @param wanted asked first, since it is cheaper than looking at the spelling: tokens it refuses are left out.
 */
export function eachIdentifier(
  result: { readonly value: JsonObject; readonly level: 'message' | 'block' },
  callArguments: Json | undefined,
  wanted: (token: string) => boolean,
  visit: (token: string) => boolean,
): boolean {
  const visitValue = (found: string | number, structured: boolean): boolean => {
    if (typeof found === 'number') {
      const token = String(found);
      return structured && wanted(token) && visit(token);
    }
    const single = structured ? singleToken(found) : null;
    if (single !== null) {
      return wanted(single) && visit(single);
    }
    return eachToken(found, (token) => wanted(token) && isIdentifier(token) && visit(token));
  };
  return (
    eachValue({ ...result, field: '' }, visitValue) ||
    (callArguments !== undefined &&
      eachValue({ value: parsedArguments(callArguments), level: 'data', field: '' }, visitValue))
  );
}

/** The only token of a text, or null when it has none or several. */
function singleToken(text: string): string | null {
  let only: string | null = null;
  const several = eachToken(text, (token) => {
    const more = only !== null;
    only = token;
    return more;
  });
  return several ? null : only;
}
