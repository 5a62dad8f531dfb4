import type { Json, JsonObject, Message } from '../../engine/transcript/message';
import { isObject } from '../../engine/transcript/message';
import { USAGE_KEYS } from './classify';
import type { BoundaryEntry, ContextState, Entry, MessageEntry, RecordEntry, Usage } from './entry';

/** Where an entry stands; see `Entry`. */
export interface Place {
  readonly entry: number | null;
  readonly index: number | null;
  readonly lines: readonly number[];
  readonly offsets: readonly number[];
  readonly compacted: boolean;
}

const BOUNDARIES: Readonly<Record<string, BoundaryEntry['boundary']>> = {
  compact_boundary: 'compaction',
  microcompact_boundary: 'microcompaction',
};

/** Makes one entry of its records, which were parsed; there is at least one. */
export function buildEntry(records: readonly JsonObject[], place: Place): Entry {
  const first = records[0] ?? {};
  const common = {
    entry: place.entry,
    lines: place.lines,
    offsets: place.offsets,
    uuid: textOf(first['uuid']),
    time_ms: timeOf(first['timestamp']),
  };
  const sent: ContextState = place.compacted ? 'compacted' : 'in_context';
  const subtype = textOf(first['subtype']) ?? '';
  if (first['type'] === 'user' || first['type'] === 'assistant') {
    return { ...messageParts(records, first, sent), ...common, index: place.index };
  }
  const boundary = first['type'] === 'system' ? BOUNDARIES[subtype] : undefined;
  if (boundary) return { ...boundaryParts(first, boundary), ...common, context: 'not_sent' };
  return { ...recordParts(first, subtype), ...common, context: 'not_sent' };
}

/** The message that the records of one entry make: role and content, as they are sent to the model. */
export function buildMessage(records: readonly JsonObject[]): Message {
  const first = records[0] ?? {};
  const role = first['type'] === 'assistant' ? 'assistant' : 'user';
  if (records.length < 2) return { role, content: contentOf(first) };
  const blocks: Json[] = [];
  for (const record of records) {
    const content = contentOf(record);
    if (Array.isArray(content)) blocks.push(...(content as readonly Json[]));
    else if (content !== '') blocks.push({ type: 'text', text: content });
  }
  return { role, content: blocks };
}

function contentOf(record: JsonObject): Json {
  const message = record['message'];
  if (!isObject(message)) return [];
  const content = message['content'];
  return typeof content === 'string' || Array.isArray(content) ? (content as Json) : [];
}

function messageParts(
  records: readonly JsonObject[],
  first: JsonObject,
  sent: ContextState,
): Omit<MessageEntry, 'entry' | 'lines' | 'offsets' | 'uuid' | 'time_ms' | 'index'> {
  const last = records.at(-1) ?? first;
  const message = isObject(last['message']) ? last['message'] : {};
  const model = textOf(message['model']);
  return {
    kind: 'message',
    message: buildMessage(records),
    message_id: textOf(message['id']),
    model,
    usage: usageOf(message['usage']),
    meta: first['isMeta'] === true,
    compact_summary: first['isCompactSummary'] === true,
    synthetic: model === '<synthetic>',
    context: first['isApiErrorMessage'] === true ? 'not_sent' : sent,
  };
}

function boundaryParts(
  record: JsonObject,
  boundary: BoundaryEntry['boundary'],
): Pick<BoundaryEntry, 'kind' | 'boundary' | 'text' | 'cleared' | 'tokens_before' | 'tokens_saved' | 'record'> {
  const data = record[boundary === 'compaction' ? 'compactMetadata' : 'microcompactMetadata'];
  const metadata = isObject(data) ? data : {};
  return {
    kind: 'boundary',
    boundary,
    text: textOf(record['content']) ?? (boundary === 'compaction' ? 'Conversation compacted' : 'Results cleared'),
    cleared: clearedBy(record),
    tokens_before: numberOf(metadata['preTokens']),
    tokens_saved: numberOf(metadata['tokensSaved']),
    record,
  };
}

/** Call ids whose results a micro-compaction boundary says were cleared. */
export function clearedBy(record: JsonObject): string[] {
  const metadata = record['microcompactMetadata'];
  const ids = isObject(metadata) ? metadata['compactedToolIds'] : undefined;
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
}

function recordParts(record: JsonObject, subtype: string): Pick<RecordEntry, 'kind' | 'type' | 'text' | 'record'> {
  const type = textOf(record['type']) ?? 'record without a type';
  return {
    kind: 'record',
    type: subtype === '' ? type : `${type}/${subtype}`,
    text: describe(record, subtype),
    record,
  };
}

function describe(record: JsonObject, subtype: string): string {
  for (const key of ['content', 'summary', 'title', 'text']) {
    const text = record[key];
    if (typeof text === 'string' && text !== '') return text;
  }
  if (subtype === 'api_error') {
    const error = isObject(record['error']) ? record['error'] : {};
    const inner = isObject(error['error']) ? error['error'] : {};
    const words = [textOf(inner['message']) ?? textOf(error['message']), numberOf(error['status'])?.toString()];
    const attempt = numberOf(record['retryAttempt']);
    const known = words.filter((word) => word !== undefined && word !== null).join(', ');
    return `The API failed${known ? `: ${known}` : ''}${attempt === null ? '' : ` (attempt ${attempt})`}`;
  }
  const attachment = record['attachment'];
  if (isObject(attachment)) {
    return [attachment['type'], attachment['filename'], attachment['content']].map(textOf).filter(Boolean).join(': ');
  }
  return '';
}

/** Usage as reported, with 0 for figures that are missing; null where there is none. */
export function usageOf(value: unknown): Usage | null {
  if (!isObject(value)) return null;
  const [input = 0, creation = 0, read = 0, output = 0] = USAGE_KEYS.map((key) => numberOf(value[key]) ?? 0);
  return {
    input_tokens: input,
    cache_creation_input_tokens: creation,
    cache_read_input_tokens: read,
    output_tokens: output,
  };
}

/** Milliseconds since the epoch of an ISO 8601 text, or null. */
export function timeOf(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : time;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
