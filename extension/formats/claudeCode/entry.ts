import type { Json, JsonObject, Message } from '../../engine/transcript/message';

/** Tokens of one request as the provider reported them. */
export interface Usage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly output_tokens: number;
}

/** What the model has of an entry: it is in its context, a compaction archived it, or it was never for the model. */
export type ContextState = 'in_context' | 'compacted' | 'not_sent';

interface EntryPlace {
  /** Place among the entries of the lane, from 0; null on a page that was read before the index was complete. */
  readonly entry: number | null;
  /** Lines of the file that it is made of, from 1, increasing; empty on a page that was read before the index. */
  readonly lines: readonly number[];
  /** Byte offsets of these lines. */
  readonly offsets: readonly number[];
  /** The uuid of its first record, or null. */
  readonly uuid: string | null;
  /** Milliseconds since the epoch, of its first record, or null. */
  readonly time_ms: number | null;
  readonly context: ContextState;
}

/** A message of the conversation. */
export interface MessageEntry extends EntryPlace {
  readonly kind: 'message';
  /** Place among the messages of the lane, from 0; null on a page that was read before the index was complete. */
  readonly index: number | null;
  readonly message: Message;
  /** The API's own id of an assistant message, or null. */
  readonly message_id: string | null;
  readonly model: string | null;
  readonly usage: Usage | null;
  /** Written by the agent itself, such as a caveat or a skill's text: no person typed it. */
  readonly meta: boolean;
  /** The summary that a compaction put in place of what was before. */
  readonly compact_summary: boolean;
  /** Written by the agent in the model's place (model `<synthetic>`), such as an error of the API. */
  readonly synthetic: boolean;
}

/** A compaction, or a micro-compaction, which clears the bodies of some results. */
export interface BoundaryEntry extends EntryPlace {
  readonly kind: 'boundary';
  readonly boundary: 'compaction' | 'microcompaction';
  readonly text: string;
  /** Call ids whose results were cleared (micro-compaction). */
  readonly cleared: readonly string[];
  /** Tokens before it, as recorded, or null. */
  readonly tokens_before: number | null;
  /** Tokens it saved, as recorded, or null. */
  readonly tokens_saved: number | null;
  readonly record: JsonObject;
}

/** Any other kept record: an error of the API, an attachment, a summary, or one of an unknown type. */
export interface RecordEntry extends EntryPlace {
  readonly kind: 'record';
  /** The record's type, with its subtype where it has one: `system/api_error`, `attachment`. */
  readonly type: string;
  /** A few words about it. */
  readonly text: string;
  readonly record: JsonObject;
}

/** One row's worth of a lane, in order of the file. */
export type Entry = MessageEntry | BoundaryEntry | RecordEntry;

/** A raw record as JSON, for whoever opens it. */
export type RawRecord = Json;
