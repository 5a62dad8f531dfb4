import { unknownSessionFault } from '../../../extension/engine/diagnostics';
import { decideHook } from '../../../extension/engine/hooks/effects';
import type { ReminderProvider } from '../../../extension/engine/providers/provider';
import {
  decideInjectUser,
  decideRemind,
  decideRevoke,
  pendingInjections,
} from '../../../extension/engine/reminders/bridge';
import { decideCompact, type CompactionOutcome } from '../../../extension/engine/reminders/compaction';
import { DIRECTIVE_IDS } from '../../../extension/engine/reminders/envelope';
import { eventOf, payloadOf, reminderEvent } from '../../../extension/engine/reminders/event';
import { fireProviders, type Fired } from '../../../extension/engine/reminders/firing';
import { decideClear, decideInject } from '../../../extension/engine/reminders/inject';
import type { Seam } from '../../../extension/engine/reminders/modes';
import { decidePlacement, decideRequest, sentMessages } from '../../../extension/engine/reminders/placement';
import { decideInherit, handoffOf } from '../../../extension/engine/reminders/propagation';
import { decideSeam } from '../../../extension/engine/reminders/seams';
import { decideEndTurn } from '../../../extension/engine/reminders/turnBoundary';
import { decideAppend } from '../../../extension/engine/state/commands';
import type { Decision } from '../../../extension/engine/state/decision';
import { draftOf, lifecycleTopic } from '../../../extension/engine/state/kinds';
import type { EventDraft, LogRecord } from '../../../extension/engine/state/record';
import { reduceRecord } from '../../../extension/engine/state/reduce';
import { initialState, pendingEntries, type SessionState } from '../../../extension/engine/state/state';
import { updatesOf } from '../../../extension/engine/state/updates';
import type { Json, JsonObject, Message } from '../../../extension/engine/transcript/message';
import { isObject } from '../../../extension/engine/transcript/message';
import { textOf } from './compare';
import { newId } from './ids';
import { chooseProviders } from './providers';

/** What a step answered, and the ids that it gave to something new. */
export interface StepOutcome {
  readonly answer: Json;
  readonly ids: readonly string[];
}

const sources = { newId };

/** One session as a host runs it: its log, the state reduced from it, its registered providers. */
export class VectorSession {
  state: SessionState;
  readonly options: Json;
  readonly #session: JsonObject;
  #records: LogRecord[] = [];
  #seen = 0;
  #updates: Json[] = [];
  #providers: ReminderProvider[];

  constructor(given: JsonObject) {
    this.state = initialState(typeof given['session_id'] === 'string' ? given['session_id'] : 's1');
    this.options = given['reminders'] ?? false;
    this.#session = isObject(given['session']) ? given['session'] : {};
    this.#providers = list(given['providers']).filter(isObject).map(providerOf);
    if (given['deliverable'] === false) this.write([draftOf(this.state, 'session.opened', { deliverable: false })]);
    for (const message of list(given['messages'])) this.take(decideAppend(this.state, message as Message));
    for (const value of list(given['pending'])) {
      this.write([draftOf(this.state, 'transcript.event', { event: reminderEvent(value, sources), pending: true })]);
    }
    this.#seen = this.#records.length;
  }

  take<Answer>(decision: Decision<Answer>): Answer {
    this.write(decision.drafts);
    return decision.answer;
  }

  write(drafts: readonly EventDraft[]): void {
    for (const { kind, payload, headers } of drafts) {
      const record = { id: newId(), event: { kind, payload, headers: headers ?? {}, occurred_at_ms: 0 } };
      this.#records.push(record);
      this.state = reduceRecord(this.state, record);
      this.#updates.push(...updatesOf(this.state, record.event));
    }
  }

  restart(): void {
    const lines = this.#records.map((record) => JSON.stringify(record));
    this.#records = lines.map((line) => JSON.parse(line) as LogRecord);
    this.state = this.#records.reduce(reduceRecord, initialState(this.state.session_id));
  }

  register(given: JsonObject): void {
    const provider = providerOf(given);
    this.#providers = [...this.#providers.filter(({ id }) => id !== provider.id), provider];
  }

