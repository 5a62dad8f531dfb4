import { isObject, type JsonObject } from '../transcript/message';
import { isRecordKind, type RecordKind } from './kinds';
import { numberIn, textIn } from './payload';
import type { LogRecord } from './record';
import { reduceFile } from './reduceFiles';
import { appendMessage, compactMessages, queueMessage } from './reduceMessages';
import { reduceReminder } from './reduceReminders';
import { endTurn } from './reduceTurn';
import type { SessionState } from './state';

/** What the reduction reads of a record. */
export interface ReducedEvent {
  readonly kind: string;
  readonly payload: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch; 0 when absent. */
  readonly occurred_at_ms?: number;
}

/**
 * The state after one more record. Pure, total, and idempotent for records that repeat what the state says already: a
 * kind that is not known, or a payload that cannot be read, changes nothing.
 */
export function reduce(state: SessionState, event: ReducedEvent): SessionState {
  if (!isRecordKind(event.kind) || !isObject(event.payload)) return state;
  return reduceKnown(state, event.kind, event.payload, event.occurred_at_ms ?? 0);
}

/** The state after one more record of the log. */
export function reduceRecord(state: SessionState, record: LogRecord): SessionState {
  return reduce(state, record.event);
}

function reduceKnown(state: SessionState, kind: RecordKind, payload: JsonObject, at_ms: number): SessionState {
  switch (kind) {
    case 'message.appended':
      return appendMessage(state, payload, at_ms);
    case 'message.queued':
      return queueMessage(state, payload);
    case 'message.drained':
      return { ...state, queue: state.queue.delete(textIn(payload, 'queue_id') ?? '') };
    case 'transcript.compaction':
      return compactMessages(state, payload, at_ms);
    case 'transcript.projection':
      return { ...state, projections: state.projections.append(payload) };
    case 'request.sent':
      return markRequest(state, payload, at_ms, true);
    case 'request.refused':
      return markRequest(state, payload, at_ms, false);
    case 'turn.ended':
      return endTurn(state, payload, at_ms);
    case 'usage.reported':
      return { ...state, usage: payload };
    case 'budget.level':
      return { ...state, budget_level: numberIn(payload, 'level') ?? state.budget_level };
    case 'session.opened':
      return openSession(state, payload);
    case 'session.titled':
      return { ...state, title: textIn(payload, 'title') };
    case 'session.status':
      return { ...state, status: textIn(payload, 'status') ?? state.status };
    case 'session.deliverable':
      return { ...state, deliverable: payload['deliverable'] === true };
    case 'policy.changed':
      return { ...state, policy: payload };
    case 'file.seen':
    case 'file.changed':
      return reduceFile(state, kind, payload);
    case 'transcript.event':
    case 'transcript.reminder.injected':
    case 'transcript.reminder.deduped':
    case 'transcript.reminder.fired':
    case 'transcript.reminder.expired':
    case 'transcript.reminder.dropped':
    case 'transcript.reminder.inherited':
    case 'transcript.reminder.provider_evaluated':
    case 'reminder.queued':
    case 'reminder.revoked':
    case 'reminder.committed':
    case 'reminder.handed_over':
    case 'reminder.seen':
    case 'reminder.lost':
    case 'reminder.fire_now':
    case 'reminder.fire_missed':
      return reduceReminder(state, kind, payload, at_ms);
  }
}

function openSession(state: SessionState, payload: JsonObject): SessionState {
  return {
    ...state,
    about: payload,
    title: textIn(payload, 'title') ?? state.title,
    agent_id: textIn(payload, 'agent_id') ?? state.agent_id,
    deliverable: payload['deliverable'] === undefined ? payload['own'] !== false : payload['deliverable'] === true,
  };
}

function markRequest(state: SessionState, payload: JsonObject, at_ms: number, valid: boolean): SessionState {
  const turn_number = numberIn(payload, 'turn_number') ?? state.turn;
  const mark = {
    turn_number,
    messages: state.messages,
    projections: state.projections.length,
    valid,
    occurred_at_ms: at_ms,
  };
  return { ...state, requests: state.requests.append(mark), turn_open: valid || state.turn_open };
}
