/** What became of a row on the model's side. The word is also the row's `data-state`. */
export type RowState = 'kept' | 'hidden' | 'redacted' | 'synthetic' | 'directive';

/** Who speaks in a row; `result` is a message that only carries tool results. */
export type Speaker = 'user' | 'assistant' | 'result' | 'system' | 'engine';

/** What kind of thing a row shows. Only `message` rows have a number in the raw transcript. */
export type RowKind = 'message' | 'synthetic' | 'envelope' | 'pending' | 'boundary' | 'record';

/**
 * One part of a message as it is shown. `text` holds at most the first `PREVIEW_CHARACTERS` characters; `length` is
 * the full length in characters (code points), so that `length` beyond that of `text` means "cut".
 */
export type Block =
  | { readonly kind: 'text'; readonly text: string; readonly length: number }
  | { readonly kind: 'thinking'; readonly text: string; readonly length: number; readonly signed: boolean }
  | {
      readonly kind: 'call';
      readonly text: string;
      readonly length: number;
      readonly call_id: string | null;
      readonly name: string;
    }
  | {
      readonly kind: 'result';
      readonly text: string;
      readonly length: number;
      readonly call_id: string | null;
      readonly name: string | null;
      readonly failed: boolean;
    }
  | { readonly kind: 'image'; readonly text: string; readonly length: number; readonly media_type: string }
  | {
      readonly kind: 'pointer';
      readonly text: string;
      readonly length: number;
      readonly name: string | null;
      readonly reclaimed_tokens: number;
    }
  | { readonly kind: 'other'; readonly text: string; readonly length: number; readonly name: string };

/** One side of a row. `tokens` is an estimate (characters / 4), null where it is not known yet. */
export interface Side {
  readonly blocks: readonly Block[];
  readonly tokens: number | null;
}

/** Why the model's side of a row differs from the raw one, in words, with the message that caused it. */
export interface RowCause {
  /** For example "`Read` failed here and succeeded later". Plain text, never markup. */
  readonly text: string;
  /** Number of the raw message that caused it, to jump to; null where there is none. */
  readonly message: number | null;
}

/** One aligned row: the raw message on the left, what the model sees of it on the right. */
export interface Row {
  /** Stable while the session lives: the same thing keeps its key when rows are added or hidden. */
  readonly key: string;
  readonly kind: RowKind;
  readonly state: RowState;
  readonly speaker: Speaker;
  /** Number of the message in the raw transcript of the lane, from 0; null for what is no raw message. */
  readonly message: number | null;
  /** Null: not in the raw transcript. */
  readonly raw: Side | null;
  /** Null: hidden, or the same as `raw` (then `state` is `kept`). */
  readonly projected: Side | null;
  readonly cause: RowCause | null;
  /** Facts worth a word on the row: "not issued by the engine", "cleared by micro-compaction", "sent as a user turn". */
  readonly notes: readonly string[];
  /** The directives of an `envelope` or `pending` row. */
  readonly directives: readonly Directive[];
  /** Milliseconds since the epoch, null where the transcript does not say. */
  readonly time_ms: number | null;
}

/** The states of a directive that people see; each follows from the last record about its reminder. */
export type DirectiveState =
  'queued' | 'pending' | 'delivered' | 'seen' | 'lost' | 'expired' | 'replaced' | 'revoked' | 'cleared' | 'dropped';

/** Why a pending directive is not in the next prompt. */
export type Hold = 'no_user_turn' | 'unanswered_calls' | 'same_text_in_force' | 'no_route' | 'waits_for_seam';

/** A reminder as people see it: what it says, where it stands, and what can still be done about it. */
export interface Directive {
  readonly reminder_id: string;
  readonly state: DirectiveState;
  readonly body: string;
  readonly tags: readonly string[];
  readonly dedupe_key: string | null;
  /** Assistant turns left; null: no finite lifetime. */
  readonly ttl_turns: number | null;
  readonly preserve_on_compact: boolean;
  readonly propagate: string;
  readonly authority: 'contract' | 'corrective' | 'advisory';
  readonly role_hint: string;
  readonly source: string;
  /** Who sent it, where its record says so: `person`, `file-watcher`, or what a sender calls itself. */
  readonly origin: string | null;
  readonly mode: string | null;
  readonly originating_agent_id: string | null;
  readonly hold: Hold | null;
  /** Made immediate by *Fire now* for this turn number. */
  readonly fire_turn: number | null;
  /** What ended it, for the states from `expired` on: `ttl`, `compaction`, `cleared`, … */
  readonly reason: string | null;
  /** Turn in which it was delivered. */
  readonly delivered_turn: number | null;
  readonly created_ms: number;
  readonly changed_ms: number;
  readonly can_revoke: boolean;
  readonly can_fire: boolean;
}

/** One record of the log, as the Lifecycle tab lists it. */
export interface LifecycleRow {
  readonly record_id: string;
  readonly kind: string;
  readonly reminder_id: string | null;
  readonly occurred_at_ms: number;
  /** A few plain words: the body's start, a reason, a provider. */
  readonly text: string;
}

/** Longest text of a block that is sent with a row, in characters; the rest is asked for. */
export const PREVIEW_CHARACTERS = 1200;
