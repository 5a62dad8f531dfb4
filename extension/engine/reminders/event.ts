import type { JsonObject, TranscriptEvent } from '../transcript/message';
import { parseReminder, type Reminder } from './spec';

/** A reminder as it is stored: a field without a value is left out. */
export interface ReminderPayload extends JsonObject {
  readonly id: string;
  readonly body: string;
}

/** A transcript event that holds a reminder. */
export interface ReminderEvent extends TranscriptEvent {
  readonly kind: 'system_reminder';
  readonly reminder: ReminderPayload;
}

/** The stored form of a reminder: null `dedupe_key`, `ttl_turns` and `originating_agent_id` are left out. */
export function payloadOf(reminder: Reminder): ReminderPayload {
  return {
    body: reminder.body,
    tags: reminder.tags,
    ...(reminder.dedupe_key === null ? {} : { dedupe_key: reminder.dedupe_key }),
    ...(reminder.ttl_turns === null ? {} : { ttl_turns: reminder.ttl_turns }),
    preserve_on_compact: reminder.preserve_on_compact,
    propagate: reminder.propagate,
    authority: reminder.authority,
    role_hint: reminder.role_hint,
    source: reminder.source,
    fired_at_turn: reminder.fired_at_turn,
    id: reminder.id,
    ...(reminder.originating_agent_id === null ? {} : { originating_agent_id: reminder.originating_agent_id }),
  };
}

/** The transcript event of a reminder; `metadata` and `reminder` say the same, always. */
export function eventOf(reminder: Reminder, eventId: string): ReminderEvent {
  return {
    id: eventId,
    kind: 'system_reminder',
    role: reminder.role_hint,
    visibility: 'public',
    text: reminder.body,
    blocks: [{ type: 'text', text: reminder.body, visibility: 'public' }],
    reminder: payloadOf(reminder),
    metadata: payloadOf(reminder),
  };
}

/** Reads any value as a reminder, leniently, and gives the event that holds it. */
export function reminderEvent(value: unknown, sources: { readonly newId: () => string }): ReminderEvent {
  return eventOf(parseReminder('lenient', value, sources), sources.newId());
}

/** The reminder in a transcript event; null when the event holds none. A reminder without an id gets the event's. */
export function reminderOf(event: TranscriptEvent): Reminder | null {
  if (event.kind !== 'system_reminder') return null;
  return parseReminder('lenient', event['reminder'] ?? event.metadata, { newId: () => event.id });
}
