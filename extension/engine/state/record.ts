import type { JsonObject } from '../transcript/message';

/** One line of a session's log. The log is append-only; every state of a session is a reduction over its records. */
export interface LogRecord {
  /** UUID v7. */
  readonly id: string;
  readonly event: LogEvent;
}

/** What happened, as the log keeps it. */
export interface LogEvent {
  /** For example `message.appended` or `transcript.reminder.injected`. */
  readonly kind: string;
  readonly payload: JsonObject;
  /** Flat strings about the record itself, such as `topic` and `session_id`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly occurred_at_ms: number;
}

/** What the engine decides should be recorded; whoever writes the log gives it its id and time. */
export interface EventDraft {
  readonly kind: string;
  readonly payload: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}
