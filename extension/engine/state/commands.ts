import type { JsonObject, Message } from '../transcript/message';
import type { Decision } from './decision';
import { draftOf, type RecordKind } from './kinds';
import type { SessionState } from './state';

/** A message of the session's agent, its person or its tools is appended to durable history. */
export function decideAppend(
  state: SessionState,
  message: Message,
  about: { readonly model?: string | null } = {},
): Decision<{ readonly index: number }> {
  const model = about.model ?? null;
  const payload = { message, ...(model === null ? {} : { model }) };
  return { drafts: [draftOf(state, 'message.appended', payload)], answer: { index: state.messages.length } };
}

function record(state: SessionState, kind: RecordKind, payload: JsonObject): Decision<null> {
  return { drafts: [draftOf(state, kind, payload)], answer: null };
}

/** The session has a title now. */
export function decideTitle(state: SessionState, title: string): Decision<null> {
  return record(state, 'session.titled', { title });
}

/** The session's agent is `idle`, `running` and so on; the same status again records nothing. */
export function decideStatus(state: SessionState, status: string): Decision<null> {
  return status === state.status ? { drafts: [], answer: null } : record(state, 'session.status', { status });
}

/**
 * Whether the session's agent offers a way to deliver reminders. Our own does from the start, one that others run only
 * once a way in is found.
 */
export function decideDeliverable(state: SessionState, deliverable: boolean): Decision<null> {
  const same = deliverable === state.deliverable;
  return same ? { drafts: [], answer: null } : record(state, 'session.deliverable', { deliverable });
}

/** A projection policy with its options is the session's own from now on. */
export function decidePolicy(state: SessionState, options: JsonObject): Decision<null> {
  return record(state, 'policy.changed', options);
}

/** Usage as a provider reported it, in the members that it has. */
export function decideUsage(state: SessionState, usage: JsonObject): Decision<null> {
  return record(state, 'usage.reported', usage);
}

/** The metadata of a `transcript.projection` event. */
export function decideProjection(state: SessionState, metadata: JsonObject): Decision<null> {
  return record(state, 'transcript.projection', metadata);
}

/** Shares of the context window at which providers are told. */
export const budgetThresholds = [0.7, 0.85, 0.95] as const;

/**
 * Whether providers see `on_budget_threshold` now: only when context use has passed a threshold upwards since the last
 * time, or since a compaction. Tokens are those of the present context, never totals.
 */
export function decideBudget(
  state: SessionState,
  use: { readonly context_tokens: number; readonly context_window: number | null },
): Decision<{ readonly emit: boolean; readonly level: number }> {
  const window = use.context_window ?? 0;
  const share = window > 0 && Number.isFinite(use.context_tokens) ? use.context_tokens / window : 0;
  const level = budgetThresholds.findLast((threshold) => share >= threshold) ?? 0;
  const answer = { emit: level > state.budget_level, level };
  return { drafts: level === state.budget_level ? [] : [draftOf(state, 'budget.level', { level })], answer };
}
