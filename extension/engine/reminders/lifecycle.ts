import type { LifecycleRow } from '../rows/row';
import { draftOf, isRecordKind, type RecordKind } from '../state/kinds';
import { textIn, textsIn } from '../state/payload';
import type { EventDraft, LogRecord } from '../state/record';
import type { SessionState } from '../state/state';
import type { JsonObject } from '../transcript/message';
import { eventOf } from './event';
import type { Mode } from './modes';
import type { Reminder } from './spec';

/** All fields of a reminder but the body, as a lifecycle record has them: nulls are written. */
export function fieldsOf(reminder: Reminder): JsonObject {
  const { id, body: _body, ...fields } = reminder;
  return { reminder_id: id, ...fields };
}

/** What the records of one command say beside the reminder. */
export interface RecordContext {
  /** The tool call that is being executed. */
  readonly task_id?: string | null;
}

/** A lifecycle record about a reminder, with its fields and without its body. */
export function lifecycleDraft(
  state: SessionState,
  kind: RecordKind & `transcript.reminder.${string}`,
  reminder: Reminder | null,
  extra: JsonObject = {},
  context: RecordContext = {},
): EventDraft {
  return draftOf(state, kind, {
    session_id: state.session_id,
    task_id: context.task_id ?? null,
    agent_id: state.agent_id,
    ...(reminder === null ? {} : fieldsOf(reminder)),
    ...extra,
  });
}

/** The record that holds the body: the reminder's transcript event. */
export function bodyDraft(
  state: SessionState,
  reminder: Reminder,
  eventId: string,
  how: { readonly mode?: Mode | null; readonly origin?: string | null } = {},
): EventDraft {
  return draftOf(state, 'transcript.event', {
    event: eventOf(reminder, eventId),
    ...(how.mode === undefined || how.mode === null ? {} : { mode: how.mode }),
    ...(how.origin === undefined || how.origin === null ? {} : { origin: how.origin }),
  });
}

const words: Partial<Record<RecordKind, (payload: JsonObject) => string>> = {
  'transcript.reminder.injected': () => 'pending',
  'transcript.reminder.deduped': (payload) => `replaced ${textsIn(payload, 'replaced_ids').length || 1}`,
  'transcript.reminder.fired': (payload) => `delivered in turn ${numberText(payload, 'turn_number')}`,
  'transcript.reminder.expired': (payload) => expiredWords(textIn(payload, 'reason')),
  'transcript.reminder.dropped': (payload) =>
    textIn(payload, 'reason') === 'capability_mismatch' ? 'dropped: no way to deliver it' : 'dropped: no text',
  'transcript.reminder.inherited': (payload) => `from ${textIn(payload, 'originating_agent_id') ?? 'another session'}`,
  'transcript.reminder.provider_evaluated': (payload) => providerWords(payload),
  'reminder.queued': (payload) => `queued (${textIn(payload, 'mode') ?? 'finish_step'})`,
  'reminder.revoked': () => 'revoked',
  'reminder.committed': (payload) => `in message ${numberText(payload, 'message_index')}`,
  'reminder.handed_over': (payload) => `handed over in turn ${numberText(payload, 'turn_number')}`,
  'reminder.seen': () => 'seen by the model',
  'reminder.lost': () => 'not seen by the end of the next turn',
  'reminder.fire_now': (payload) => `fire now, turn ${numberText(payload, 'turn_number')}`,
  'reminder.fire_missed': (payload) => `missed turn ${numberText(payload, 'turn_number')}, waits again`,
};

function numberText(payload: JsonObject, key: string): string {
  const value = payload[key];
  return typeof value === 'number' ? String(value) : '?';
}

function expiredWords(reason: string | null): string {
  if (reason === 'cleared') return 'cleared';
  return reason === 'compaction' ? 'gone with the compaction' : 'lifetime over';
}

function providerWords(payload: JsonObject): string {
  const provider = textIn(payload, 'provider_id') ?? 'provider';
  const event = textIn(payload, 'event') ?? 'event';
  const error = textIn(payload, 'error');
  if (error !== null) return `${provider} on ${event} failed: ${error}`;
  return `${provider} on ${event}: ${payload['fired'] === true ? 'fired' : 'nothing'}`;
}

const bodyStart = 60;

/**
 * The row of the Lifecycle tab for a record; null for a record that is not about reminders. `state` gives the body,
 * which lifecycle records never hold.
 */
export function lifecycleRowOf(record: LogRecord, state: SessionState): LifecycleRow | null {
  const { kind, payload, occurred_at_ms } = record.event;
  const say = isRecordKind(kind) ? words[kind] : undefined;
  if (say === undefined) return null;
  const reminder_id = textIn(payload, 'reminder_id');
  const body = reminder_id === null ? undefined : state.reminders.get(reminder_id)?.reminder.body;
  const start = body === undefined ? '' : startOf(body);
  return {
    record_id: record.id,
    kind,
    reminder_id,
    occurred_at_ms,
    text: start === '' ? say(payload) : `${say(payload)}: ${start}`,
  };
}

function startOf(body: string): string {
  const line = [
    ...body
      .slice(0, bodyStart * 4)
      .replace(/\s+/g, ' ')
      .trim(),
  ];
  return line.length > bodyStart ? `${line.slice(0, bodyStart).join('')}…` : line.join('');
}
