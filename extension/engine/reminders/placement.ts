import type { Hold } from '../rows/row';
import { Draft, type Decision } from '../state/decision';
import { draftOf } from '../state/kinds';
import { pendingEntries, type ReminderEntry, type SessionState } from '../state/state';
import type { Message } from '../transcript/message';
import { collapse, envelopeMessage, inOrder, isBlank, renderDirective, wrap, type Envelope } from './envelope';
import { asSent } from './guard';
import { lifecycleDraft } from './lifecycle';
import type { Reminder } from './spec';

/** What the next prompt would carry, and why the rest waits. */
export interface Plan {
  /** In the order rendered. */
  readonly issued: readonly Reminder[];
  readonly envelope: Envelope;
  readonly held: ReadonlyMap<string, Hold>;
  readonly dropped: readonly { readonly entry: ReminderEntry; readonly reason: 'invalid' | 'capability_mismatch' }[];
}

/** Works out the envelope of the present moment; nothing is decided by it. */
export function planPlacement(state: SessionState): Plan {
  const dropped: Plan['dropped'][number][] = [];
  const live: ReminderEntry[] = [];
  for (const entry of pendingEntries(state)) {
    if (entry.mode === 'audit_only') continue;
    if (isBlank(entry.reminder)) dropped.push({ entry, reason: 'invalid' });
    else if (!state.deliverable) dropped.push({ entry, reason: 'capability_mismatch' });
    else live.push(entry);
  }
  const inForce = new Set(live.map((entry) => entry.in_force_text));
  const held = new Map<string, Hold>();
  const { survivors, replaced } = collapse(live.map((entry) => entry.reminder));
  for (const id of replaced.keys()) {
    if (state.reminders.get(id)?.committed === null) held.set(id, 'same_text_in_force');
  }
  const issued = inOrder(survivors).filter((reminder) => {
    const entry = state.reminders.get(reminder.id);
    if (entry === undefined || entry.committed !== null) return false;
    const hold = holdOf(state, entry, inForce);
    if (hold !== null) held.set(reminder.id, hold);
    return hold === null;
  });
  return { issued, envelope: wrap(issued), held, dropped };
}

function holdOf(state: SessionState, entry: ReminderEntry, inForce: ReadonlySet<string | null>): Hold | null {
  if (state.open_calls.length > 0) return 'unanswered_calls';
  if (inForce.has(renderDirective(entry.reminder))) return 'same_text_in_force';
  const waits = entry.reminder.authority === 'advisory' && !state.has_user_turn && entry.fire_turn === null;
  return waits ? 'no_user_turn' : null;
}

/** What was placed. */
export interface Placed {
  /** Text of the new envelope; null: there was nothing to say. */
  readonly envelope: string | null;
  readonly reminder_ids: readonly string[];
  /** New messages in durable history. */
  readonly appended: 0 | 1;
}

/**
 * Commits what is to be said, right before the request: what cannot be delivered is dropped, the envelope is appended
 * to durable history, and each commitment is recorded with its text. Again in the same state: nothing.
 */
export function decidePlacement(state: SessionState): Decision<Placed> {
  const { issued, envelope, dropped } = planPlacement(state);
  const draft = new Draft(state);
  for (const { entry, reason } of dropped) {
    draft.add(lifecycleDraft(state, 'transcript.reminder.dropped', entry.reminder, { reason }));
  }
  if (envelope.text === null) return draft.decision({ envelope: null, reminder_ids: [], appended: 0 });
  const message = envelopeMessage(envelope.text, envelope.reminder_ids);
  draft.add(draftOf(state, 'message.appended', { message, origin: 'envelope' }));
  for (const reminder of issued) {
    draft.add(
      draftOf(state, 'reminder.committed', {
        reminder_id: reminder.id,
        text: renderDirective(reminder),
        message_index: state.messages.length,
      }),
    );
  }
  return draft.decision({ envelope: envelope.text, reminder_ids: envelope.reminder_ids, appended: 1 });
}

/**
 * The request was made: `valid` when the provider took it. The first valid one after a commitment fires it (and in our
 * own loop the model has seen it then); a refused one keeps its envelope for the next.
 */
export function decideRequest(
  state: SessionState,
  request: { readonly valid: boolean; readonly turn_number?: number | undefined },
): Decision<{ readonly fired: readonly string[] }> {
  const turn_number = request.turn_number ?? state.turn;
  const draft = new Draft(state);
  draft.add(draftOf(state, request.valid ? 'request.sent' : 'request.refused', { turn_number }));
  if (!request.valid) return draft.decision({ fired: [] });
  const fired = state.unfired.keys();
  for (const id of fired) {
    const entry = state.reminders.get(id);
    if (entry === undefined) continue;
    const extra = { turn_number, rendered_role: 'user' };
    draft.add(
      lifecycleDraft(state, 'transcript.reminder.fired', entry.reminder, extra),
      draftOf(state, 'reminder.seen', { reminder_id: id, turn_number, where: 'request' }),
    );
  }
  return draft.decision({ fired });
}

/** The durable messages as a model may be sent them, without any projection: guarded, and without bookkeeping. */
export function sentMessages(state: SessionState): readonly Message[] {
  return state.messages.toArray().map(asSent);
}
