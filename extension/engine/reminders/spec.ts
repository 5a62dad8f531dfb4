import { codedFault, plainFault, type DiagnosticCode, type ReminderFault } from '../diagnostics';
import { isObject, type JsonObject } from '../transcript/message';

/** Precedence of a directive: contract over corrective over advisory. */
export const authorities = ['contract', 'corrective', 'advisory'] as const;
/** One of the three authorities. */
export type Authority = (typeof authorities)[number];

/** What sub-agents inherit. */
const propagations = ['all', 'session', 'none'] as const;
/** One of the three reaches. */
export type Propagate = (typeof propagations)[number];

/** Kept for replay; it selects only the speaker of the envelope. */
const roleHints = ['system', 'developer', 'user_block', 'ephemeral_cache'] as const;
/** One of the four role hints. */
export type RoleHint = (typeof roleHints)[number];

/** Where a reminder came from. */
const reminderSources = ['stdlib_provider', 'hook', 'bridge', 'in_pipeline', 'inherited'] as const;
/** One of the five origins. */
export type ReminderSource = (typeof reminderSources)[number];

/** A reminder with all its twelve fields. */
export interface Reminder {
  /** The reminder's own id, not the transcript event's. */
  readonly id: string;
  /** Text for the model. */
  readonly body: string;
  readonly tags: readonly string[];
  readonly dedupe_key: string | null;
  /** Assistant turns after delivery; null: until cleared or compacted. */
  readonly ttl_turns: number | null;
  readonly preserve_on_compact: boolean;
  readonly propagate: Propagate;
  readonly authority: Authority;
  readonly role_hint: RoleHint;
  readonly source: ReminderSource;
  /** Turn at which it was created. */
  readonly fired_at_turn: number;
  /** Set on inherited copies: the session that had it first. */
  readonly originating_agent_id: string | null;
}

/** Who hands a reminder in; each has its own row in the table of policies. */
export type Producer = 'pipeline' | 'hook' | 'provider' | 'bridge' | 'lenient';

/** What the parser needs beside the value. */
export interface ParseContext {
  /** A fresh UUID v7. */
  readonly newId: () => string;
  /** Hook or provider event in snake_case; named in the message of a fault. */
  readonly event?: string;
  /** For providers: the payload of the event; `iteration`, else `turn`, becomes `fired_at_turn`. */
  readonly payload?: unknown;
  /** Start of the message of a fault; each producer has its own when absent. */
  readonly context?: string;
}

/** The eight options that every producer may give. */
export const reminderOptions = [
  'body',
  'tags',
  'dedupe_key',
  'ttl_turns',
  'preserve_on_compact',
  'propagate',
  'authority',
  'role_hint',
] as const;

interface ProducerPolicy {
  readonly keys: ReadonlySet<string>;
  /** Code of a shape fault; null: a plain fault. */
  readonly shape: DiagnosticCode | null;
  readonly trimsBody: boolean;
  readonly source: ReminderSource;
  readonly context: (event: string | undefined) => string;
}

const eight: ReadonlySet<string> = new Set(reminderOptions);

const policies: Readonly<Record<Exclude<Producer, 'lenient'>, ProducerPolicy>> = {
  pipeline: {
    keys: eight,
    shape: 'HARN-RMD-001',
    trimsBody: false,
    source: 'in_pipeline',
    context: () => 'injectReminder',
  },
  hook: {
    keys: eight,
    shape: null,
    trimsBody: false,
    source: 'hook',
    context: (event) => `hook ${event ?? 'effect'}`,
  },
  provider: {
    keys: eight,
    shape: 'HARN-RMD-006',
    trimsBody: false,
    source: 'stdlib_provider',
    context: (event) => (event === undefined ? 'provider' : `provider on ${event}`),
  },
  bridge: {
    keys: new Set([...reminderOptions, '_meta', 'id', 'fired_at_turn', 'source']),
    shape: 'HARN-RMD-002',
    trimsBody: true,
    source: 'bridge',
    context: () => 'session/remind',
  },
};

/**
 * Reads a reminder as one producer hands it in. Throws a `ReminderFault` for the first check that fails (never for
 * `lenient`, where a bad value becomes the default).
 */
export function parseReminder(producer: Producer, value: unknown, given: ParseContext): Reminder {
  if (producer === 'lenient') return parseLenient(value, given);
  const policy = policies[producer];
  const context = given.context ?? policy.context(given.event);
  const fault = (detail: string): ReminderFault =>
    policy.shape === null ? plainFault(context, detail) : codedFault(context, policy.shape, detail);

  if (value === undefined || value === null) throw fault('reminder options are required');
  if (!isObject(value)) throw fault('reminder options must be an object');
  checkKeys(value, policy, context, fault);

  const tags = readTags(value['tags'], fault);
  const dedupe_key = readString(value['dedupe_key'], 'dedupe_key', fault);
  const ttl_turns = readTtl(value['ttl_turns'], fault);
  const preserve_on_compact = readFlag(value['preserve_on_compact'], 'preserve_on_compact', fault);
  const propagate = readPropagate(value['propagate'], context);
  const role_hint = readChoice(value['role_hint'], 'role_hint', roleHints, fault) ?? 'system';
  const authority = readChoice(value['authority'], 'authority', authorities, fault) ?? 'contract';
  const body = value['body'];
  if (typeof body !== 'string' || body.trim() === '') throw fault('`body` must be a non-empty string');
  const own = producer === 'bridge' ? readBridgeFields(value, fault) : null;
  return {
    id: own?.id ?? given.newId(),
    body: policy.trimsBody ? body.trim() : body,
    tags,
    dedupe_key,
    ttl_turns,
    preserve_on_compact,
    propagate,
    authority,
    role_hint,
    source: policy.source,
    fired_at_turn: own?.fired_at_turn ?? (producer === 'provider' ? turnOf(given.payload) : 0),
    originating_agent_id: null,
  };
}

