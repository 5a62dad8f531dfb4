import { codedFault } from '../diagnostics';
import { Draft, type Decision, type Sources } from '../state/decision';
import { pendingEntries, type ReminderEntry, type SessionState } from '../state/state';
import { isObject } from '../transcript/message';
import { bodyDraft, lifecycleDraft, type RecordContext } from './lifecycle';
import { parseReminder, type Reminder } from './spec';

/** Answer of an injection. */
export interface Injected {
  readonly reminder_id: string;
  /** How many pending reminders with the same key were replaced. */
  readonly deduped_count: number;
}

/** Which reminders to clear: all given selectors must match. */
export interface Selector {
  readonly id?: string | null;
  readonly tag?: string | null;
  readonly dedupe_key?: string | null;
}

/** The pipeline injects a reminder into the live session. */
export function decideInject(
  state: SessionState,
  options: unknown,
  sources: Sources,
  context: RecordContext = {},
): Decision<Injected> {
  return decideInjectReminder(state, parseReminder('pipeline', options, sources), sources, context);
}

/** Injects a reminder that is parsed already: body, replaced ones, and that it is pending now. */
export function decideInjectReminder(
  state: SessionState,
  reminder: Reminder,
  sources: Sources,
  context: RecordContext = {},
): Decision<Injected> {
  const draft = new Draft(state);
  if (!state.reminders.has(reminder.id)) draft.add(bodyDraft(state, reminder, sources.newId()));
  const deduped_count = enter(draft, reminder, context);
  return draft.decision({ reminder_id: reminder.id, deduped_count });
}

/** Makes a reminder pending of which the body is recorded already; gives how many it replaced. */
export function enter(draft: Draft, reminder: Reminder, context: RecordContext = {}): number {
  const entry = draft.state.reminders.get(reminder.id);
  const key = entry?.mode === 'audit_only' ? null : reminder.dedupe_key;
  const replaced = key === null ? [] : (draft.state.pending_keys.get(key) ?? []);
  if (replaced.length > 0) draft.add(dedupedDraft(draft.state, replaced, reminder, context));
  draft.add(lifecycleDraft(draft.state, 'transcript.reminder.injected', reminder, {}, context));
  return replaced.length;
}

/** The one record of an injection or a compaction that replaced something. */
export function dedupedDraft(
  state: SessionState,
  replaced: readonly string[],
  by: Reminder,
  context: RecordContext = {},
): ReturnType<typeof lifecycleDraft> {
  return lifecycleDraft(
    state,
    'transcript.reminder.deduped',
    by,
    { replaced_id: replaced[0] ?? null, replacing_id: by.id, replaced_ids: replaced },
    context,
  );
}

/** Clears pending reminders. Nothing matched is an answer of 0; no selector at all is a fault. */
export function decideClear(
  state: SessionState,
  selector: unknown,
  context: RecordContext = {},
): Decision<{ readonly removed_count: number }> {
  const matches = matcherOf(selector);
  const matched = pendingEntries(state).filter((entry) => matches(entry.reminder));
  const draft = new Draft(state);
  for (const entry of matched) draft.add(clearedDraft(state, entry, context));
  return draft.decision({ removed_count: matched.length });
}

/** The record that a reminder was cleared. */
export function clearedDraft(
  state: SessionState,
  entry: ReminderEntry,
  context: RecordContext = {},
): ReturnType<typeof lifecycleDraft> {
  const extra = { reason: 'cleared', turn_number: state.turn };
  return lifecycleDraft(state, 'transcript.reminder.expired', entry.reminder, extra, context);
}

const selectors = ['id', 'tag', 'dedupe_key'] as const;

/** Reads a selector (RMD-001 for a bad one, or one that selects nothing) as a test of reminders. */
export function matcherOf(selector: unknown): (reminder: Reminder) => boolean {
  const fault = (detail: string): Error => codedFault('clearReminders', 'HARN-RMD-001', detail);
  if (!isObject(selector)) throw fault('a selector must be an object with `id`, `tag` or `dedupe_key`');
  const unknown = Object.keys(selector).filter((key) => !selectors.some((known) => known === key));
  if (unknown.length > 0) throw fault(`unknown option(s): ${unknown.join(', ')}`);
  const [id, tag, key] = selectors.map((name) => {
    const value = selector[name];
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string') throw fault(`\`${name}\` must be a string`);
    return value.trim() === '' ? null : value.trim();
  });
  if (id === null && tag === null && key === null) throw fault('give at least one of `id`, `tag` and `dedupe_key`');
  return (reminder) =>
    (id === null || reminder.id === id) &&
    (tag === null || reminder.tags.some((own) => own === tag)) &&
    (key === null || reminder.dedupe_key === key);
}
