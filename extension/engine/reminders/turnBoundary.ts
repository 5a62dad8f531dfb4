import { Draft, type Decision } from '../state/decision';
import { draftOf } from '../state/kinds';
import { pendingEntries, type SessionState } from '../state/state';
import { lifecycleDraft } from './lifecycle';

/** What a turn boundary did; ids, in transcript order. */
export interface TurnEnd {
  readonly turn_number: number;
  readonly expired: readonly string[];
  readonly decremented: readonly string[];
  /** Handed over and not seen in time. */
  readonly lost: readonly string[];
  /** *Fire now* had named this turn, and it went by without them. */
  readonly missed: readonly string[];
}

/** The turn is over, its hooks have run: what was delivered ages by one. What was not delivered does not age. */
export function decideEndTurn(
  state: SessionState,
  turn: { readonly turn_number?: number | undefined } = {},
): Decision<TurnEnd> {
  const turn_number = turn.turn_number ?? state.turn;
  const pending = pendingEntries(state);
  const aged = pending.flatMap((entry) => {
    const ttl = entry.reminder.ttl_turns;
    return entry.ages && ttl !== null ? [{ entry, left: ttl - 1 }] : [];
  });
  const expired = aged.filter(({ left }) => left <= 0);
  const decremented = aged.filter(({ left }) => left > 0);
  const lost = pending.filter((entry) => entry.lost_after !== null && entry.lost_after <= turn_number);
  const waiting = [...pending, ...state.queue.keys().flatMap((id) => state.reminders.get(id) ?? [])];
  const missed = waiting.filter((entry) => entry.fire_turn !== null && entry.fire_turn <= turn_number);
  const answer: TurnEnd = {
    turn_number,
    expired: expired.map(({ entry }) => entry.reminder.id),
    decremented: decremented.map(({ entry }) => entry.reminder.id),
    lost: lost.map((entry) => entry.reminder.id).filter((id) => !expired.some(({ entry }) => entry.reminder.id === id)),
    missed: missed.map((entry) => entry.reminder.id),
  };
  const draft = new Draft(state);
  draft.add(
    draftOf(state, 'turn.ended', {
      ...answer,
      decremented: decremented.map(({ entry, left }) => ({ reminder_id: entry.reminder.id, ttl_turns: left })),
    }),
  );
  for (const { entry } of expired) {
    const reminder = { ...entry.reminder, ttl_turns: 0 };
    draft.add(lifecycleDraft(state, 'transcript.reminder.expired', reminder, { reason: 'ttl', turn_number }));
  }
  for (const id of answer.lost) draft.add(draftOf(state, 'reminder.lost', { reminder_id: id, turn_number }));
  for (const id of answer.missed) draft.add(draftOf(state, 'reminder.fire_missed', { reminder_id: id, turn_number }));
  return draft.decision(answer);
}
