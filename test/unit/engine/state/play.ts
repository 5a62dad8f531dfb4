import type { Decision } from '../../../../extension/engine/state/decision';
import { draftOf } from '../../../../extension/engine/state/kinds';
import { List } from '../../../../extension/engine/state/list';
import { OrderedMap, PersistentMap } from '../../../../extension/engine/state/map';
import type { EventDraft, LogRecord } from '../../../../extension/engine/state/record';
import { reduceRecord } from '../../../../extension/engine/state/reduce';
import { initialState, type SessionState } from '../../../../extension/engine/state/state';
import { decideAppend } from '../../../../extension/engine/state/commands';
import { decideRemind } from '../../../../extension/engine/reminders/bridge';
import { decideInject } from '../../../../extension/engine/reminders/inject';
import { decidePlacement, decideRequest } from '../../../../extension/engine/reminders/placement';
import { decideEndTurn, type TurnEnd } from '../../../../extension/engine/reminders/turnBoundary';
import type { JsonObject, Message } from '../../../../extension/engine/transcript/message';

/** A session as whoever keeps a log runs it; ids count up, each record is one millisecond later. */
export class Play {
  readonly records: LogRecord[] = [];
  state: SessionState;
  #ids = 0;

  constructor(messages: readonly Message[] = [{ role: 'user', content: 'Begin.' }]) {
    this.state = initialState('s1');
    for (const message of messages) this.do((state) => decideAppend(state, message));
  }

  readonly sources = { newId: (): string => `id-${++this.#ids}` };

  do<Answer>(decide: (state: SessionState, sources: { readonly newId: () => string }) => Decision<Answer>): Answer {
    const { drafts, answer } = decide(this.state, this.sources);
    this.write(drafts);
    return answer;
  }

  write(drafts: readonly EventDraft[]): void {
    for (const { kind, payload, headers } of drafts) {
      const at = this.records.length;
      const record = { id: `r${at}`, event: { kind, payload, headers: headers ?? {}, occurred_at_ms: at } };
      this.records.push(record);
      this.state = reduceRecord(this.state, record);
    }
  }

  add(message: Message): void {
    this.do((state) => decideAppend(state, message));
  }

  inject(options: JsonObject): string {
    return this.do((state, sources) => decideInject(state, options, sources)).reminder_id;
  }

  remind(params: JsonObject): string {
    return this.do((state, sources) => decideRemind(state, params, sources)).reminderId;
  }

  open(payload: JsonObject): void {
    this.write([draftOf(this.state, 'session.opened', payload)]);
  }

  /** Builds a prompt and makes the request; gives the new envelope and what was fired. */
  prompt(valid = true): { readonly envelope: string | null; readonly fired: readonly string[] } {
    const { envelope } = this.do(decidePlacement);
    const { fired } = this.do((state) => decideRequest(state, { valid }));
    return { envelope, fired };
  }

  /** The model answers and the turn ends. */
  endTurn(): TurnEnd {
    this.add({ role: 'assistant', content: 'Done.' });
    return this.do((state) => decideEndTurn(state));
  }

  kinds(from = 0): readonly string[] {
    return this.records.slice(from).map((record) => record.event.kind);
  }
}

/** The state that a log leads to, read back from its text. */
export function replay(records: readonly LogRecord[]): SessionState {
  const lines = records.map((record) => JSON.stringify(record));
  return lines.map((line) => JSON.parse(line) as LogRecord).reduce(reduceRecord, initialState('s1'));
}

/** A state as plain values, to compare and to freeze. */
export function plainOf(value: unknown): unknown {
  if (value instanceof List) return value.toArray().map(plainOf);
  if (value instanceof OrderedMap) return value.entries().map(plainOf);
  if (value instanceof PersistentMap) {
    return [...(value as PersistentMap<unknown>).entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(plainOf);
  }
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainOf(member)]));
}
