import { codedFault, plainFault } from '../diagnostics';
import { decideInjectReminder } from '../reminders/inject';
import { parseReminder, reminderOptions, type Reminder } from '../reminders/spec';
import { Draft, type Decision, type Sources } from '../state/decision';
import type { SessionState } from '../state/state';
import { isObject, type Json, type JsonObject } from '../transcript/message';

/** Events of a worker's life; they accept no reminder effects. */
const workerEvents: ReadonlySet<string> = new Set([
  'worker_spawned',
  'worker_progressed',
  'worker_waiting_for_input',
  'worker_suspended',
  'worker_resumed',
  'worker_completed',
  'worker_failed',
  'worker_stopped',
  'worker_cancelled',
]);

/** What a hook returned, sorted. */
export interface HookEffect {
  readonly reminders: readonly Reminder[];
  /** The effects that are no reminders, in order, as the hook gave them. */
  readonly rest: readonly Json[];
}

interface Sorted {
  readonly specs: Json[];
  readonly rest: Json[];
}

/** Deepest nesting of lists, `{effects}` and `then`. */
const maxDepth = 32;

/**
 * Reads what a hook returned: nothing, `{reminder, then?}`, a bare reminder, a list, or `{effects}`. A reminder from a
 * worker lifecycle event is RMD-008; a malformed one a plain fault that names event and field.
 */
export function hookEffect(event: string, value: unknown, sources: Sources): HookEffect {
  const sorted: Sorted = { specs: [], rest: [] };
  sort(event, value, sorted, 0);
  if (sorted.specs.length > 0 && workerEvents.has(event)) {
    throw codedFault(`hook ${event}`, 'HARN-RMD-008', 'this event accepts no reminder effects');
  }
  const reminders = sorted.specs.map((spec) => parseReminder('hook', spec, { newId: sources.newId, event }));
  return { reminders, rest: sorted.rest };
}

function sort(event: string, value: unknown, into: Sorted, depth: number): void {
  if (value === undefined || value === null) return;
  if (depth > maxDepth) throw plainFault(`hook ${event}`, 'its effects are nested too deeply');
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) sort(event, item, into, depth + 1);
  } else if (!isObject(value)) {
    into.rest.push(value as Json);
  } else if (Object.hasOwn(value, 'effects')) {
    sort(event, value['effects'], into, depth + 1);
  } else if (Object.hasOwn(value, 'reminder')) {
    const { reminder, then, ...others } = value;
    if (reminder !== undefined && reminder !== null) into.specs.push(reminder);
    if (Object.keys(others).length > 0) into.rest.push(others);
    sort(event, then, into, depth + 1);
  } else if (isBareSpec(value)) {
    into.specs.push(value);
  } else {
    into.rest.push(value);
  }
}

/** A reminder without a wrapper has a body, or at least nothing but options of a reminder. */
function isBareSpec(value: JsonObject): boolean {
  const keys = Object.keys(value);
  const isOption = (key: string): boolean => reminderOptions.some((option) => option === key);
  return Object.hasOwn(value, 'body') || (keys.length > 0 && keys.every(isOption));
}

/** What a tool call's receipt says of one reminder; never the body. */
export interface ReceiptReminder extends JsonObject {
  readonly hook_event: string;
  readonly tool_call_id: string | null;
  readonly reminder_id: string;
  readonly deduped_count: number;
}

/** A tool call's receipt, as far as reminders go. */
export interface HookReceipt {
  readonly audit: { readonly reminders: readonly ReceiptReminder[] };
}

/** A hook returned `value`: its reminders are injected, all or (when one is malformed) none. */
export function decideHook(
  state: SessionState,
  hook: { readonly event: string; readonly value: unknown; readonly tool_call_id?: string | null },
  sources: Sources,
): Decision<{ readonly receipt: HookReceipt; readonly rest: readonly Json[] }> {
  const { reminders, rest } = hookEffect(hook.event, hook.value, sources);
  const task_id = hook.tool_call_id ?? null;
  const draft = new Draft(state);
  const audit = reminders.map((reminder): ReceiptReminder => {
    const { deduped_count } = draft.take((now) => decideInjectReminder(now, reminder, sources, { task_id }));
    return {
      hook_event: hook.event,
      tool_call_id: task_id,
      reminder_id: reminder.id,
      tags: reminder.tags,
      dedupe_key: reminder.dedupe_key,
      source: reminder.source,
      role_hint: reminder.role_hint,
      authority: reminder.authority,
      ttl_turns: reminder.ttl_turns,
      deduped_count,
    };
  });
  return draft.decision({ receipt: { audit: { reminders: audit } }, rest });
}
