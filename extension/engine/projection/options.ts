import type { Json, JsonObject, Message } from '../transcript/message';
import { isObject } from '../transcript/message';
import { ProjectionError } from './error';

/** The policies, in the order in which they are offered. */
export const POLICIES = [
  'raw',
  'clean_tool_repair',
  'squash_failed_calls',
  'summary_prefix',
  'reachability_gc',
  'custom',
] as const;

/** How the model's view is chosen. */
export type Policy = (typeof POLICIES)[number];

/** What to do when signed reasoning would go: fall back to raw, keep just those turns, or nothing (local preview). */
export type SignatureRespect = true | 'per_turn' | false;

/** What a projector may return. */
export interface ProjectorOutput {
  readonly messages: readonly Message[];
  readonly reason?: string | null;
  readonly kept_indices?: readonly number[] | null;
  readonly dropped_indices?: readonly number[] | null;
}

/** The function behind policy custom. It gets a copy of the raw messages. */
export type Projector = (messages: readonly Message[]) => readonly Message[] | ProjectorOutput;

/** Root material for reachability_gc: strings are collected at any depth. */
export const ROOT_KEYS = ['roots', 'active_plan', 'scratchpad', 'pending_tool_args', 'unresolved_findings'] as const;

/** Write-barrier material for reachability_gc; also roots. */
export const BARRIER_KEYS = ['write_barrier', 'write_barrier_refs', 'barrier_refs'] as const;

type MaterialKey = (typeof ROOT_KEYS)[number] | (typeof BARRIER_KEYS)[number];

/** Options with every default filled in and aliases under their main name; null where nothing was given. */
export interface ProjectionOptions extends Readonly<Record<MaterialKey, Json>> {
  readonly policy: Policy;
  readonly respect_provider_signatures: SignatureRespect;
  readonly protect_unanswered: boolean;
  readonly reason: string | null;
  /** summary_prefix: messages kept behind the summary. */
  readonly keep_last: number;
  readonly summary: string | null;
  /** reachability_gc: messages at the end whose tokens are roots. */
  readonly root_window: number;
  /** reachability_gc: characters (code points) from which a body is worth replacing. */
  readonly min_chars: number;
  /** reachability_gc: estimated tokens, net, below which nothing is done. */
  readonly clear_at_least: number;
  readonly require_write_barrier: boolean;
  readonly projector: Projector | null;
}

const KEYS: readonly string[] = [
  'policy',
  'respect_provider_signatures',
  'protect_unanswered',
  'reason',
  'keep_last',
  'summary',
  'root_window',
  'recent_messages',
  'min_chars',
  'clear_at_least',
  ...ROOT_KEYS,
  ...BARRIER_KEYS,
  'require_write_barrier',
  'projector',
];

/**
 * Reads options as a caller gave them: a policy name, an object, or nothing (raw). Null for a known key means absent.
 * @throws {ProjectionError} naming the key and what is allowed.
 */
export function parseOptions(given: unknown): ProjectionOptions {
  const values = typeof given === 'string' ? { policy: given } : (given ?? {});
  if (typeof values !== 'object' || Array.isArray(values)) {
    throw new ProjectionError(
      'invalid_options',
      `The options must be a string (the name of a policy) or an object, not ${describe(given)}.`,
    );
  }
  for (const key of Object.keys(values)) {
    if (!KEYS.includes(key)) {
      throw new ProjectionError('unknown_option', `Unknown option ${quote(key)}. Allowed are: ${KEYS.join(', ')}.`);
    }
  }
  const reader = new OptionReader(values as Readonly<Record<string, unknown>>);
  const policy = reader.policy();
  const keepLast = reader.integer('keep_last');
  const recent = reader.integer('recent_messages');
  const options: ProjectionOptions = {
    policy,
    respect_provider_signatures: reader.respect(),
    protect_unanswered: reader.boolean('protect_unanswered') ?? true,
    reason: reader.text('reason'),
    keep_last: keepLast ?? 0,
    summary: reader.text('summary'),
    root_window: reader.integer('root_window') ?? recent ?? keepLast ?? 8,
    min_chars: reader.integer('min_chars') ?? 500,
    clear_at_least: reader.integer('clear_at_least') ?? 0,
    roots: reader.material('roots'),
    active_plan: reader.material('active_plan'),
    scratchpad: reader.material('scratchpad'),
    pending_tool_args: reader.material('pending_tool_args'),
    unresolved_findings: reader.material('unresolved_findings'),
    write_barrier: reader.material('write_barrier'),
    write_barrier_refs: reader.material('write_barrier_refs'),
    barrier_refs: reader.material('barrier_refs'),
    require_write_barrier: reader.boolean('require_write_barrier') ?? false,
    projector: reader.projector(),
  };
  if (policy === 'custom' && options.projector === null) {
    throw new ProjectionError('missing_projector', 'Policy custom needs the option projector, a function.');
  }
  return options;
}

