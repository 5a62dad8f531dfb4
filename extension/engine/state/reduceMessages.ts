import { DIRECTIVE_IDS } from '../reminders/envelope';
import { modeOf } from '../reminders/modes';
import { isObject, type JsonObject, type Message } from '../transcript/message';
import { List } from './list';
import { OrderedMap, PersistentMap } from './map';
import { isUserTurn, openCallsAfter } from './openCalls';
import { listIn, numberIn, textIn, textsIn } from './payload';
import { changeEntry, commit, leave } from './reduceReminders';
import type { SessionState } from './state';

/** `message.appended` `{message, origin?, queue_id?, model?}`: durable history grows by one. */
export function appendMessage(state: SessionState, payload: JsonObject, at_ms: number): SessionState {
  const message = payload['message'];
  if (!isObject(message)) return state;
  const index = state.messages.length;
  const queueId = textIn(payload, 'queue_id');
  const isEnvelope = payload['origin'] === 'envelope';
  const grown: SessionState = {
    ...state,
    messages: state.messages.append(message),
    open_calls: openCallsAfter(state.open_calls, message),
    has_user_turn: state.has_user_turn || (!isEnvelope && isUserTurn(message)),
    queue: queueId === null ? state.queue : state.queue.delete(queueId),
  };
  if (!isEnvelope) return grown;
  // The commitments follow from the envelope itself, so that a log torn right after it still knows them.
  const ids = textsIn(message, DIRECTIVE_IDS);
  return ids.reduce((next, id) => commit(next, id, { index, at_ms }), {
    ...grown,
    envelopes: grown.envelopes.set(String(index), ids),
  });
}

/** `message.queued` `{id, content, mode}`: input of the user waits for a seam. */
export function queueMessage(state: SessionState, payload: JsonObject): SessionState {
  const id = textIn(payload, 'id');
  const mode = modeOf(payload['mode']);
  if (id === null || mode === null || state.queue.has(id)) return state;
  const content = payload['content'] ?? '';
  return { ...state, queue: state.queue.set(id, { kind: 'user', id, mode, content }) };
}

/**
 * `transcript.compaction` `{messages, summary?, lifetimes, removed: [{reminder_id, state, reason}]}`: durable history
 * is replaced, what stays pending counts as uncommitted. The lifecycle records that follow repeat the removals.
 */
export function compactMessages(state: SessionState, payload: JsonObject, at_ms: number): SessionState {
  const messages = listIn(payload, 'messages').filter(isObject);
  const issued = issuedTexts(state);
  let next: SessionState = {
    ...state,
    messages: List.of(messages),
    envelopes: PersistentMap.empty(),
    open_calls: messages.reduce(openCallsAfter, []),
    has_user_turn: messages.some((message) => isUserTurn(message) && !isIssued(message, issued)),
    compactions: state.compactions.append({
      archived: state.messages,
      summary: textIn(payload, 'summary'),
      occurred_at_ms: at_ms,
    }),
    unfired: OrderedMap.empty(),
    budget_level: 0,
  };
  messages.forEach((message, index) => {
    if (!isIssued(message, issued)) return;
    next = { ...next, envelopes: next.envelopes.set(String(index), textsIn(message, DIRECTIVE_IDS)) };
  });
  for (const removal of listIn(payload, 'removed')) {
    const id = isObject(removal) ? textIn(removal, 'reminder_id') : null;
    if (id !== null && isObject(removal)) {
      const state = removal['state'] === 'replaced' ? 'replaced' : 'expired';
      next = leave(next, id, { state, reason: textIn(removal, 'reason'), at_ms });
    }
  }
  for (const id of next.pending.keys()) next = uncommit(next, id, payload, at_ms);
  return next;
}

function uncommit(state: SessionState, id: string, payload: JsonObject, at_ms: number): SessionState {
  const lifetimes = payload['lifetimes'];
  const left = isObject(lifetimes) ? numberIn(lifetimes, id) : null;
  return changeEntry(state, id, at_ms, (entry) => ({
    reminder: left === null ? entry.reminder : { ...entry.reminder, ttl_turns: left },
    committed: null,
    in_force_text: null,
    ages: false,
    lost_after: null,
    state: 'pending',
  }));
}

/** Texts of the envelopes that the engine issued into the present history. */
function issuedTexts(state: SessionState): ReadonlySet<unknown> {
  const texts = new Set<unknown>();
  for (const [index] of state.envelopes.entries()) texts.add(state.messages.at(Number(index))?.['content']);
  return texts;
}

function isIssued(message: Message, issued: ReadonlySet<unknown>): boolean {
  return Array.isArray(message[DIRECTIVE_IDS]) && issued.has(message['content']);
}
