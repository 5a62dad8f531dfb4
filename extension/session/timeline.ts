import { compactJson } from '../engine/transcript/canonical';
import { DIRECTIVE_IDS } from '../engine/reminders/envelope';
import { isObject } from '../engine/transcript/message';
import type { Json, JsonObject, Message } from '../engine/transcript/message';
import type { LogRecord } from '../engine/state/record';

/** One thing of our own session that is worth a row, in order. */
export type Moment =
  | { readonly kind: 'message'; readonly message: number; readonly time_ms: number; readonly model: string | null }
  | { readonly kind: 'boundary'; readonly text: string; readonly time_ms: number }
  | { readonly kind: 'record'; readonly name: string; readonly text: string; readonly time_ms: number };

/** A request that a provider took. */
export interface RequestMoment {
  readonly turn_number: number;
  /** Messages of the timeline before it: the answer, when it comes, has this number. */
  readonly end: number;
  /** First of these that was in the context. */
  readonly context_start: number;
  /** Number of the recorded projection that it was built by; null: none was recorded. */
  readonly projection: number | null;
  /** Tokens of the request and its answer as the provider reported them. */
  tokens: number | null;
}

/** Records beside messages that are worth a row; each has a plain sentence in `payload.text`. */
const ROWS = new Set(['run.ended', 'model.failed', 'session.repaired', 'permission.answered']);

const USAGE = [
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens',
] as const satisfies readonly string[];

/** Tokens in all that a usage record speaks of; null when it names none. */
function tokensOfUsage(usage: JsonObject): number | null {
  const figures = USAGE.map((key) => usage[key]).filter((figure) => typeof figure === 'number');
  return figures.length === 0 ? null : figures.reduce((sum, figure) => sum + figure, 0);
}

function idsOf(message: Json | undefined): readonly string[] {
  const ids = isObject(message) ? message[DIRECTIVE_IDS] : null;
  return Array.isArray(ids) ? (ids as readonly Json[]).filter((id) => typeof id === 'string') : [];
}

/**
 * All messages that our own session ever had, in order: those that compaction archived, its boundary, and what it put in
 * their place; with the requests that were made. Follows from the log, as the state does.
 */
export class Timeline {
  readonly messages: Message[] = [];
  readonly moments: Moment[] = [];
  readonly requests: RequestMoment[] = [];
  /** Moment of each message. */
  private readonly places: number[] = [];
  private readonly starts: number[] = [0];
  private projections = 0;
  private readonly envelopes = new Map<number, readonly string[]>();

  /** First message of the present context. */
  get contextStart(): number {
    return this.starts.at(-1) ?? 0;
  }

  /** First message of the context that a message came into. */
  contextStartAt(message: number): number {
    return this.starts.findLast((start) => start <= message) ?? 0;
  }

  /** Moment of a message. */
  momentOf(message: number): number {
    return this.places[message] ?? this.moments.length;
  }

  /** Tokens that were last reported for a request at or before this message. */
  usageAt(message: number): number | null {
    return this.requests.findLast((request) => request.end <= message && request.tokens !== null)?.tokens ?? null;
  }

  /** Ids of the reminders in an envelope that the engine issued; null for any other message. */
  envelopeAt(message: number): readonly string[] | null {
    return this.envelopes.get(message) ?? null;
  }

  /** The last envelope that holds a reminder; null: none does. */
  messageOfReminder(reminder_id: string): number | null {
    return [...this.envelopes].findLast(([, ids]) => ids.includes(reminder_id))?.[0] ?? null;
  }

  /** Takes one more record of the log. */
  take({ event }: LogRecord): void {
    const { kind, payload, occurred_at_ms: time_ms } = event;
    switch (kind) {
      case 'message.appended':
        if (payload['origin'] === 'envelope') this.envelopes.set(this.messages.length, idsOf(payload['message']));
        this.add(payload['message'], time_ms, typeof payload['model'] === 'string' ? payload['model'] : null);
        break;
      case 'transcript.compaction':
        this.compact(payload, time_ms);
        break;
      case 'transcript.projection':
        this.projections++;
        break;
      case 'request.sent':
        this.requests.push({
          turn_number: typeof payload['turn_number'] === 'number' ? payload['turn_number'] : this.requests.length + 1,
          end: this.messages.length,
          context_start: this.contextStart,
          projection: this.projections === 0 ? null : this.projections - 1,
          tokens: null,
        });
        break;
      case 'usage.reported': {
        const request = this.requests.at(-1);
        if (request) request.tokens = tokensOfUsage(payload) ?? request.tokens;
        break;
      }
      default:
        if (ROWS.has(kind) && !(kind === 'run.ended' && payload['reason'] === 'finished')) {
          const text = typeof payload['text'] === 'string' ? payload['text'] : compactJson(payload);
          this.moments.push({ kind: 'record', name: kind, text, time_ms });
        }
    }
  }

  private add(message: Json | undefined, time_ms: number, model: string | null): void {
    if (!isObject(message)) return;
    this.places.push(this.moments.length);
    this.moments.push({ kind: 'message', message: this.messages.length, time_ms, model });
    this.messages.push(message);
  }

  private compact(payload: JsonObject, time_ms: number): void {
    const archived = this.messages.length - this.contextStart;
    this.moments.push({ kind: 'boundary', text: `Compaction archived ${archived} messages.`, time_ms });
    this.starts.push(this.messages.length);
    const messages = payload['messages'];
    if (Array.isArray(messages)) for (const message of messages as readonly Json[]) this.add(message, time_ms, null);
  }
}
