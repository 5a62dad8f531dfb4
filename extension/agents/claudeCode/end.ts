import { OpenFile } from '../../io/readFile';
import type { JsonObject } from '../../engine/transcript/message';
import { isObject } from '../../engine/transcript/message';
import { stateOf, type SessionState } from './state';
import { shortened } from './title';
import { parseLine } from './parseLine';

const END_BYTES = 1 << 16;
const MOST_BYTES = 1 << 22;

/** What the last records of a session file say. */
export interface End {
  readonly state: SessionState;
  /** A title that a person or the agent gave it lately, or null. */
  readonly title: string | null;
}

/** Reads the end of a session file, back to its last message. Throws a `FileError`. */
export function readEnd(file: string, nowMs: number): End {
  const open = OpenFile.open(file);
  try {
    const size = open.identity().size;
    for (let bytes = END_BYTES; ; bytes *= 8) {
      const start = Math.max(0, size - bytes);
      const lines = open.read(start, size).toString('utf8').split('\n');
      const end = endOf(start === 0 ? lines : lines.slice(1), nowMs);
      if (end) return end;
      if (start === 0 || bytes >= MOST_BYTES) return { state: 'idle', title: null };
    }
  } finally {
    open.close();
  }
}

function endOf(lines: readonly string[], nowMs: number): End | null {
  let title: string | null = null;
  for (let i = lines.length - 1; i >= 0; i--) {
    const record = parseLine(lines[i]!);
    if (!record) continue;
    const { type, customTitle, aiTitle } = record;
    if (type === 'custom-title' && typeof customTitle === 'string') title ??= shortened(customTitle);
    if (type === 'ai-title' && typeof aiTitle === 'string') title ??= shortened(aiTitle);
    if ((type !== 'user' && type !== 'assistant') || record['isSidechain'] === true) continue;
    return { state: stateOf(record, callsTools(record), nowMs), title };
  }
  return null;
}

/** Its results would stand after it, so as the last message it still waits for them. */
function callsTools(record: JsonObject): boolean {
  const message = record['message'];
  const content = isObject(message) ? message['content'] : undefined;
  return Array.isArray(content) && content.some((block: unknown) => isObject(block) && block['type'] === 'tool_use');
}
