import type { Mode } from '../reminders/modes';
import type { Reminder } from '../reminders/spec';
import type { DirectiveState } from '../rows/row';
import type { JsonObject, Message } from '../transcript/message';
import { List } from './list';
import { OrderedMap, PersistentMap } from './map';

/** A reminder that the session has known, from its first record on. */
export interface ReminderEntry {
  /** With the lifetime that is left. */
  readonly reminder: Reminder;
  /** Id of the transcript event that holds it. */
  readonly event_id: string;
  /** How it came in over the bridge; null: injected directly. */
  readonly mode: Mode | null;
  /** Who sent it over the bridge, such as `file-watcher`; null where nobody said. */
  readonly origin: string | null;
  /** What people see; follows from the last record about it. */
  readonly state: DirectiveState;
  /** `recorded`: only its body is known yet; `gone`: neither queued nor pending any more. */
  readonly place: 'recorded' | 'queued' | 'pending' | 'gone';
  /** Its envelope stands in the present durable history, or an agent that others run was given it. */
  readonly committed: Commitment | null;
  /** True from its first commitment or hand-over on, compactions notwithstanding. */
  readonly was_delivered: boolean;
  /** Rendered text that it keeps in force: its own commitment, or that of an equal one which it replaced. */
  readonly in_force_text: string | null;
  /** A valid request carried it, or an agent was given it: its lifetime runs. */
  readonly ages: boolean;
  /** Handed to an agent that others run, not seen there yet, and lost when this turn ends so. */
  readonly lost_after: number | null;
  /** *Fire now* named this turn for it. */
  readonly fire_turn: number | null;
  readonly delivered_turn: number | null;
  /** What ended it, for the states from `expired` on. */
  readonly reason: string | null;
  /** Milliseconds since the epoch. */
  readonly created_ms: number;
  readonly changed_ms: number;
}

/** That a reminder's envelope stands in durable history, or was handed over. */
export interface Commitment {
  /** The `<directive …>` element as it stands there. */
  readonly text: string;
  /** Index of the envelope in the durable messages; null: handed over, it stands in another's history. */
  readonly index: number | null;
}

/** What the bridge holds until a seam drains it, in order of arrival. */
export type QueueItem =
  | { readonly kind: 'reminder'; readonly id: string; readonly mode: Mode }
  | { readonly kind: 'user'; readonly id: string; readonly mode: Mode; readonly content: JsonObject[string] };

/** A call of the last assistant message that has no result yet. */
export interface OpenCall {
  readonly id: string | null;
  readonly name: string | null;
  /** Shape in which the call was made; its result takes the same. */
  readonly style: 'chat' | 'block' | 'part';
}

/** A compaction that replaced the durable history. */
export interface Compaction {
  /** The durable messages as they were before. */
  readonly archived: List<Message>;
  readonly summary: string | null;
  readonly occurred_at_ms: number;
}

/** A request that was made of the model. */
export interface RequestMark {
  readonly turn_number: number;
  /** The durable messages of that moment, the envelope included. */
  readonly messages: List<Message>;
  /** Number of projections recorded by then; the last of them is this request's. */
  readonly projections: number;
  readonly valid: boolean;
  readonly occurred_at_ms: number;
}

/** A file that the agent has read or written, as it last saw it, or one that was merely told of. */
export interface TrackedFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** The agent has read or written it. */
  readonly seen: boolean;
  /** Hash of the content that the agent last saw; null: it saw that there is none, or has not seen it. */
  readonly hash: string | null;
  /** Bytes; null where unknown. */
  readonly size: number | null;
  /** Modification time of that moment, milliseconds since the epoch; null where unknown. */
  readonly mtime_ms: number | null;
  /** What has happened on disk since; null: nothing. */
  readonly change: FileChange | null;
}

/** How a file on disk differs from what the agent last saw. */
export interface FileChange {
  readonly kind: 'created' | 'changed' | 'deleted' | 'renamed';
  readonly hash: string | null;
  /** New path of a renamed file. */
  readonly to: string | null;
  readonly lines_changed: number | null;
  /** The reminder that tells of it; null: none does. */
  readonly reminder_id: string | null;
}

/** Everything that a session's log says, by pure reduction. Immutable: every record gives a new one. */
export interface SessionState {
  readonly session_id: string;
  /** Who the records speak of as `agent_id`; the session itself unless the log says otherwise. */
  readonly agent_id: string;
  /** Payload of `session.opened`; `{}` before it. */
  readonly about: JsonObject;
  readonly title: string | null;
  /** As last recorded: `idle`, `running`, …; `idle` at the start. */
  readonly status: string;
  /** False: the session's agent offers no way to deliver a reminder. */
  readonly deliverable: boolean;
  /** Durable history, envelopes with their bookkeeping included. */
  readonly messages: List<Message>;
  /** Ids of the reminders of each envelope that the engine issued, by its index (as text) in `messages`. */
  readonly envelopes: PersistentMap<readonly string[]>;
  readonly open_calls: readonly OpenCall[];
  /** There is a user message that is neither an envelope nor results only. */
  readonly has_user_turn: boolean;
  readonly compactions: List<Compaction>;
  /** Every reminder ever known, by id, in order of its first record. */
  readonly reminders: OrderedMap<ReminderEntry>;
  /** Ids of the pending ones, in transcript order. */
  readonly pending: OrderedMap<true>;
  /** What the bridge holds, by id, in order of arrival. */
  readonly queue: OrderedMap<QueueItem>;
  /** Ids by dedupe key, of the pending and of the queued ones; `audit_only` takes no part. */
  readonly pending_keys: PersistentMap<readonly string[]>;
  readonly queue_keys: PersistentMap<readonly string[]>;
  /** Committed, not yet carried by a valid request; in the order rendered. */
  readonly unfired: OrderedMap<true>;
  /** Number of the turn that runs or comes next, from 1. */
  readonly turn: number;
  /** The request of that turn was sent. */
  readonly turn_open: boolean;
  readonly requests: List<RequestMark>;
  /** Metadata of the recorded `transcript.projection` events. */
  readonly projections: List<JsonObject>;
  /** The policy in force with its options, as recorded; null: never chosen. */
  readonly policy: JsonObject | null;
  /** Usage as the provider last reported it. */
  readonly usage: JsonObject | null;
  /** Highest budget threshold that context use has passed since the last compaction; 0: none. */
  readonly budget_level: number;
  readonly files: PersistentMap<TrackedFile>;
}

/** The state of a session of which nothing is recorded yet. */
export function initialState(sessionId: string): SessionState {
  return {
    session_id: sessionId,
    agent_id: sessionId,
    about: {},
    title: null,
    status: 'idle',
    deliverable: true,
    messages: List.of(),
    envelopes: PersistentMap.empty(),
    open_calls: [],
    has_user_turn: false,
    compactions: List.of(),
    reminders: OrderedMap.empty(),
    pending: OrderedMap.empty(),
    queue: OrderedMap.empty(),
    pending_keys: PersistentMap.empty(),
    queue_keys: PersistentMap.empty(),
    unfired: OrderedMap.empty(),
    turn: 1,
    turn_open: false,
    requests: List.of(),
    projections: List.of(),
    policy: null,
    usage: null,
    budget_level: 0,
    files: PersistentMap.empty(),
  };
}

/** The pending reminders in transcript order. */
export function pendingEntries(state: SessionState): readonly ReminderEntry[] {
  return state.pending.keys().flatMap((id) => state.reminders.get(id) ?? []);
}
