import { renderDirective } from '../reminders/envelope';
import { reminderOf } from '../reminders/event';
import { modeOf } from '../reminders/modes';
import type { DirectiveState } from '../rows/row';
import { isObject, type JsonObject, type TranscriptEvent } from '../transcript/message';
import type { RecordKind } from './kinds';
import type { OrderedMap, PersistentMap } from './map';
import { numberIn, textIn, textsIn } from './payload';
import type { ReminderEntry, SessionState } from './state';

/** The state after a record about a reminder. */
export function reduceReminder(
  state: SessionState,
  kind: RecordKind,
  payload: JsonObject,
  at_ms: number,
): SessionState {
  if (kind === 'transcript.event') return recordEvent(state, payload, at_ms);
  if (kind === 'transcript.reminder.deduped') return replace(state, payload, at_ms);
  const id = textIn(payload, 'reminder_id');
  if (id === null || !state.reminders.has(id)) return state;
  switch (kind) {
    case 'transcript.reminder.injected':
      return enterPending(state, id, at_ms);
    case 'reminder.queued':
      return enterQueue(state, id, at_ms);
    case 'reminder.committed':
      return commit(state, id, { index: numberIn(payload, 'message_index'), text: textIn(payload, 'text'), at_ms });
    case 'transcript.reminder.fired':
      return fire(state, id, numberIn(payload, 'turn_number'), at_ms);
    case 'transcript.reminder.expired': {
      const reason = textIn(payload, 'reason') ?? 'ttl';
      return leave(state, id, { state: reason === 'cleared' ? 'cleared' : 'expired', reason, at_ms });
    }
    case 'transcript.reminder.dropped':
      return leave(state, id, { state: 'dropped', reason: textIn(payload, 'reason'), at_ms });
    case 'reminder.revoked':
      return leave(state, id, { state: 'revoked', reason: 'revoked', at_ms });
    case 'reminder.handed_over':
      return handOver(state, id, payload, at_ms);
    case 'reminder.seen':
      return changeEntry(state, id, at_ms, (entry) => ({
        state: entry.place === 'gone' && entry.state !== 'delivered' ? entry.state : 'seen',
        lost_after: null,
        ages: true,
        was_delivered: true,
        delivered_turn: entry.delivered_turn ?? state.turn,
      }));
    case 'reminder.lost':
      return lose(state, id, at_ms);
    case 'reminder.fire_now':
      return fireNow(state, id, numberIn(payload, 'turn_number') ?? state.turn, at_ms);
    case 'reminder.fire_missed':
      return missFire(state, id, at_ms);
    default:
      return state;
  }
}

/** `transcript.event` `{event, mode?, origin?, pending?}`: the body of a reminder, before anything happens to it. */
function recordEvent(state: SessionState, payload: JsonObject, at_ms: number): SessionState {
  const event = payload['event'];
  if (!isObject(event) || typeof event['id'] !== 'string') return state;
  const reminder = reminderOf(event as TranscriptEvent);
  if (reminder === null || state.reminders.has(reminder.id)) return state;
  const entry: ReminderEntry = {
    reminder,
    event_id: event['id'],
    mode: modeOf(payload['mode']),
    origin: textIn(payload, 'origin'),
    state: 'pending',
    place: 'recorded',
    committed: null,
    was_delivered: false,
    in_force_text: null,
    ages: false,
    lost_after: null,
    fire_turn: null,
    delivered_turn: null,
    reason: null,
    created_ms: at_ms,
    changed_ms: at_ms,
  };
  const known = { ...state, reminders: state.reminders.set(reminder.id, entry) };
  return payload['pending'] === true ? enterPending(known, reminder.id, at_ms) : known;
}

/** Changes members of one entry; an unknown id changes nothing. */
export function changeEntry(
  state: SessionState,
  id: string,
  at_ms: number,
  change: (entry: ReminderEntry) => Partial<ReminderEntry>,
): SessionState {
  const entry = state.reminders.get(id);
  if (entry === undefined) return state;
  return { ...state, reminders: state.reminders.set(id, { ...entry, ...change(entry), changed_ms: at_ms }) };
}

function enterPending(state: SessionState, id: string, at_ms: number): SessionState {
  const entry = state.reminders.get(id);
  if (entry === undefined || state.pending.has(id)) return state;
  const left = removeFromQueue(state, entry);
  const key = keyOf(entry);
  return changeEntry(
    {
      ...left,
      pending: left.pending.set(id, true),
      pending_keys: key === null ? left.pending_keys : addTo(left.pending_keys, key, id),
    },
    id,
    at_ms,
    () => ({ place: 'pending', state: 'pending', reason: null }),
  );
}

function enterQueue(state: SessionState, id: string, at_ms: number): SessionState {
  const entry = state.reminders.get(id);
  if (entry === undefined || entry.place !== 'recorded') return state;
  const key = keyOf(entry);
  const item = { kind: 'reminder', id, mode: entry.mode ?? 'finish_step' } as const;
  return changeEntry(
    {
      ...state,
      queue: state.queue.set(id, item),
      queue_keys: key === null ? state.queue_keys : addTo(state.queue_keys, key, id),
    },
    id,
    at_ms,
    () => ({ place: 'queued', state: 'queued' }),
  );
}

/** An `audit_only` reminder replaces nothing and is replaced by nothing: it has no slot. */
function keyOf(entry: ReminderEntry): string | null {
  return entry.mode === 'audit_only' ? null : entry.reminder.dedupe_key;
}

function addTo(slots: PersistentMap<readonly string[]>, key: string, id: string): PersistentMap<readonly string[]> {
  return slots.set(key, [...(slots.get(key) ?? []), id]);
}

