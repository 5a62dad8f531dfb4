import { explainDiagnostic } from '../../extension/engine/diagnostics';
import { hookEffect } from '../../extension/engine/hooks/effects';
import { renderEnvelope } from '../../extension/engine/reminders/envelope';
import { eventOf, reminderEvent, reminderOf } from '../../extension/engine/reminders/event';
import { evaluateProvider } from '../../extension/engine/reminders/firing';
import { asSent } from '../../extension/engine/reminders/guard';
import { lintReminder } from '../../extension/engine/reminders/lint';
import { clearReminders, injectReminder } from '../../extension/engine/reminders/pending';
import { propagate } from '../../extension/engine/reminders/propagation';
import { parseReminder, type Producer, type Reminder } from '../../extension/engine/reminders/spec';
import { selectProviders } from '../../extension/engine/providers/registry';
import { initialState } from '../../extension/engine/state/state';
import type { Json, JsonObject, Transcript } from '../../extension/engine/transcript/message';
import { isObject } from '../../extension/engine/transcript/message';
import type { Vector, VectorAdapter, VectorAdapters } from './adapter';
import { compareError, compareListed, expand, mapTexts, number, show, textOf } from './reminders/compare';
import { newId } from './reminders/ids';
import { builtins } from './reminders/providers';
import { VectorSessions } from './reminders/session';

const sources = { newId };

/** The calls of the folder `reminders`. */
export const reminderCalls: VectorAdapters = {
  session: runSession,
  parseReminder: adapt(({ producer, event, payload, value }) => {
    const context = { newId, payload, ...(typeof event === 'string' ? { event } : {}) };
    return { ...parseReminder(producer as Producer, value, context) };
  }),
  reminderEvent: adapt(({ value }) => {
    const event = reminderEvent(value, sources);
    return {
      event,
      metadata_equals_reminder: show(event.metadata) === show(event.reminder),
      event_id_differs: event.id !== event.reminder.id,
    };
  }),
  injectReminder: adapt(({ pending, options }) => {
    const input = transcriptOf(pending);
    const before = JSON.stringify(input);
    const { transcript, ...answer } = injectReminder(input, options, sources);
    return {
      ...answer,
      pending: transcript.events.map((event) => event['reminder'] ?? null),
      event: transcript.events.at(-1) ?? null,
      input_unchanged: JSON.stringify(input) === before,
      messages_unchanged: show(transcript.messages) === show(input.messages),
    };
  }),
  clearReminders: adapt(({ pending, selector }) => {
    const input = transcriptOf(pending);
    const before = JSON.stringify(input);
    const { transcript, removed_count } = clearReminders(input, selector);
    return {
      removed_count,
      pending: transcript.events.map((event) => event['reminder'] ?? null),
      input_unchanged: JSON.stringify(input) === before,
    };
  }),
  renderEnvelope: adapt(({ reminders }) => ({ ...renderEnvelope(remindersOf(reminders)) })),
  guardForgery: adapt(({ message }) => {
    const before = JSON.stringify(message);
    return { message: asSent(message as JsonObject), input_unchanged: JSON.stringify(message) === before };
  }),
  propagate: adapt(({ reminders, session_id: id }) => ({
    reminders: propagate(remindersOf(reminders), textOf(id)).map((reminder) => ({ ...reminder })),
  })),
  hookEffect: adapt(({ event, value }) => {
    const { reminders, rest } = hookEffect(textOf(event), value, sources);
    return { reminders: reminders.map((reminder) => ({ ...reminder })), rest };
  }),
  evaluateProvider: adapt(evaluateBuiltin),
  selectProviders: adapt(({ reminders, registered }) => ({
    ids: selectProviders(reminders, Array.isArray(registered) ? (registered as readonly Json[]).map(textOf) : []),
  })),
  lintReminder: adapt(({ value }) => ({ diagnostics: lintReminder(value).map((finding) => ({ ...finding })) })),
  explainDiagnostic: adapt(({ code }) => ({ ...explainDiagnostic(textOf(code)) })),
};

