import { isObject } from './transcript/message';

/** How serious a diagnostic is; `retired` codes exist only so that old records can be read. */
export type Severity = 'error' | 'warning' | 'retired';

/** One entry of the catalogue. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** What is wrong, in one or two sentences. */
  readonly explanation: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** The codes of everything that can be wrong with a reminder. */
export type DiagnosticCode =
  | 'HARN-RMD-001'
  | 'HARN-RMD-002'
  | 'HARN-RMD-003'
  | 'HARN-RMD-004'
  | 'HARN-RMD-005'
  | 'HARN-RMD-006'
  | 'HARN-RMD-007'
  | 'HARN-RMD-008';

/** The catalogue, in order of codes. */
export const diagnostics: readonly Diagnostic[] = [
  {
    code: 'HARN-RMD-001',
    severity: 'error',
    explanation:
      'The reminder has an option that does not exist, or one of its options has the wrong type or value. Nothing was stored.',
    remedy:
      'Keep to `body`, `tags`, `dedupe_key`, `ttl_turns`, `preserve_on_compact`, `propagate`, `authority` and `role_hint`, spelled in snake_case, and give each the type that the message names.',
  },
  {
    code: 'HARN-RMD-002',
    severity: 'error',
    explanation:
      'A reminder that came over the bridge cannot be used: a value has the wrong type, the id is taken, the mode is unknown, or the text was sent as `content`.',
    remedy:
      'Send the text as a non-empty string in `body`, a fresh `id` or none, and as `mode` one of `interrupt_immediate`, `finish_step` and `audit_only`. For input of the user call `session/inject` instead.',
  },
  {
    code: 'HARN-RMD-003',
    severity: 'retired',
    explanation: 'This code is no longer given. It can still stand in records of older sessions.',
    remedy: 'Nothing needs to be done; the record can be read as it is.',
  },
  {
    code: 'HARN-RMD-004',
    severity: 'warning',
    explanation:
      'The reminder has no lifetime in turns and is not preserved: it stays in force turn after turn and then vanishes silently with the next compaction.',
    remedy:
      'Give it a `ttl_turns` when it matters for a while only, or `preserve_on_compact: true` when it must hold for the whole session.',
  },
  {
    code: 'HARN-RMD-005',
    severity: 'error',
    explanation: '`propagate` says what sub-agents inherit, and the given value is none of the three that exist.',
    remedy:
      'Write `all` (every descendant), `session` (direct sub-agents only) or `none`, or leave it out for `session`.',
  },
  {
    code: 'HARN-RMD-006',
    severity: 'error',
    explanation:
      'A reminder provider failed or returned something that is no reminder. Its event ended there; what earlier providers had injected stays.',
    remedy:
      'Let the provider return nothing, a reminder, `{reminder}`, a list of these, or `{effects}`; the message names the value at fault. Until then it can be switched off with `-id` in `reminders.providers`.',
  },
  {
    code: 'HARN-RMD-007',
    severity: 'error',
    explanation:
      'More than eight different providers are named or registered for this session. None was evaluated, since each adds to the prompt.',
    remedy: 'Register fewer providers, or take some out with `-id` in `reminders.providers`.',
  },
  {
    code: 'HARN-RMD-008',
    severity: 'error',
    explanation:
      'The hook ran for a worker lifecycle event. Such an event has no prompt that a reminder could go into, so its effects are refused.',
    remedy: 'Return the reminder from a hook on a tool, step, persona or session event.',
  },
];

const byCode: ReadonlyMap<string, Diagnostic> = new Map(diagnostics.map((entry) => [entry.code, entry]));

/** The catalogue's entry for a full code such as `HARN-RMD-001`; throws for any other text, naming it. */
export function explainDiagnostic(code: string): Diagnostic {
  const entry = byCode.get(code);
  if (entry === undefined) {
    throw new Error(
      `explainDiagnostic: ${String(code)} is not a known code; known are ${diagnostics.map((known) => known.code).join(', ')}`,
    );
  }
  return entry;
}

/** JSON-RPC error numbers used by the bridge. */
const rpcErrors = { invalidParams: -32602, unknownSession: -32004 } as const;

/** What went wrong with a reminder, a hook or a bridge call: the sender's fault, with a message that says which. */
export class ReminderFault extends Error {
  override readonly name = 'ReminderFault';
  /** The full code, or null for a plain fault (hook shapes, unknown sessions, refused revocations). */
  readonly code: DiagnosticCode | null;
  /** JSON-RPC error number that a bridge call answers with. */
  readonly rpc: number;
  /** `data.reason` of the JSON-RPC error, when it has one. */
  readonly reason: string | null;

  constructor(message: string, options: { code?: DiagnosticCode; rpc?: number; reason?: string } = {}) {
    super(message);
    this.code = options.code ?? null;
    this.rpc = options.rpc ?? rpcErrors.invalidParams;
    this.reason = options.reason ?? null;
  }
}

/** A fault with its code in the message: `<context>: <CODE>: <detail>`. */
export function codedFault(context: string, code: DiagnosticCode, detail: string): ReminderFault {
  return new ReminderFault(`${context}: ${code}: ${detail}`, { code });
}

/** A fault without a code: `<context>: <detail>`. */
export function plainFault(context: string, detail: string): ReminderFault {
  return new ReminderFault(`${context}: ${detail}`);
}

/** The fault of a bridge call to a session that does not exist (-32004). */
export function unknownSessionFault(sessionId: string): ReminderFault {
  return new ReminderFault(`unknown session: ${sessionId}`, { rpc: rpcErrors.unknownSession });
}

/** The message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  if (isObject(thrown) && typeof thrown['message'] === 'string') return thrown['message'];
  return typeof thrown === 'string' ? thrown : 'unknown fault';
}