class OptionReader {
  constructor(private readonly values: Readonly<Record<string, unknown>>) {}

  policy(): Policy {
    const value = this.values.policy ?? 'raw';
    const policy = POLICIES.find((name) => name === value);
    if (policy === undefined) {
      throw new ProjectionError(
        'unknown_policy',
        `Unknown policy ${typeof value === 'string' ? quote(value) : describe(value)}. Allowed are: ${POLICIES.join(', ')}.`,
      );
    }
    return policy;
  }

  respect(): SignatureRespect {
    const value = this.values.respect_provider_signatures ?? true;
    return value === true || value === false || value === 'per_turn'
      ? value
      : this.refuse('respect_provider_signatures', 'true, false or "per_turn"');
  }

  boolean(key: string): boolean | null {
    const value = this.values[key] ?? null;
    return value === null || typeof value === 'boolean' ? value : this.refuse(key, 'a boolean, true or false');
  }

  integer(key: string): number | null {
    const value = this.values[key] ?? null;
    return value === null || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)
      ? value
      : this.refuse(key, 'an integer of at least 0');
  }

  text(key: string): string | null {
    const value = this.values[key] ?? null;
    return value === null || typeof value === 'string' ? value || null : this.refuse(key, 'a string');
  }

  material(key: string): Json {
    const value = this.values[key] ?? null;
    return typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint'
      ? this.refuse(key, 'JSON: a string, or strings in lists and objects')
      : (value as Json);
  }

  projector(): Projector | null {
    const value = this.values.projector ?? null;
    return value === null || typeof value === 'function'
      ? (value as Projector | null)
      : this.refuse('projector', 'a function that takes the messages');
  }

  private refuse(key: string, allowed: string): never {
    throw new ProjectionError(
      'invalid_option',
      `The option ${key} must be ${allowed}, not ${describe(this.values[key])}.`,
    );
  }
}

/**
 * The options as an event records them: what the policy read, so that the event can be replayed.
 * @param summary the summary that was used, if any.
 */
export function recordedOptions(options: ProjectionOptions, summary: string | null): JsonObject {
  const recorded: Record<string, Json> = {
    policy: options.policy,
    respect_provider_signatures: options.respect_provider_signatures,
    protect_unanswered: options.protect_unanswered,
  };
  if (options.reason !== null) {
    recorded.reason = options.reason;
  }
  if (options.policy === 'summary_prefix') {
    recorded.keep_last = options.keep_last;
    if (summary !== null) {
      recorded.summary = summary;
    }
  }
  if (options.policy === 'reachability_gc') {
    recorded.root_window = options.root_window;
    recorded.min_chars = options.min_chars;
    recorded.clear_at_least = options.clear_at_least;
    for (const key of [...ROOT_KEYS, ...BARRIER_KEYS]) {
      if (options[key] !== null) {
        recorded[key] = options[key];
      }
    }
    recorded.require_write_barrier = options.require_write_barrier;
  }
  return recorded;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

/** A value in a few words, for error messages. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) {
    return String(value);
  }
  if (typeof value === 'string') {
    return `the string ${quote(value)}`;
  }
  if (typeof value === 'number' || typeof value === 'boolean') {
    return String(value);
  }
  return Array.isArray(value) ? 'a list' : isObject(value) ? 'an object' : `a ${typeof value}`;
}
