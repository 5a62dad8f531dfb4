import { comparePrefix } from '../engine/projection/compare';
import { parseOptions } from '../engine/projection/options';
import type { ProjectionOptions } from '../engine/projection/options';
import { projectMessages } from '../engine/projection/project';
import { asSent } from '../engine/reminders/guard';
import { decideProjection } from '../engine/state/commands';
import { charsOf, tokensOf } from '../engine/transcript/estimate';
import type { JsonObject, Message } from '../engine/transcript/message';
import { isObject } from '../engine/transcript/message';
import type { SessionDeps } from './deps';
import type { Lists } from './projectionPacking';
import { MATERIAL, partOptions } from './projectionMaterial';
import { listsOf, packProjection, unpackLists } from './projectionPacking';
import type { RecordedSession } from './recordedSession';

/** What a request sends. */
export interface Prompt {
  /** As they are sent: projected, look-alikes in results disarmed, bookkeeping removed. */
  readonly messages: readonly Message[];
  /** Reminders in the envelope that this prompt added; empty when it added none. */
  readonly reminder_ids: readonly string[];
  /** The recorded projection, lists in full. */
  readonly projection: JsonObject;
}

/** Builds the requests of one session and records how each was projected. */
export class Prompts {
  private last: { readonly number: number; readonly lists: Lists; readonly messages: readonly Message[] } | null = null;
  /** What the last request that a provider took had sent, and its number. */
  private sent: { readonly request: number; readonly messages: readonly Message[] } | null = null;

  constructor(
    private readonly session: RecordedSession,
    private readonly deps: SessionDeps,
  ) {}

  get policy(): JsonObject {
    const { policy = 'raw', respect_provider_signatures = 'per_turn' } = this.deps.defaults ?? {};
    return { respect_provider_signatures, ...(this.session.state.policy ?? { policy }) };
  }

  /** Throws a `ProjectionError` for options that no projection takes. */
  check(options: unknown): ProjectionOptions {
    return parseOptions(options);
  }

  build(reminder_ids: readonly string[]): Prompt {
    const { state } = this.session;
    const summary = state.compactions.last?.summary ?? null;
    const options = this.check(this.policy);
    const projected = projectMessages(state.messages.toArray(), summary, options, this.deps);
    const { metadata } = projected.event;
    const number = state.projections.length;
    const prefix = comparePrefix(this.before(), projected.messages);
    const estimated_tokens = tokensOf(projected.messages.reduce((sum, message) => sum + charsOf(message), 0));
    const packed = packProjection(metadata, this.listsBefore(number));
    const extra = { event_id: projected.event.id, prefix: { ...prefix }, estimated_tokens };
    const parted = partOptions(isObject(metadata['options']) ? metadata['options'] : {}, this.deps.createHash);
    const materials = [...parted.materials].filter(([hash]) => !this.session.hasMaterial(hash));
    this.session.decide((now) => {
      const { drafts } = decideProjection(now, { ...packed, ...extra, options: parted.options });
      const kept = materials.map(([hash, value]) => ({ kind: MATERIAL, payload: { hash, value } }));
      return { drafts: [...kept, ...drafts], answer: null };
    });
    this.last = { number, lists: listsOf(metadata), messages: projected.messages };
    return { messages: projected.messages.map(asSent), reminder_ids, projection: metadata };
  }

  /** What the request before this one sent; null when there was none. */
  private before(): readonly Message[] | null {
    const { requests } = this.session.state;
    const request = requests.toArray().findLastIndex((mark) => mark.valid);
    const mark = requests.at(request);
    if (!mark) return null;
    if (this.sent?.request === request) return this.sent.messages;
    const options = this.session.projectionOptions(mark.projections - 1);
    const known = this.last?.number === mark.projections - 1 ? this.last.messages : null;
    const messages = known ?? projectMessages(mark.messages.toArray(), null, this.check(options), this.deps).messages;
    this.sent = { request, messages };
    return messages;
  }

  private listsBefore(number: number): { readonly lists: Lists; readonly number: number } | null {
    if (number === 0) return null;
    if (this.last?.number === number - 1) return this.last;
    const at = (index: number): JsonObject | undefined => {
      const value = this.session.state.projections.at(index);
      return isObject(value) ? value : undefined;
    };
    return { number: number - 1, lists: unpackLists(number - 1, at) };
  }
}
