import type { Directive, DirectiveState, Hold } from '../rows/row';
import type { ReminderEntry, SessionState } from '../state/state';
import { isRevocable } from './bridge';
import { canFire } from './fireNow';
import { planPlacement } from './placement';

/** Every reminder that the session has known, as people see it, in order of its first record. */
export function directivesOf(state: SessionState): readonly Directive[] {
  const { held } = planPlacement(state);
  return state.reminders
    .values()
    .filter((entry) => entry.place !== 'recorded')
    .map((entry) => directiveOf(state, entry, held));
}

/** What people see of a reminder; null when the session never had it. */
export function stateOf(state: SessionState, reminderId: string): DirectiveState | null {
  return state.reminders.get(reminderId)?.state ?? null;
}

function directiveOf(state: SessionState, entry: ReminderEntry, held: ReadonlyMap<string, Hold>): Directive {
  const { reminder } = entry;
  const hold = holdOf(state, entry, held);
  return {
    reminder_id: reminder.id,
    state: entry.state,
    body: reminder.body,
    tags: reminder.tags,
    dedupe_key: reminder.dedupe_key,
    ttl_turns: reminder.ttl_turns,
    preserve_on_compact: reminder.preserve_on_compact,
    propagate: reminder.propagate,
    authority: reminder.authority,
    role_hint: reminder.role_hint,
    source: reminder.source,
    origin: entry.origin,
    mode: entry.mode,
    originating_agent_id: reminder.originating_agent_id,
    hold,
    fire_turn: entry.fire_turn,
    reason: entry.reason,
    delivered_turn: entry.delivered_turn,
    created_ms: entry.created_ms,
    changed_ms: entry.changed_ms,
    can_revoke: isRevocable(entry),
    can_fire: canFire(state, entry) && hold !== 'same_text_in_force',
  };
}

function holdOf(state: SessionState, entry: ReminderEntry, held: ReadonlyMap<string, Hold>): Hold | null {
  if (entry.place === 'gone' || entry.committed !== null) return null;
  if (!state.deliverable) return 'no_route';
  return entry.place === 'queued' ? 'waits_for_seam' : (held.get(entry.reminder.id) ?? null);
}
