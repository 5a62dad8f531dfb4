import { Draft, type Decision } from '../state/decision';
import { draftOf } from '../state/kinds';
import type { SessionState } from '../state/state';
import { renderDirective } from './envelope';
import { enter } from './inject';
import { fieldsOf } from './lifecycle';

/**
 * Directives were given to an agent that others run: delivered as far as we can tell, and lost unless they are seen by
 * the end of the next turn. Ids that do not wait are passed over.
 */
export function decideHandOver(
  state: SessionState,
  ids: readonly string[],
  how: { readonly route: string; readonly turn_number?: number; readonly mid_turn: boolean },
): Decision<{ readonly handed_over: readonly string[] }> {
  const turn_number = how.turn_number ?? state.turn;
  const draft = new Draft(state);
  const handed_over = ids.filter((id) => {
    const entry = draft.state.reminders.get(id);
    if (entry === undefined || entry.place === 'gone' || entry.committed !== null) return false;
    if (entry.place !== 'pending') enter(draft, entry.reminder);
    draft.add(
      draftOf(state, 'reminder.handed_over', {
        ...fieldsOf(entry.reminder),
        text: renderDirective(entry.reminder),
        route: how.route,
        turn_number,
        lost_after: how.mid_turn ? turn_number + 1 : turn_number,
      }),
    );
    return true;
  });
  return draft.decision({ handed_over });
}

/** Directives were found in the bytes of a request or in the agent's own log; those seen already are passed over. */
export function decideSeen(
  state: SessionState,
  ids: readonly string[],
  where: 'request' | 'log',
): Decision<{ readonly seen: readonly string[] }> {
  const seen = ids.filter((id) => {
    const entry = state.reminders.get(id);
    return entry !== undefined && entry.state !== 'seen' && entry.was_delivered;
  });
  const drafts = seen.map((id) => draftOf(state, 'reminder.seen', { reminder_id: id, turn_number: state.turn, where }));
  return { drafts, answer: { seen } };
}
