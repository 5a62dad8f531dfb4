import { Draft, type Decision, type Sources } from '../state/decision';
import { pendingEntries, type SessionState } from '../state/state';
import { decideInjectReminder } from './inject';
import { lifecycleDraft } from './lifecycle';
import type { Reminder } from './spec';

/**
 * The copies that a sub-agent takes over: `all` always, `session` unless the reminder was itself inherited, `none`
 * never. A copy keeps its id and names the session that had it first.
 */
export function propagate(reminders: readonly Reminder[], sessionId: string): readonly Reminder[] {
  return reminders
    .filter(
      ({ propagate: reach, source, originating_agent_id }) =>
        reach === 'all' || (reach === 'session' && source !== 'inherited' && originating_agent_id === null),
    )
    .map((reminder) => ({
      ...reminder,
      source: 'inherited',
      originating_agent_id: reminder.originating_agent_id ?? sessionId,
    }));
}

/** `reminder_propagation` of a handoff: what a new sub-agent of this session takes over. */
export function handoffOf(state: SessionState): readonly Reminder[] {
  const visible = pendingEntries(state).filter((entry) => entry.mode !== 'audit_only');
  return propagate(
    visible.map((entry) => entry.reminder),
    state.session_id,
  );
}

/** The sub-agent's session injects the copies before its first turn; each is recorded as injected, then inherited. */
export function decideInherit(
  child: SessionState,
  copies: readonly Reminder[],
  sources: Sources,
): Decision<{ readonly reminder_ids: readonly string[] }> {
  const draft = new Draft(child);
  const ids = copies.map((copy) => {
    const reminder = draft.state.reminders.has(copy.id) ? { ...copy, id: sources.newId() } : copy;
    draft.take((state) => decideInjectReminder(state, reminder, sources));
    draft.add(
      lifecycleDraft(child, 'transcript.reminder.inherited', reminder, {
        originating_agent_id: reminder.originating_agent_id,
        sub_agent_id: child.session_id,
      }),
    );
    return reminder.id;
  });
  return draft.decision({ reminder_ids: ids });
}
