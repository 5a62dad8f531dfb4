import type { OpenFile } from '../../io/readFile';
import type { JsonObject } from '../../engine/transcript/message';
import { isObject } from '../../engine/transcript/message';
import { buildEntry } from '../../formats/claudeCode/build';
import type { Entry } from '../../formats/claudeCode/entry';
import { parseLine } from './parseLine';

const FIRST_BYTES = 1 << 18;
const MOST_BYTES = 1 << 24;
const ROWS: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'attachment']);

/**
 * The last entries of a session file, read from its end before anything is known of the rest: in order of the file,
 * without numbers, sub-agents left out. Fewer than `count` where the file, or its last 16 MB, have no more.
 */
export function readLastPage(open: OpenFile, count: number): Entry[] {
  const size = open.identity().size;
  for (let bytes = FIRST_BYTES; ; bytes *= 4) {
    const start = Math.max(0, size - bytes);
    const text = open.read(start, size).toString('utf8');
    const whole = start === 0 ? text : text.slice(text.indexOf('\n') + 1 || text.length);
    const entries = entriesOf(whole.split('\n'), count);
    if (entries.length >= count || start === 0 || bytes >= MOST_BYTES) return entries;
  }
}

function entriesOf(lines: readonly string[], count: number): Entry[] {
  const main = groupsOf(lines, count, false);
  const groups = main.length > 0 ? main : groupsOf(lines, count, true);
  const place = { entry: null, index: null, lines: [], offsets: [], compacted: false };
  return groups.map((group) => buildEntry(group, place));
}

/** The records of the last entries, those of one API message together where the first of them is. */
function groupsOf(lines: readonly string[], count: number, sidechains: boolean): JsonObject[][] {
  const groups: JsonObject[][] = [];
  const groupOf = new Map<string, JsonObject[]>();
  for (let i = lines.length - 1; i >= 0; i--) {
    const record = parseLine(lines[i]!);
    if (!record || !ROWS.has(record['type']) || (record['isSidechain'] === true && !sidechains)) continue;
    const message = record['message'];
    const id = record['type'] === 'assistant' && isObject(message) ? message['id'] : null;
    const known = typeof id === 'string' ? groupOf.get(id) : undefined;
    if (known) {
      known.unshift(record);
      groups.push(...groups.splice(groups.indexOf(known), 1));
      continue;
    }
    if (groups.length === count) break;
    const group = [record];
    groups.push(group);
    if (typeof id === 'string') groupOf.set(id, group);
  }
  return groups.reverse();
}