type Fault = (detail: string) => ReminderFault;

function checkKeys(value: JsonObject, policy: ProducerPolicy, context: string, fault: Fault): void {
  const unknown = Object.keys(value).filter((key) => !policy.keys.has(key));
  if (unknown.length === 0) return;
  const onlyContent = unknown.length === 1 && unknown[0] === 'content' && (value['body'] ?? null) === null;
  if (policy.source === 'bridge' && onlyContent) {
    throw fault('`content` is input of the user; a reminder has its text in `body`');
  }
  throw codedFault(context, 'HARN-RMD-001', `unknown option(s): ${unknown.join(', ')}`);
}

function readTags(value: unknown, fault: Fault): readonly string[] {
  if (value === undefined || value === null) return [];
  const tags = tagsOf(value);
  if (tags === null) throw fault('`tags` must be a list of non-empty strings');
  return tags;
}

function tagsOf(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const tags = new Set<string>();
  for (const tag of value as readonly unknown[]) {
    if (typeof tag !== 'string' || tag.trim() === '') return null;
    tags.add(tag.trim());
  }
  return [...tags];
}

function readString(value: unknown, name: string, fault: Fault): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw fault(`\`${name}\` must be a string`);
  return textOf(value);
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text === '' ? null : text;
}

function readTtl(value: unknown, fault: Fault): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw fault('`ttl_turns` must be an integer');
  if (value <= 0) throw fault('`ttl_turns` must be > 0');
  return value;
}

function readFlag(value: unknown, name: string, fault: Fault): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw fault(`\`${name}\` must be a boolean`);
  return value;
}

function readPropagate(value: unknown, context: string): Propagate {
  const fault: Fault = () => codedFault(context, 'HARN-RMD-005', '`propagate` must be one of all, session, or none');
  return readChoice(value, 'propagate', propagations, fault) ?? 'session';
}

function readChoice<T extends string>(value: unknown, name: string, allowed: readonly T[], fault: Fault): T | null {
  if (value === undefined || value === null) return null;
  const detail = `\`${name}\` must be one of ${allowed.join(', ')}`;
  if (typeof value !== 'string') throw fault(detail);
  const text = textOf(value);
  if (text === null) return null;
  const choice = choiceOf(text, allowed);
  if (choice === null) throw fault(detail);
  return choice;
}

function choiceOf<T extends string>(value: unknown, allowed: readonly T[]): T | null {
  const text = textOf(value);
  return allowed.find((choice) => choice === text) ?? null;
}

function readBridgeFields(value: JsonObject, fault: Fault): { id: string | null; fired_at_turn: number } {
  const meta = value['_meta'];
  if (meta !== undefined && meta !== null && !isObject(meta)) throw fault('`_meta` must be an object');
  const id = readString(value['id'], 'id', fault);
  const turn = value['fired_at_turn'];
  if (turn !== undefined && turn !== null && !isTurn(turn)) throw fault('`fired_at_turn` must be an integer >= 0');
  const source = readString(value['source'], 'source', fault);
  if (source !== null && source !== 'bridge') throw fault('`source` must be bridge');
  return { id, fired_at_turn: isTurn(turn) ? turn : 0 };
}

function isTurn(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function turnOf(payload: unknown): number {
  if (!isObject(payload)) return 0;
  if (isTurn(payload['iteration'])) return payload['iteration'];
  return isTurn(payload['turn']) ? payload['turn'] : 0;
}

function parseLenient(value: unknown, given: ParseContext): Reminder {
  const source: JsonObject = isObject(value) ? value : {};
  const ttl = source['ttl_turns'];
  const turn = source['fired_at_turn'];
  return {
    id: textOf(source['id']) ?? given.newId(),
    body: typeof source['body'] === 'string' ? source['body'] : '',
    tags: tagsOf(source['tags']) ?? [],
    dedupe_key: textOf(source['dedupe_key']),
    ttl_turns: typeof ttl === 'number' && Number.isSafeInteger(ttl) && ttl > 0 ? ttl : null,
    preserve_on_compact: source['preserve_on_compact'] === true,
    propagate: choiceOf(source['propagate'], propagations) ?? 'session',
    authority: choiceOf(source['authority'], authorities) ?? 'contract',
    role_hint: choiceOf(source['role_hint'], roleHints) ?? 'system',
    source: choiceOf(source['source'], reminderSources) ?? 'in_pipeline',
    fired_at_turn: isTurn(turn) ? turn : 0,
    originating_agent_id: textOf(source['originating_agent_id']),
  };
}
