import type { JsonObject } from '../engine/transcript/message';
import { isObject } from '../engine/transcript/message';
import type { FormatName } from './facts';

/** Lines of the head that are looked at. */
const MOST_LINES = 200;

/**
 * The format of a session log by the first bytes of its text (64 KB are plenty, and the last line may be cut); null
 * when it is none that is known here.
 */
export function detectFormat(head: string): FormatName | null {
  const text = head.replace(/^\uFEFF/u, '');
  const records: JsonObject[] = [];
  for (const line of text.split('\n', MOST_LINES)) {
    const record = parseLine(line);
    if (record) records.push(record);
  }
  for (const record of records) {
    const format = formatOf(record);
    if (format) return format;
  }
  return formatOfDocument(text) ?? (/"(parentUuid|isSidechain|leafUuid)"\s*:/u.test(text) ? 'claude-code' : null);
}

function parseLine(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function formatOf(record: JsonObject): FormatName | null {
  const has = (key: string): boolean => Object.hasOwn(record, key);
  const { type, event, message, payload, id } = record;
  if (isObject(event) && typeof event['kind'] === 'string' && has('id')) return 'harn';
  if (type === 'session_meta' || (isObject(payload) && (type === 'response_item' || type === 'event_msg')))
    return 'codex';
  if (has('record_type') || (type === undefined && has('instructions') && has('timestamp') && typeof id === 'string')) {
    return 'codex-old';
  }
  if (has('projectHash') && has('sessionId')) return 'gemini';
  if (type === 'session' && typeof id === 'string' && has('version')) return 'pi';
  if (isObject(message) && Array.isArray(message['parts']) && has('sessionId')) return 'qwen';
  const isClaude = ['parentUuid', 'isSidechain', 'leafUuid', 'isSnapshotUpdate'].some(has);
  if (isClaude || (typeof type === 'string' && has('sessionId'))) return 'claude-code';
  return isObject(record['info']) && Array.isArray(record['messages']) ? 'opencode' : null;
}

/** A log that is one JSON document over many lines; its head is cut, so only its first members can be looked at. */
function formatOfDocument(text: string): FormatName | null {
  if (!/^\s*\{/u.test(text)) return null;
  if (/^\s*\{\s*"(sessionId|projectHash)"\s*:/u.test(text) && /"projectHash"\s*:/u.test(text)) return 'gemini';
  return /^\s*\{\s*"info"\s*:\s*\{/u.test(text) && /"messages"\s*:\s*\[/u.test(text) ? 'opencode' : null;
}