/** As the loop fires one of the eight, alone: nothing when it does not subscribe to the event. */
function evaluateBuiltin(given: JsonObject): Json {
  const id = textOf(given['provider']);
  const event = textOf(given['event']);
  const provider = builtins.find((candidate) => candidate.id === id);
  if (provider === undefined) throw new Error(`there is no provider ${id}`);
  if (!provider.subscribes_to.includes(event)) return { reminder: null };
  const [payload, session] = [given['payload'], given['session']].map((value) => (isObject(value) ? value : {}));
  const options = { config: { [id]: given['config'] } };
  const firing = { event, payload: payload ?? {}, session: session ?? {}, providers: [provider], options };
  const [reminder] = evaluateProvider(initialState('s1'), provider, firing, sources);
  return { reminder: reminder === undefined ? null : { ...reminder } };
}

function remindersOf(value: Json | undefined): readonly Reminder[] {
  const values: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : [];
  return values.map((item) => parseReminder('lenient', item, sources));
}

function transcriptOf(pending: Json | undefined): Transcript {
  const events = remindersOf(pending).map((reminder) => eventOf(reminder, newId()));
  const messages = [{ role: 'user', content: 'Hello.' }];
  if (events.some((event) => reminderOf(event) === null)) throw new Error('an event lost its reminder');
  return { id: 't', messages, events, metadata: {} };
}

/** Holds a pure call to a vector; comparing is by listed members at every depth. */
export function adapt(call: (given: JsonObject) => Json): VectorAdapter {
  return (vector: Vector) => {
    const given = expand(vector.given) as JsonObject;
    const then = expand((vector.then ?? {}) as unknown as Json) as JsonObject;
    let result: Json;
    try {
      result = call(given);
    } catch (thrown) {
      if (then['error'] !== undefined) return compareError('error', thrown, then['error']);
      return [`failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`];
    }
    if (then['error'] !== undefined) return [`expected an error, got ${show(result)}`];
    return compareListed('result', result, then['result'] ?? null);
  };
}

function runSession(vector: Vector): readonly string[] {
  const sessions = new VectorSessions(expand(vector.given) as JsonObject);
  const ids: string[] = [];
  const prefixes = new Map<string, readonly Json[]>();
  const named = (value: Json): Json => mapTexts(value, (text) => (/^\$\d+$/.test(text) ? idOf(ids, text) : text));
  const problems: string[] = [];
  for (const [index, item] of (vector.steps ?? []).entries()) {
    const step = expand(item);
    if (!isObject(step)) return [`step ${index + 1} is no object`];
    const { expect, times, ...rest } = step;
    const rounds = typeof times === 'number' ? times : 1;
    for (let round = 1; round <= rounds; round++) {
      const place = `step ${index + 1} (${textOf(step['do'])})`;
      const expected = round === rounds && isObject(expect) ? expect : {};
      const done = named(number(rest, round)) as JsonObject;
      let answer: Json;
      try {
        const outcome = sessions.run(done);
        ids.push(...outcome.ids);
        answer = outcome.answer;
      } catch (thrown) {
        if (expected['error'] !== undefined) problems.push(...compareError(place, thrown, named(expected['error'])));
        else problems.push(`${place} failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
        continue;
      }
      if (expected['error'] !== undefined) problems.push(`${place}: expected an error, got ${show(answer)}`);
      else problems.push(...compareListed(place, answer, named(number(expected, round))));
      problems.push(...checkPrefix(place, prefixes, done, answer));
    }
  }
  return problems;
}

function idOf(ids: readonly string[], text: string): string {
  return ids[Number(text.slice(1)) - 1] ?? text;
}

/** The messages of a valid request begin with those of the valid one before it; only a compaction breaks this. */
function checkPrefix(
  place: string,
  prefixes: Map<string, readonly Json[]>,
  step: JsonObject,
  answer: Json,
): readonly string[] {
  const session = typeof step['in'] === 'string' ? step['in'] : '';
  if (!isObject(answer)) return [];
  if (step['do'] === 'compact' && answer['changed'] === true) prefixes.delete(session);
  if (step['do'] !== 'build_prompt' || step['valid'] === false) return [];
  const messages = answer['messages'] as readonly Json[];
  const before = prefixes.get(session) ?? [];
  prefixes.set(session, messages);
  const same = before.every((message, index) => show(message) === show(messages[index]));
  return same ? [] : [`${place}: the request does not begin with the one before it`];
}
