import type { JsonObject } from '../../engine/transcript/message';
import { isObject } from '../../engine/transcript/message';
import type { Issue, Reading } from '../issue';
import { encodeUtf8 } from '../utf8';
import { classifyRecord } from './classify';
import { createIds, Draft, TYPE } from './draft';
import { explainLine, explainNotAnObject } from '../explain';
import { RecordScanner } from './scan';

/** Parses one line of a session file. The value is null where the line is not one JSON object; then an issue says why. */
export function parseRecord(text: string, line = 1): Reading<JsonObject | null> {
  const trimmed = text.startsWith('\uFEFF') && line === 1 ? text.slice(1) : text;
  if (trimmed.trim() === '') return { value: null, issues: [] };
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    return { value: null, issues: [explainText(trimmed, line)] };
  }
  if (!isObject(value)) return { value: null, issues: [explainNotAnObject(line)] };
  const draft = new Draft();
  classifyRecord(value, createIds(), draft);
  draft.finish();
  return { value, issues: issuesOfRecord(draft, line) };
}

/** What is to be said of a record that is JSON: an odd shape, an unknown type. */
export function issuesOfRecord(draft: Draft, line: number): Issue[] {
  const issues: Issue[] = [];
  if (draft.wrong !== null) {
    const text = `This record is not shaped as it should be: ${draft.wrong}. It is shown as it is, where it is.`;
    issues.push({ line, kind: 'wrong-shape', text });
  }
  if (draft.typed && draft.type === TYPE.unknown) {
    const text = 'This type of record is not known here. It is kept and shown as it is.';
    issues.push({ line, kind: 'unknown-record', text });
  }
  return issues;
}

function explainText(text: string, line: number): Issue {
  const bytes = encodeUtf8(text);
  const scanner = new RecordScanner(createIds(), new Draft(), () => '');
  scanner.load(bytes);
  const start = scanner.skipBlanks(0);
  let end = scanner.scanRecord(start);
  if (end >= 0) end = scanner.skipBlanks(end);
  return explainLine(line, bytes, start, bytes.length, end >= 0 ? end : scanner.errorAt, false);
}
