import type { Directive, LifecycleRow, Row, RowState, Speaker } from '../engine/rows/row';
import type { InspectorView, OptionValue } from './view';

export type Tab = 'transcript' | 'directives' | 'lifecycle';

/** A reminder as a person writes it in the form; the engine's parser has the last word. */
export interface ReminderForm {
  readonly body: string;
  readonly tags: readonly string[];
  readonly dedupe_key: string | null;
  readonly ttl_turns: number | null;
  readonly preserve_on_compact: boolean;
  readonly propagate: string;
  readonly authority: string;
  readonly role_hint: string;
  readonly mode: string;
}

export interface LifecycleFilter {
  /** Empty: all. */
  readonly kinds: readonly string[];
  /** Start of an id; null: all. */
  readonly reminder_id: string | null;
  readonly since_ms: number | null;
  readonly until_ms: number | null;
}

/** What the webview asks of the host: parameters and answer of each request. */
export interface Requests {
  /** A page of filtered rows. The host may answer with fewer rows than asked for, to keep a page below 200 KB. */
  rows: {
    params: { start: number; count: number };
    result: { revision: number; start: number; rows: readonly Row[] };
  };
  /** A part of the full text of one block. Characters are UTF-16 units here; `next` is null at the end. */
  body: {
    params: { key: string; side: 'raw' | 'projected'; block: number; offset: number };
    result: { text: string; next: number | null };
  };
  /** Where a raw message stands among the filtered rows; null: filtered out. */
  locate: { params: { message: number }; result: { row: number | null } };
  /** The next (or previous) filtered row, from `from` on, whose raw or projected text holds `text`. */
  search: {
    params: { text: string; from: number; backwards: boolean };
    result: { row: number | null; wrapped: boolean; matches: number; position: number };
  };
  directives: { params: Record<string, never>; result: { revision: number; directives: readonly Directive[] } };
  lifecycle: {
    params: { filter: LifecycleFilter; start: number; count: number };
    result: { revision: number; total: number; kinds: readonly string[]; start: number; rows: readonly LifecycleRow[] };
  };
  set_policy: {
    params: { policy: string; options: Readonly<Record<string, OptionValue>> };
    result: null;
  };
  apply_policy: { params: Record<string, never>; result: null };
  set_turn: { params: { turn: number | null }; result: null };
  set_lane: { params: { lane: string }; result: null };
  set_filter: {
    params: { speakers: readonly Speaker[]; states: readonly RowState[] };
    result: null;
  };
  remind: { params: ReminderForm; result: { reminder_id: string } };
  revoke: { params: { reminder_id: string }; result: { status: 'revoked' | 'already_revoked' } };
  /** What *Fire now* would do, so that the button can say it beforehand. */
  fire_preview: {
    params: { reminder_id: string };
    result: { turn: number; starts_turn: boolean; others: number };
  };
  fire: { params: { reminder_id: string }; result: { turn: number; starts_turn: boolean; others: number } };
  send: { params: { text: string }; result: null };
  stop: { params: Record<string, never>; result: null };
  permit: { params: { id: string; allow: boolean }; result: null };
  /** Opens something in an editor of its own: a row's raw beside its projected text, one side, or a log record. */
  open: {
    params:
      | { what: 'diff'; key: string }
      | { what: 'side'; key: string; side: 'raw' | 'projected' }
      | { what: 'record'; record_id: string }
      | { what: 'issues' };
    result: null;
  };
  copy: {
    params: { what: 'row'; key: string; side: 'raw' | 'projected' } | { what: 'hash' };
    result: null;
  };
  /** Asks the person before anything is opened. */
  link: { params: { url: string }; result: null };
  /** Runs one of our own commands, from an empty state or an error. */
  command: { params: { command: WebviewCommand }; result: null };
}

/** The commands that the webview may ask for; nothing else is run on its word. */
export type WebviewCommand = 'openSessionFile' | 'startSampleSession' | 'newSession' | 'showSessions';

export type Method = keyof Requests;
export type Params<M extends Method> = Requests[M]['params'];
export type Result<M extends Method> = Requests[M]['result'];

/** From the webview. */
export type ToHost =
  | { readonly type: 'ready' }
  | { readonly type: 'request'; readonly id: number; readonly method: Method; readonly params: unknown }
  | { readonly type: 'failed'; readonly message: string };

/** To the webview. */
export type ToWebview =
  | { readonly type: 'view'; readonly view: InspectorView }
  | { readonly type: 'answer'; readonly id: number; readonly result: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly error: string }
  /** Show a row (number among the filtered ones), or a tab, because a command asked for it. */
  | { readonly type: 'reveal'; readonly row: number }
  | { readonly type: 'tab'; readonly tab: Tab }
  | { readonly type: 'focus'; readonly target: 'search' | 'composer' | 'policy' | 'form' };

/** What the webview keeps over being hidden and shown again; VS Code stores it. */
export interface SavedState {
  readonly tab: Tab;
  readonly top_row: number;
  readonly follow: boolean;
  readonly side: 'both' | 'raw' | 'projected';
  readonly draft: string;
  readonly form: ReminderForm | null;
}