function removeFrom(
  slots: PersistentMap<readonly string[]>,
  key: string,
  id: string,
): PersistentMap<readonly string[]> {
  const rest = (slots.get(key) ?? []).filter((other) => other !== id);
  return rest.length === 0 ? slots.delete(key) : slots.set(key, rest);
}

function removeFromQueue(state: SessionState, entry: ReminderEntry): SessionState {
  const { id } = entry.reminder;
  if (!state.queue.has(id)) return state;
  const key = keyOf(entry);
  return {
    ...state,
    queue: state.queue.delete(id),
    queue_keys: key === null ? state.queue_keys : removeFrom(state.queue_keys, key, id),
  };
}

/** Takes a reminder out of wherever it waits and says why; one that is gone already only learns the reason. */
export function leave(
  state: SessionState,
  id: string,
  why: { readonly state: DirectiveState; readonly reason: string | null; readonly at_ms: number },
): SessionState {
  const entry = state.reminders.get(id);
  if (entry === undefined) return state;
  const left = removeFromQueue(state, entry);
  const key = keyOf(entry);
  const pending: OrderedMap<true> = left.pending.delete(id);
  const wasPending = pending !== left.pending;
  return changeEntry(
    {
      ...left,
      pending,
      pending_keys: wasPending && key !== null ? removeFrom(left.pending_keys, key, id) : left.pending_keys,
    },
    id,
    why.at_ms,
    ({ reminder }) => ({
      reminder: why.reason === 'ttl' && reminder.ttl_turns !== null ? { ...reminder, ttl_turns: 0 } : reminder,
      place: 'gone',
      state: why.state,
      reason: why.reason,
      in_force_text: null,
      ages: false,
      lost_after: null,
      fire_turn: null,
    }),
  );
}

/**
 * `transcript.reminder.deduped`: what was replaced goes. A text that one of them kept in force stays in force with
 * its replacement when that says exactly the same and neither has a finite lifetime.
 */
function replace(state: SessionState, payload: JsonObject, at_ms: number): SessionState {
  const ids = textsIn(payload, 'replaced_ids');
  const one = textIn(payload, 'replaced_id');
  const replacedIds = ids.length > 0 || one === null ? ids : [one];
  const by = textIn(payload, 'replacing_id');
  const replacing = by === null ? undefined : state.reminders.get(by);
  let next = state;
  for (const id of replacedIds) {
    const entry = next.reminders.get(id);
    if (entry === undefined) continue;
    const text = entry.in_force_text;
    next = leave(next, id, { state: 'replaced', reason: by, at_ms });
    if (by === null || text === null || replacing === undefined || entry.reminder.ttl_turns !== null) continue;
    if (renderDirective(replacing.reminder) !== text) continue;
    next = changeEntry(next, by, at_ms, () => ({ in_force_text: text }));
  }
  return next;
}

/** The reminder's envelope stands in durable history; without `text` it is what the reminder renders to now. */
export function commit(
  state: SessionState,
  id: string,
  at: { readonly index: number | null; readonly text?: string | null; readonly at_ms: number },
): SessionState {
  const entry = state.reminders.get(id);
  if (entry === undefined) return state;
  const index = at.index ?? entry.committed?.index ?? state.messages.length - 1;
  const text = at.text ?? renderDirective(entry.reminder);
  const inForce = entry.place === 'pending' ? text : entry.in_force_text;
  const known = entry.committed !== null;
  return changeEntry({ ...state, unfired: known ? state.unfired : state.unfired.set(id, true) }, id, at.at_ms, () => ({
    committed: { text, index },
    was_delivered: true,
    in_force_text: inForce,
  }));
}

function fire(state: SessionState, id: string, turn: number | null, at_ms: number): SessionState {
  return changeEntry({ ...state, unfired: state.unfired.delete(id) }, id, at_ms, () => ({
    state: 'delivered',
    ages: true,
    was_delivered: true,
    fire_turn: null,
    delivered_turn: turn ?? state.turn,
  }));
}

function handOver(state: SessionState, id: string, payload: JsonObject, at_ms: number): SessionState {
  const turn = numberIn(payload, 'turn_number') ?? state.turn;
  const lost_after = numberIn(payload, 'lost_after') ?? turn;
  const placed = state.reminders.get(id)?.place === 'queued' ? enterPending(state, id, at_ms) : state;
  return changeEntry(placed, id, at_ms, (entry) => ({
    state: 'delivered',
    ages: true,
    was_delivered: true,
    committed: { text: renderDirective(entry.reminder), index: null },
    in_force_text: renderDirective(entry.reminder),
    lost_after,
    fire_turn: null,
    delivered_turn: turn,
  }));
}

/** Handed over and never seen: it was not delivered after all and its lifetime stands still. */
export function lose(state: SessionState, id: string, at_ms: number): SessionState {
  return changeEntry(state, id, at_ms, () => ({
    state: 'lost',
    committed: null,
    lost_after: null,
    ages: false,
    in_force_text: null,
  }));
}

function fireNow(state: SessionState, id: string, turn: number, at_ms: number): SessionState {
  const item = state.queue.get(id);
  const queue = item === undefined ? state.queue : state.queue.set(id, { ...item, mode: 'interrupt_immediate' });
  return changeEntry({ ...state, queue }, id, at_ms, () => ({ fire_turn: turn }));
}

/** The named turn went by without it: it waits again as it did before. */
export function missFire(state: SessionState, id: string, at_ms: number): SessionState {
  const entry = state.reminders.get(id);
  if (entry === undefined || entry.fire_turn === null) return state;
  const item = state.queue.get(id);
  const queue = item === undefined ? state.queue : state.queue.set(id, { ...item, mode: entry.mode ?? 'finish_step' });
  return changeEntry({ ...state, queue }, id, at_ms, () => ({ fire_turn: null }));
}
