import { codedFault, messageOf, ReminderFault } from '../diagnostics';
import type { ReminderProvider } from '../providers/provider';
import { Draft, type Decision, type Sources } from '../state/decision';
import type { SessionState } from '../state/state';
import { isObject, type Json, type JsonObject } from '../transcript/message';
import { decideInjectReminder } from './inject';
import { lifecycleDraft, type RecordContext } from './lifecycle';
import { parseReminder, type Reminder } from './spec';

/** An event that providers may answer. */
export interface Firing extends RecordContext {
  readonly event: string;
  readonly payload: JsonObject;
  /** The providers that run, in order; those that do not subscribe to the event are passed over. */
  readonly providers: readonly ReminderProvider[];
  /** The session's `reminders` option; its `config` holds a part for each provider. */
  readonly options?: JsonObject;
  /** What providers may know of the session. */
  readonly session?: JsonObject;
}

/** One reminder that a provider left. */
export interface FiringReport {
  readonly provider: string;
  readonly reminder_id: string;
  readonly deduped_count: number;
}

/** A reminder that a provider returned again unchanged; `reminder_id` is the pending one. */
export interface FiringSkip {
  readonly provider: string;
  readonly reason: 'unchanged_durable_reminder';
  readonly reminder_id: string;
}

/** What came of an event. */
export interface Fired {
  /** Reminders injected. */
  readonly fired_count: number;
  readonly reports: readonly FiringReport[];
  readonly skipped: readonly FiringSkip[];
  /** Why the firing ended early. What was decided until then is recorded all the same. */
  readonly error: ReminderFault | null;
}

/**
 * Evaluates the providers of an event one after the other and injects what they return. A malformed result ends the
 * firing after its own record; reminders of earlier providers stay.
 */
export function fireProviders(state: SessionState, firing: Firing, sources: Sources): Decision<Fired> {
  const draft = new Draft(state);
  const reports: FiringReport[] = [];
  const skipped: FiringSkip[] = [];
  let error: ReminderFault | null = null;
  for (const provider of firing.providers) {
    if (!provider.subscribes_to.includes(firing.event)) continue;
    const own = new Draft(draft.state);
    let fired = 0;
    try {
      for (const reminder of evaluateProvider(draft.state, provider, firing, sources)) {
        const same = sameDurable(own.state, reminder);
        if (same !== null) {
          skipped.push({ provider: provider.id, reason: 'unchanged_durable_reminder', reminder_id: same });
          continue;
        }
        const answer = own.take((now) => decideInjectReminder(now, reminder, sources, firing));
        reports.push({ provider: provider.id, ...answer });
        fired++;
      }
    } catch (thrown) {
      error = faultOf(thrown, provider.id, firing.event);
    }
    const extra = {
      provider_id: provider.id,
      event: firing.event,
      fired: error === null && fired > 0,
      ...(error === null ? {} : { error: error.message }),
    };
    draft.add(lifecycleDraft(draft.state, 'transcript.reminder.provider_evaluated', null, extra, firing));
    if (error !== null) break;
    draft.add(...own.drafts);
  }
  return draft.decision({ fired_count: reports.length, reports, skipped, error });
}

/** Evaluates one provider and reads all that it returned; throws a fault for the first thing that is malformed. */
export function evaluateProvider(
  state: SessionState,
  provider: ReminderProvider,
  firing: Firing,
  sources: Sources,
): readonly Reminder[] {
  const options = firing.options ?? {};
  const configs = options['config'];
  const config = isObject(configs) ? configs[provider.id] : undefined;
  const context = contextOf(provider.id, firing.event);
  let result: Json | undefined;
  try {
    result = provider.evaluate({
      event: firing.event,
      session: firing.session ?? {},
      session_id: state.session_id,
      payload: firing.payload,
      options,
      config: isObject(config) ? config : {},
    });
  } catch (thrown) {
    throw faultOf(thrown, provider.id, firing.event);
  }
  return specsOf(result, context).map((value) =>
    parseReminder('provider', value, { newId: sources.newId, payload: firing.payload, context }),
  );
}

function contextOf(providerId: string, event: string): string {
  return `provider ${providerId} on ${event}`;
}

function faultOf(thrown: unknown, providerId: string, event: string): ReminderFault {
  if (thrown instanceof ReminderFault) return thrown;
  return codedFault(contextOf(providerId, event), 'HARN-RMD-006', messageOf(thrown));
}

/** Deepest nesting of lists and `{effects}` in a result. */
const maxDepth = 32;

/** The values in a result that must each be a reminder. */
function specsOf(result: Json | undefined, context: string, depth = 0): readonly Json[] {
  if (result === undefined || result === null) return [];
  if (depth > maxDepth) throw codedFault(context, 'HARN-RMD-006', 'the result is nested too deeply');
  if (Array.isArray(result)) return (result as readonly Json[]).flatMap((item) => specsOf(item, context, depth + 1));
  if (!isObject(result)) return [result];
  if (Object.hasOwn(result, 'effects')) return specsOf(result['effects'], context, depth + 1);
  if (Object.hasOwn(result, 'reminder')) return specsOf(result['reminder'], context, depth + 1);
  return [result];
}

/** Id of a pending durable reminder that is the same emission; null when there is none. */
function sameDurable(state: SessionState, reminder: Reminder): string | null {
  const { dedupe_key: key } = reminder;
  if (!reminder.preserve_on_compact || reminder.ttl_turns !== null || key === null) return null;
  const ids = state.pending_keys.get(key) ?? [];
  return (
    ids.find((id) => {
      const pending = state.reminders.get(id)?.reminder;
      return pending !== undefined && isSameEmission(pending, reminder);
    }) ?? null
  );
}

function isSameEmission(a: Reminder, b: Reminder): boolean {
  return (
    a.preserve_on_compact === b.preserve_on_compact &&
    a.ttl_turns === b.ttl_turns &&
    a.body === b.body &&
    a.propagate === b.propagate &&
    a.role_hint === b.role_hint &&
    a.authority === b.authority &&
    a.source === b.source &&
    a.originating_agent_id === b.originating_agent_id &&
    [...a.tags].sort().join('\0') === [...b.tags].sort().join('\0')
  );
}
