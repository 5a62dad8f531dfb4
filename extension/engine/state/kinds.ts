import type { JsonObject } from '../transcript/message';
import type { EventDraft } from './record';
import type { SessionState } from './state';

/** Topic of the records about the life of reminders; they never hold a body. */
export const lifecycleTopic = 'transcript.reminder.lifecycle';

/** Every kind of record that the engine writes and reads, with the topic in its header. */
export const topics = {
  'transcript.reminder.injected': lifecycleTopic,
  'transcript.reminder.deduped': lifecycleTopic,
  'transcript.reminder.fired': lifecycleTopic,
  'transcript.reminder.expired': lifecycleTopic,
  'transcript.reminder.dropped': lifecycleTopic,
  'transcript.reminder.inherited': lifecycleTopic,
  'transcript.reminder.provider_evaluated': lifecycleTopic,
  'reminder.queued': 'transcript.reminder.delivery',
  'reminder.revoked': 'transcript.reminder.delivery',
  'reminder.committed': 'transcript.reminder.delivery',
  'reminder.handed_over': 'transcript.reminder.delivery',
  'reminder.seen': 'transcript.reminder.delivery',
  'reminder.lost': 'transcript.reminder.delivery',
  'reminder.fire_now': 'transcript.reminder.delivery',
  'reminder.fire_missed': 'transcript.reminder.delivery',
  'transcript.event': 'transcript.event',
  'transcript.projection': 'transcript.projection',
  'transcript.compaction': 'transcript.compaction',
  'message.appended': 'transcript.message',
  'message.queued': 'transcript.message',
  'message.drained': 'transcript.message',
  'request.sent': 'session.turn',
  'request.refused': 'session.turn',
  'turn.ended': 'session.turn',
  'usage.reported': 'session.turn',
  'budget.level': 'session.turn',
  'session.opened': 'session',
  'session.titled': 'session',
  'session.status': 'session',
  'session.deliverable': 'session',
  'policy.changed': 'session',
  'file.seen': 'session.file',
  'file.changed': 'session.file',
} as const;

/** A kind of record that the engine writes and reads. */
export type RecordKind = keyof typeof topics;

/** Whether this is a kind that the reduction knows; other records are kept in the log and change nothing. */
export function isRecordKind(kind: string): kind is RecordKind {
  return Object.hasOwn(topics, kind);
}

/** A draft of this kind, with its headers. */
export function draftOf(state: SessionState, kind: RecordKind, payload: JsonObject): EventDraft {
  return { kind, payload, headers: { topic: topics[kind], session_id: state.session_id } };
}
