import type { JsonObject, Message, TranscriptEvent } from '../transcript/message';
import type { RedactionPointer } from './decision';
import type { Policy, ProjectionOptions } from './options';
import { recordedOptions } from './options';

/** What a projection came to, without the messages. Persisted. Indices are those of the raw messages, increasing. */
export interface ProjectionFigures {
  readonly policy: Policy;
  readonly reason: string;
  /** `sha256:` and hex over the canonical form of the projected messages. */
  readonly prefix_hash: string;
  /** Redacted messages are kept too. A synthetic message is in none of the lists. */
  readonly kept_indices: readonly number[];
  readonly dropped_indices: readonly number[];
  readonly redacted_indices: readonly number[];
  readonly kept_count: number;
  readonly dropped_count: number;
  /** The number of pointers. */
  readonly redacted_count: number;
  /** An estimate. */
  readonly reclaimed_tokens: number;
  /** Characters (code points), raw minus projected. */
  readonly reclaimed_chars: number;
  readonly roots_consulted: readonly string[];
  readonly redaction_pointers: readonly RedactionPointer[];
  readonly provider_safety_blocked: boolean;
}

/** A projection: what the model sees, and the event that records it. */
export interface ProjectionResult extends ProjectionFigures {
  readonly messages: readonly Message[];
  readonly event: TranscriptEvent;
}

/** The kind of the event that records a projection. */
export const PROJECTION_EVENT = 'transcript.projection';

/**
 * The event that records a projection.
 * @param summary the summary that was used, if any.
 */
export function projectionEvent(
  id: string,
  figures: ProjectionFigures,
  options: ProjectionOptions,
  summary: string | null,
): TranscriptEvent {
  const metadata: JsonObject = {
    policy: figures.policy,
    reason: figures.reason,
    prefix_hash: figures.prefix_hash,
    kept_indices: figures.kept_indices,
    dropped_indices: figures.dropped_indices,
    redacted_indices: figures.redacted_indices,
    kept_count: figures.kept_count,
    dropped_count: figures.dropped_count,
    redacted_count: figures.redacted_count,
    reclaimed_tokens: figures.reclaimed_tokens,
    reclaimed_chars: figures.reclaimed_chars,
    roots_consulted: figures.roots_consulted,
    redaction_pointers: figures.redaction_pointers,
    provider_safety_blocked: figures.provider_safety_blocked,
    respects_provider_signatures: options.respect_provider_signatures,
    summary_keep_last: options.policy === 'summary_prefix' ? options.keep_last : null,
    options: recordedOptions(options, summary),
  };
  return {
    id,
    kind: PROJECTION_EVENT,
    role: 'system',
    visibility: 'internal',
    text: figures.reason,
    blocks: [{ type: 'text', text: figures.reason, visibility: 'internal' }],
    metadata,
  };
}
