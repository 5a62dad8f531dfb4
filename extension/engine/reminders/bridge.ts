import { codedFault, ReminderFault } from '../diagnostics';
import { Draft, type Decision, type Sources } from '../state/decision';
import { draftOf } from '../state/kinds';
import type { ReminderEntry, SessionState } from '../state/state';
import { isObject, type Json, type JsonObject } from '../transcript/message';
import { clearedDraft, dedupedDraft } from './inject';
import { bodyDraft, fieldsOf } from './lifecycle';
import { modeOf, modes, type Mode } from './modes';
import { parseReminder, type Reminder } from './spec';

const callKeys: ReadonlySet<string> = new Set(['sessionId', 'session_id', 'reminderId', 'reminder_id', 'mode']);

/** `session/remind`: a reminder enters the queue and waits for a seam. Faults are RMD-002, -001 and -005. */
export function decideRemind(
  state: SessionState,
  params: unknown,
  sources: Sources,
): Decision<{ readonly reminderId: string }> {
  if (!isObject(params)) throw codedFault('session/remind', 'HARN-RMD-002', 'params must be an object');
  const mode = readMode('session/remind', params['mode']);
  const options = Object.fromEntries(Object.entries(params).filter(([key]) => !callKeys.has(key)));
  const reminder = parseReminder('bridge', options, sources);
  if (state.reminders.has(reminder.id) || state.queue.has(reminder.id)) {
    throw codedFault('session/remind', 'HARN-RMD-002', `\`id\` ${reminder.id} is already in use`);
  }
  return decideQueueReminder(state, reminder, { mode, origin: originOf(params['_meta']) }, sources);
}

/** Puts a reminder that is parsed already into the queue; an older queued one with its key is replaced at once. */
export function decideQueueReminder(
  state: SessionState,
  reminder: Reminder,
  how: { readonly mode: Mode; readonly origin: string | null },
  sources: Sources,
): Decision<{ readonly reminderId: string }> {
  const draft = new Draft(state);
  draft.add(bodyDraft(state, reminder, sources.newId(), how));
  const key = how.mode === 'audit_only' ? null : reminder.dedupe_key;
  const replaced = key === null ? [] : (state.queue_keys.get(key) ?? []);
  if (replaced.length > 0) draft.add(dedupedDraft(draft.state, replaced, reminder));
  draft.add(draftOf(state, 'reminder.queued', { ...fieldsOf(reminder), mode: how.mode, origin: how.origin }));
  return draft.decision({ reminderId: reminder.id });
}

function readMode(context: string, value: unknown): Mode {
  if (value === undefined || value === null) return 'finish_step';
  const mode = modeOf(value);
  if (mode === null) throw codedFault(context, 'HARN-RMD-002', `\`mode\` must be one of ${modes.join(', ')}`);
  return mode;
}

function originOf(meta: unknown): string | null {
  const harn = isObject(meta) ? meta['harn'] : undefined;
  const origin = isObject(harn) ? harn['origin'] : undefined;
  return typeof origin === 'string' && origin.trim() !== '' ? origin.trim() : null;
}

/** `session/inject`: user-role input enters the queue; never a reminder. */
export function decideInjectUser(
  state: SessionState,
  params: { readonly content?: unknown; readonly mode?: unknown },
  sources: Sources,
): Decision<{ readonly messageId: string }> {
  const { content } = params;
  const isText = typeof content === 'string' && content.trim() !== '';
  if (!isText && !(Array.isArray(content) && content.length > 0)) {
    throw new ReminderFault('session/inject: `content` must be a non-empty text or list of blocks');
  }
  const mode = readMode('session/inject', params.mode);
  const id = sources.newId();
  const draft = draftOf(state, 'message.queued', { id, content: content as Json, mode });
  return { drafts: [draft], answer: { messageId: id } };
}

/**
 * `session/revoke_reminder`. What is committed cannot be taken back (`already_delivered`); a reminder that was never
 * here, or went some other way, is `unknown_reminder_id`, and the message says what became of it.
 */
export function decideRevoke(
  state: SessionState,
  reminderId: unknown,
): Decision<{ readonly reminderId: string; readonly status: 'revoked' | 'already_revoked' }> {
  const entry = typeof reminderId === 'string' ? state.reminders.get(reminderId) : undefined;
  if (typeof reminderId !== 'string' || entry === undefined) {
    throw refusal('unknown_reminder_id', `there is no reminder ${String(reminderId)} in this session`);
  }
  if (entry.state === 'revoked') return { drafts: [], answer: { reminderId, status: 'already_revoked' } };
  if (!isRevocable(entry)) throw goneFault(entry);
  const draft = new Draft(state);
  if (entry.place === 'pending') draft.add(clearedDraft(state, entry));
  draft.add(draftOf(state, 'reminder.revoked', fieldsOf(entry.reminder)));
  return draft.decision({ reminderId, status: 'revoked' });
}

/** Whether a reminder can still be taken back: it waits, and no history holds it. */
export function isRevocable(entry: ReminderEntry): boolean {
  return (entry.place === 'queued' || entry.place === 'pending') && entry.committed === null;
}

function goneFault(entry: ReminderEntry): ReminderFault {
  const { id } = entry.reminder;
  if (entry.was_delivered || entry.committed !== null) {
    const turn = entry.delivered_turn === null ? '' : ` in turn ${String(entry.delivered_turn)}`;
    return refusal('already_delivered', `${id} was delivered${turn}; send a correction instead`);
  }
  const by = entry.state === 'replaced' && entry.reason !== null ? ` by ${entry.reason}` : '';
  return refusal('unknown_reminder_id', `${id} does not wait any more: it was ${entry.state}${by}`);
}

function refusal(reason: 'already_delivered' | 'unknown_reminder_id', detail: string): ReminderFault {
  return new ReminderFault(`session/revoke_reminder: ${detail}`, { reason });
}

/** `session/pending_injections`: what waits in the queue, in order of arrival. */
export function pendingInjections(state: SessionState): {
  readonly pendingCount: number;
  readonly injections: readonly JsonObject[];
} {
  const injections = state.queue.values().flatMap((item, position): JsonObject[] => {
    if (item.kind === 'user') {
      const { id, mode, content } = item;
      return [{ kind: 'user', id, messageId: id, mode, position, content }];
    }
    const entry = state.reminders.get(item.id);
    return entry === undefined ? [] : [injectionOf(entry.reminder, item.mode, position)];
  });
  return { pendingCount: injections.length, injections };
}

function injectionOf(reminder: Reminder, mode: Mode, position: number): JsonObject {
  return {
    kind: 'reminder',
    id: reminder.id,
    reminderId: reminder.id,
    mode,
    position,
    body: reminder.body,
    tags: reminder.tags,
    dedupeKey: reminder.dedupe_key,
    ttlTurns: reminder.ttl_turns,
    preserveOnCompact: reminder.preserve_on_compact,
    propagate: reminder.propagate,
    roleHint: reminder.role_hint,
    authority: reminder.authority,
    source: reminder.source,
    firedAtTurn: reminder.fired_at_turn,
    originatingAgentId: reminder.originating_agent_id,
  };
}
