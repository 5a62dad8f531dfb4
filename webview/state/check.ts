import type { Method, ToWebview } from '../../extension/protocol';
import { any, flag, list, nullable, number, object, oneOf, type Shape, text } from './shape';

const speaker = oneOf('user', 'assistant', 'result', 'system', 'engine');
const rowState = oneOf('kept', 'hidden', 'redacted', 'synthetic', 'directive');

const directive = object({
  reminder_id: text,
  state: text,
  body: text,
  tags: list(text),
  dedupe_key: nullable(text),
  ttl_turns: nullable(number),
  preserve_on_compact: flag,
  propagate: text,
  authority: oneOf('contract', 'corrective', 'advisory'),
  role_hint: text,
  source: text,
  origin: nullable(text),
  mode: nullable(text),
  hold: nullable(text),
  fire_turn: nullable(number),
  reason: nullable(text),
  delivered_turn: nullable(number),
  can_revoke: flag,
  can_fire: flag,
});

const side = object({ blocks: list(object({ kind: text, text, length: number })), tokens: nullable(number) });

const row = object({
  key: text,
  kind: text,
  state: rowState,
  speaker,
  message: nullable(number),
  raw: nullable(side),
  projected: nullable(side),
  cause: nullable(object({ text, message: nullable(number) })),
  notes: list(text),
  directives: list(directive),
  time_ms: nullable(number),
});

const view = object({
  revision: number,
  session: nullable(
    object({
      id: text,
      title: text,
      agent: text,
      status: oneOf('running', 'idle', 'ended', 'failed'),
      fidelity: text,
      live: flag,
      no_route: nullable(text),
      no_composer: nullable(text),
      model: nullable(text),
    }),
  ),
  lanes: list(object({ id: text, label: text, kind: text, messages: nullable(number) })),
  lane: nullable(text),
  policies: list(
    object({
      name: text,
      description: text,
      options: list(object({ key: text, type: text, default: any, choices: list(text), description: text })),
    }),
  ),
  projection: object({
    policy: text,
    options: object({}),
    standing: oneOf('as_sent', 'applied', 'preview'),
    can_apply: flag,
    no_apply: nullable(text),
    computing: flag,
    kept: number,
    hidden: number,
    redacted: number,
    synthetic: number,
    archived: number,
    reclaimed_tokens: number,
    reread_tokens: number,
    prefix_hash: nullable(text),
    relation: nullable(oneOf('initial', 'append_only', 'diverged')),
    diverged_at: nullable(number),
    spared: number,
    blocked_by: nullable(number),
    error: nullable(text),
  }),
  turn: object({
    count: number,
    shown: nullable(number),
    verified: nullable(flag),
    first: number,
    bars: list(object({ tokens: number, diverged: flag })),
  }),
  usage: nullable(object({ tokens: number, window: nullable(number), source: oneOf('reported', 'estimated') })),
  rows: object({ count: number, total: number }),
  messages: object({ raw: number, projected: number }),
  filter: object({ speakers: list(speaker), states: list(rowState) }),
  directives: object({ pending: number, total: number }),
  lifecycle: object({ total: number }),
  issues: object({ total: number, first: list(object({ line: nullable(number), kind: text, text })) }),
  progress: nullable(number),
  permissions: list(object({ id: text, tool: text, title: text, detail: text })),
  error: nullable(text),
});

const messages: Readonly<Record<ToWebview['type'], Shape>> = {
  view: object({ view }),
  answer: object({ id: number }),
  failure: object({ id: number, error: text }),
  reveal: object({ row: number }),
  tab: object({ tab: oneOf('transcript', 'directives', 'lifecycle') }),
  focus: object({ target: oneOf('search', 'composer', 'policy', 'form') }),
};

const firing = object({ turn: number, starts_turn: flag, others: number });

const results: Partial<Record<Method, Shape>> = {
  rows: object({ revision: number, start: number, rows: list(row) }),
  body: object({ text, next: nullable(number) }),
  locate: object({ row: nullable(number) }),
  search: object({ row: nullable(number), wrapped: flag, matches: number, position: number }),
  directives: object({ revision: number, directives: list(directive) }),
  lifecycle: object({
    total: number,
    kinds: list(text),
    start: number,
    rows: list(object({ record_id: text, kind: text, reminder_id: nullable(text), occurred_at_ms: number, text })),
  }),
  remind: object({ reminder_id: text }),
  revoke: object({ status: text }),
  fire_preview: firing,
  fire: firing,
};

export type Checked<T> = { readonly value: T } | { readonly fault: string };

/** Is this one of the messages that the host may send? */
export function checkMessage(message: unknown): Checked<ToWebview> {
  const type = typeof message === 'object' && message !== null ? (message as { type?: unknown }).type : undefined;
  if (typeof type !== 'string') return { fault: 'a message without a type' };
  if (!Object.hasOwn(messages, type)) return { fault: `a message of the unknown type "${type.slice(0, 40)}"` };
  const fault = messages[type as ToWebview['type']](message, '');
  return fault ? { fault: `${type}: ${fault}` } : { value: message as ToWebview };
}

/** What is wrong with an answer; null: nothing. */
export function checkResult(method: Method, result: unknown): string | null {
  return results[method]?.(result, '') ?? null;
}
