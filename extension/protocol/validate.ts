import * as z from 'zod';
import type { Method, Params, WebviewCommand } from './messages';

const number = z.int().min(0).max(2_147_483_647);
const count = z.int().min(1).max(5000);
const time = z.number().min(0).max(8.64e15);
const id = z.string().max(300);
const text = (most: number): z.ZodString => z.string().max(most);
const side = z.enum(['raw', 'projected']);
const nothing = z.strictObject({});
const byReminder = z.strictObject({ reminder_id: id });

const speakers = z.array(z.enum(['user', 'assistant', 'result', 'system', 'engine'])).max(5);
const states = z.array(z.enum(['kept', 'hidden', 'redacted', 'synthetic', 'directive'])).max(5);
const commands: readonly [WebviewCommand, ...WebviewCommand[]] = [
  'openSessionFile',
  'startSampleSession',
  'newSession',
  'showSessions',
];

const reminderForm = z.strictObject({
  body: text(100_000),
  tags: z.array(text(1000)).max(100),
  dedupe_key: text(1000).nullable(),
  ttl_turns: z.number().nullable(),
  preserve_on_compact: z.boolean(),
  propagate: text(100),
  authority: text(100),
  role_hint: text(100),
  mode: text(100),
});

const lifecycleFilter = z.strictObject({
  kinds: z.array(text(200)).max(200),
  reminder_id: id.nullable(),
  since_ms: time.nullable(),
  until_ms: time.nullable(),
});

const open = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('diff'), key: id }),
  z.strictObject({ what: z.literal('side'), key: id, side }),
  z.strictObject({ what: z.literal('record'), record_id: id }),
  z.strictObject({ what: z.literal('issues') }),
]);

const copy = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('row'), key: id, side }),
  z.strictObject({ what: z.literal('hash') }),
]);

const option = z.union([z.boolean(), z.number(), text(1_000_000), z.null()]);

/** The form of every request's parameters. */
const forms: { readonly [M in Method]: z.ZodType<Params<M>> } = {
  rows: z.strictObject({ start: number, count }),
  body: z.strictObject({ key: id, side, block: number, offset: number }),
  locate: z.strictObject({ message: number }),
  search: z.strictObject({ text: text(10_000), from: number, backwards: z.boolean() }),
  directives: nothing,
  lifecycle: z.strictObject({ filter: lifecycleFilter, start: number, count }),
  set_policy: z.strictObject({ policy: text(100), options: z.record(text(100), option) }),
  apply_policy: nothing,
  set_turn: z.strictObject({ turn: z.int().min(1).max(2_147_483_647).nullable() }),
  set_lane: z.strictObject({ lane: text(500) }),
  set_filter: z.strictObject({ speakers, states }),
  remind: reminderForm,
  revoke: byReminder,
  fire_preview: byReminder,
  fire: byReminder,
  send: z.strictObject({ text: text(1_000_000) }),
  stop: nothing,
  permit: z.strictObject({ id, allow: z.boolean() }),
  open,
  copy,
  link: z.strictObject({ url: text(10_000) }),
  command: z.strictObject({ command: z.enum(commands) }),
};

const envelope = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('failed'), message: text(100_000) }),
  z.object({ type: z.literal('request'), id: z.int(), method: z.string(), params: z.unknown() }),
]);

/** A request whose parameters are of the right form for its method. */
export type CheckedRequest = { [M in Method]: { readonly method: M; readonly params: Params<M> } }[Method];

/** What came from the webview, checked. `id` is there when there is a request that can be answered. */
export type Checked =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'request'; readonly id: number; readonly request: CheckedRequest }
  | { readonly kind: 'malformed'; readonly id: number | null; readonly error: string };

/** Checks anything that the webview posted. Never throws; what is malformed says what is wrong with it. */
export function checkMessage(message: unknown): Checked {
  const parsed = envelope.safeParse(message);
  if (!parsed.success) return malformed(idOf(message), 'message', parsed.error);
  const { data } = parsed;
  if (data.type === 'ready') return { kind: 'ready' };
  if (data.type === 'failed') return { kind: 'failed', message: data.message };
  const { method } = data;
  if (!isMethod(method)) {
    const name = method.length > 60 ? `${method.slice(0, 60)}…` : method;
    return { kind: 'malformed', id: data.id, error: `The inspector does not know the request "${name}".` };
  }
  const params = forms[method].safeParse(data.params);
  if (!params.success) return malformed(data.id, `request ${method}`, params.error);
  return { kind: 'request', id: data.id, request: { method, params: params.data } as CheckedRequest };
}

function isMethod(name: string): name is Method {
  return Object.hasOwn(forms, name);
}

function idOf(message: unknown): number | null {
  const parsed = z.object({ id: z.int() }).safeParse(message);
  return parsed.success ? parsed.data.id : null;
}

function malformed(id: number | null, what: string, error: z.ZodError): Checked {
  const issue = error.issues[0];
  const place = issue && issue.path.length > 0 ? ` at ${issue.path.map(String).join('.')}` : '';
  return {
    kind: 'malformed',
    id,
    error: `The ${what} is malformed${place}: ${issue?.message ?? 'unknown form'}. Nothing was done.`,
  };
}
