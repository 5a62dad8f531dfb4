import { ReminderFault } from '../diagnostics';
import { applyDrafts, Draft, type Decision } from '../state/decision';
import { draftOf } from '../state/kinds';
import type { ReminderEntry, SessionState } from '../state/state';
import { isBlank } from './envelope';
import { planPlacement } from './placement';
import { decideSeam } from './seams';

/** What *Fire now* would do, so that the button can say it first. */
export interface FirePreview {
  /** Number of the turn whose prompt carries it. */
  readonly turn: number;
  /** The session is idle, so a turn starts for it. */
  readonly starts_turn: boolean;
  /** How many others go along in the same envelope. */
  readonly others: number;
}

/** Whether a reminder can still be made immediate: it waits, is meant for the model, and can be delivered. */
export function canFire(state: SessionState, entry: ReminderEntry): boolean {
  const waits = entry.place === 'queued' || entry.place === 'pending';
  return (
    waits && entry.committed === null && entry.mode !== 'audit_only' && state.deliverable && !isBlank(entry.reminder)
  );
}

/** What firing it now would do; throws, saying what happened, when it cannot be fired. */
export function previewFireNow(state: SessionState, reminderId: string): FirePreview {
  return decideFireNow(state, reminderId).answer;
}

/**
 * Makes a reminder immediate and lets it pass the hold on advisories. The turn boundary of the named turn puts it back
 * when the turn went by without it.
 */
export function decideFireNow(state: SessionState, reminderId: string): Decision<FirePreview> {
  const entry = state.reminders.get(reminderId);
  if (entry === undefined) throw new ReminderFault(`fire now: there is no reminder ${reminderId} in this session`);
  if (!canFire(state, entry)) throw new ReminderFault(`fire now: ${reasonOf(state, entry)}`);
  if (planPlacement(state).held.get(reminderId) === 'same_text_in_force') {
    throw new ReminderFault(`fire now: the model was told what ${reminderId} says, and that is still in force`);
  }
  const turn = state.turn_open ? state.turn + 1 : state.turn;
  const draft = new Draft(state);
  draft.add(draftOf(state, 'reminder.fire_now', { reminder_id: reminderId, turn_number: turn }));
  return draft.decision({
    turn,
    starts_turn: state.status === 'idle',
    others: othersOf(draft.state, reminderId),
  });
}

function reasonOf(state: SessionState, entry: ReminderEntry): string {
  const { id } = entry.reminder;
  if (entry.committed !== null) {
    const turn = entry.delivered_turn === null ? '' : ` in turn ${String(entry.delivered_turn)}`;
    return `${id} was delivered${turn}; send a correction instead`;
  }
  if (entry.place === 'gone') return `${id} does not wait any more: it was ${entry.state}`;
  if (entry.mode === 'audit_only') return `${id} is for the record only; the model never sees it`;
  if (!state.deliverable) return `this session's agent offers no way to deliver ${id}`;
  return `${id} has no text`;
}

/** The next prompt's envelope as it will be once the queue is drained and open calls are answered. */
function othersOf(state: SessionState, reminderId: string): number {
  const answered = { ...state, open_calls: [] };
  const drained = applyDrafts(answered, decideSeam(answered, 'iteration_start').drafts);
  return planPlacement(drained).issued.filter((reminder) => reminder.id !== reminderId).length;
}