  fire(event: string, payload: JsonObject): Fired {
    const options = isObject(this.options) ? this.options : {};
    const providers = chooseProviders(this.options, this.#providers);
    return this.take(
      fireProviders(this.state, { event, payload, providers, options, session: this.#session }, sources),
    );
  }

  recordsSince(only: readonly Json[] | null): readonly Json[] {
    const fresh = this.#records.slice(this.#seen).filter(({ event }) => event.headers['topic'] === lifecycleTopic);
    this.#seen = this.#records.length;
    return fresh
      .filter(({ event }) => only === null || only.includes(event.kind))
      .map(({ event }) => ({ kind: event.kind, payload: event.payload }));
  }

  updatesSince(): readonly Json[] {
    const fresh = this.#updates;
    this.#updates = [];
    return fresh;
  }
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function providerOf(given: JsonObject): ReminderProvider {
  return {
    id: textOf(given['id']),
    subscribes_to: list(given['subscribes_to']).map(String),
    evaluate: () => given['returns'],
  };
}

/** All sessions of one vector. */
export class VectorSessions {
  readonly #sessions = new Map<string, VectorSession>();
  readonly #first: string;

  constructor(given: JsonObject) {
    const session = new VectorSession(given);
    this.#first = session.state.session_id;
    this.#sessions.set(this.#first, session);
  }

  /** Does one step; throws what the call fails with. */
  run(step: JsonObject): StepOutcome {
    const id = typeof step['in'] === 'string' ? step['in'] : this.#first;
    const session = this.#sessions.get(id);
    const run = Object.hasOwn(steps, textOf(step['do'])) ? steps[textOf(step['do'])] : undefined;
    if (run === undefined) throw new Error(`unknown step ${textOf(step['do'])}`);
    if (session === undefined) throw unknownSessionFault(id);
    if (step['do'] === 'spawn_child') return this.#spawn(session, step);
    const outcome = run(session, step);
    return { answer: outcome.answer, ids: outcome.ids ?? [] };
  }

  #spawn(parent: VectorSession, step: JsonObject): StepOutcome {
    const child = new VectorSession({ session_id: textOf(step['id']), messages: step['messages'] ?? [] });
    this.#sessions.set(child.state.session_id, child);
    const copies = handoffOf(parent.state);
    child.take(decideInherit(child.state, copies, sources));
    return { answer: { reminder_propagation: copies.map(payloadOf) }, ids: [] };
  }
}

type Step = (session: VectorSession, step: JsonObject) => { readonly answer: Json; readonly ids?: readonly string[] };

const steps: Readonly<Record<string, Step>> = {
  inject: (session, step) => {
    const answer = session.take(decideInject(session.state, step['options'], sources));
    return { answer: { ...answer }, ids: [answer.reminder_id] };
  },
  clear: (session, step) => ({ answer: { ...session.take(decideClear(session.state, step['selector'])) } }),
  remind: (session, step) => {
    const params = { ...(step['params'] as JsonObject), sessionId: session.state.session_id };
    if (step['notification'] !== true) {
      const answer = session.take(decideRemind(session.state, params, sources));
      return { answer: { ...answer }, ids: [answer.reminderId] };
    }
    try {
      const { reminderId } = session.take(decideRemind(session.state, params, sources));
      return { answer: { response: null }, ids: [reminderId] };
    } catch {
      return { answer: { response: null } };
    }
  },
  inject_user: (session, step) => {
    const { content, mode } = step;
    const answer = session.take(decideInjectUser(session.state, { content, mode }, sources));
    return { answer: { ...answer }, ids: [answer.messageId] };
  },
  revoke: (session, step) => ({ answer: { ...session.take(decideRevoke(session.state, step['id'])) } }),
  pending: (session) => ({ answer: { ...pendingInjections(session.state) } }),
  seam: (session, step) => {
    const finishing = step['finishing'] === true;
    return { answer: { ...session.take(decideSeam(session.state, step['name'] as Seam, { finishing })) } };
  },
  add_message: (session, step) => ({
    answer: { ...session.take(decideAppend(session.state, step['message'] as Message)) },
  }),
  build_prompt: buildPrompt,
  tool_batch: runBatch,
  hook: (session, step) => {
    const { event, value, tool_call_id: call } = step;
    const hook = { event: textOf(event), value, tool_call_id: typeof call === 'string' ? call : null };
    const { receipt } = session.take(decideHook(session.state, hook, sources));
    const { reminders } = receipt.audit;
    return { answer: { receipt: { audit: { reminders } } }, ids: reminders.map(({ reminder_id }) => reminder_id) };
  },
  provider_event: (session, step) => {
    const payload = isObject(step['payload']) ? step['payload'] : {};
    const { error, ...answer } = session.fire(textOf(step['event']), payload);
    if (error !== null) throw error;
    return { answer: answer as unknown as Json, ids: answer.reports.map(({ reminder_id }) => reminder_id) };
  },
  set_provider: (session, step) => {
    session.register(step);
    return { answer: {} };
  },
  end_turn: (session) => ({ answer: { ...session.take(decideEndTurn(session.state)) } }),
  compact: (session, step) => {
    const outcome = (step['outcome'] ?? 'done') as CompactionOutcome;
    const summary = typeof step['summary'] === 'string' ? step['summary'] : null;
    const messages = list(step['messages']) as readonly Message[];
    const answer = session.take(decideCompact(session.state, { outcome, messages, summary }));
    if (answer.changed) {
      const { archived_messages } = answer;
      session.fire('post_compact', { archived_messages, ...(summary === null ? {} : { summary }) });
    }
    return { answer: { ...answer } };
  },
  spawn_child: () => ({ answer: {} }),
  restart: (session) => {
    session.restart();
    return { answer: {} };
  },
  state: (session) => {
    const entries = pendingEntries(session.state);
    const messages = session.state.messages.toArray().map(({ [DIRECTIVE_IDS]: _ids, ...message }) => message);
    const events = entries.map((entry) => eventOf(entry.reminder, entry.event_id));
    return {
      answer: {
        reminders: entries.map((entry) => payloadOf(entry.reminder)),
        messages,
        roles: messages.map((message) => message['role'] ?? null),
        metadata_equals_reminder: events.every(
          (event) => JSON.stringify(event.metadata) === JSON.stringify(event.reminder),
        ),
      },
    };
  },
  log: (session, step) => ({
    answer: { records: session.recordsSince(Array.isArray(step['only']) ? list(step['only']) : null) },
  }),
  updates: (session) => ({ answer: { updates: session.updatesSince() } }),
};

function buildPrompt(session: VectorSession, step: JsonObject): ReturnType<Step> {
  const turn_number = typeof step['turn'] === 'number' ? step['turn'] : undefined;
  const before = session.state.messages.length;
  const { envelope } = session.take(decidePlacement(session.state));
  const messages = sentMessages(session.state);
  const { fired } = session.take(decideRequest(session.state, { valid: step['valid'] !== false, turn_number }));
  return { answer: { appended: session.state.messages.length - before, envelope, fired, messages } };
}

function runBatch(session: VectorSession, step: JsonObject): ReturnType<Step> {
  const calls = list(step['calls']).filter(isObject);
  const texts = isObject(step['results']) ? step['results'] : {};
  const tool_calls = calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args ?? {}) },
  }));
  session.take(decideAppend(session.state, { role: 'assistant', content: '', tool_calls }));
  const before = session.state.messages.length;
  const { delivered, skips_batch } = session.take(decideSeam(session.state, 'pre_tool_dispatch'));
  let handler_calls = 0;
  for (const { id, name } of skips_batch ? [] : calls) {
    handler_calls++;
    const content = texts[textOf(id)] ?? 'ok';
    session.take(decideAppend(session.state, { role: 'tool', tool_call_id: id, name, content }));
  }
  const results = session.state.messages.slice(before).filter((message) => message['role'] === 'tool');
  return { answer: { skipped: skips_batch, handler_calls, results, delivered } };
}
