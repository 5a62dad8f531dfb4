import { Draft, type Decision } from '../state/decision';
import { draftOf } from '../state/kinds';
import { errorResults } from '../state/openCalls';
import type { QueueItem, SessionState } from '../state/state';
import { enter } from './inject';
import { drainsAt, type Seam } from './modes';

/** What a seam did. */
export interface Drained {
  /** Ids of what was delivered, user input included, in order. */
  readonly delivered: readonly string[];
  /** The loop was about to end and goes on for this. */
  readonly continue: boolean;
  /** At `pre_tool_dispatch`: no handler may run, every call has got its synthetic result. */
  readonly skips_batch: boolean;
}

/** Text of the result of a call in a skipped batch. */
export const SKIPPED = 'This call was not dispatched: the session was interrupted before its tools ran.';

/** Senders that never extend a loop or start a turn, since each would cost the person money. */
const passive = /(?:^|[^a-z])(?:watch(?:er)?|rule|provider)s?(?:$|[^a-z])/i;

/** Whether this sender is a watcher, a rule or a provider. */
function isPassive(origin: string | null): boolean {
  return origin !== null && passive.test(origin);
}

/**
 * Drains the queue at a seam: immediates first, then `finish_step`, each in order of arrival. While calls are
 * unanswered input of the user stays queued, except at `pre_tool_dispatch`, where an immediate skips the batch and
 * answers its calls first.
 */
export function decideSeam(
  state: SessionState,
  seam: Seam,
  about: { readonly finishing?: boolean } = {},
): Decision<Drained> {
  const due = state.queue.values().filter((item) => drainsAt(item.mode, seam));
  const skips_batch = seam === 'pre_tool_dispatch' && due.length > 0 && state.open_calls.length > 0;
  const draft = new Draft(state);
  if (skips_batch) draft.take((now) => decideAnswerCalls(now, SKIPPED));
  const taken = draft.state.open_calls.length > 0 ? due.filter((item) => item.kind === 'reminder') : due;
  const immediates = taken.filter((item) => item.mode === 'interrupt_immediate');
  const ordered = [...immediates, ...taken.filter((item) => item.mode !== 'interrupt_immediate')];
  for (const item of ordered) deliver(draft, item);
  const goesOn =
    seam === 'iteration_end' && about.finishing === true && ordered.some((item) => keepsLoopGoing(state, item));
  return draft.decision({ delivered: ordered.map((item) => item.id), continue: goesOn, skips_batch });
}

function deliver(draft: Draft, item: QueueItem): void {
  if (item.kind === 'reminder') {
    const entry = draft.state.reminders.get(item.id);
    if (entry !== undefined) enter(draft, entry.reminder);
  } else if (item.mode === 'audit_only') {
    draft.add(draftOf(draft.state, 'message.drained', { queue_id: item.id }));
  } else {
    const message = { role: 'user', content: item.content };
    draft.add(draftOf(draft.state, 'message.appended', { message, origin: 'queue', queue_id: item.id }));
  }
}

function keepsLoopGoing(state: SessionState, item: QueueItem): boolean {
  if (item.kind === 'user') return true;
  const entry = state.reminders.get(item.id);
  return entry !== undefined && (entry.fire_turn !== null || !isPassive(entry.origin));
}

/** Answers every unanswered call with an error that says why, so that none is left without a result. */
export function decideAnswerCalls(state: SessionState, text: string): Decision<{ readonly answered: number }> {
  const messages = errorResults(state.open_calls, text);
  return {
    drafts: messages.map((message) => draftOf(state, 'message.appended', { message, origin: 'synthetic' })),
    answer: { answered: state.open_calls.length },
  };
}
