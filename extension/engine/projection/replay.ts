import type { Json, JsonObject, Message } from '../transcript/message';
import { isObject } from '../transcript/message';
import { prefixHash } from '../transcript/prefix';
import { ProjectionError } from './error';
import { parseOptions } from './options';
import type { ProjectionDeps } from './project';
import { parseTranscript, projectMessages } from './project';
import { readIndices } from './ranges';
import type { ProjectionResult } from './result';
import { PROJECTION_EVENT } from './result';

/** A projection made again from its event. */
export interface Replay {
  readonly result: Omit<ProjectionResult, 'event'>;
  /** Whether the messages have the hash that was recorded. False: the raw messages or the record were changed. */
  readonly matches: boolean;
}

/**
 * Makes a recorded projection again, from the messages that were there at that time; later ones do not matter. Custom
 * projections are made from their indices, so messages that the projector wrote itself are missing from them.
 * @throws {ProjectionError} when the event is none, or the transcript is too short for it.
 */
export function replayProjection(transcript: unknown, event: unknown, deps: ProjectionDeps): Replay {
  const { messages } = parseTranscript(transcript);
  const metadata = isObject(event) && event.kind === PROJECTION_EVENT ? event.metadata : null;
  if (!isObject(metadata) || !isObject(metadata.options)) {
    throw new ProjectionError(
      'invalid_event',
      `The event must be a ${PROJECTION_EVENT} event whose metadata holds the options.`,
    );
  }
  if (metadata.policy === 'custom') {
    return replayCustom(messages, metadata, deps);
  }
  const length = countOf(metadata.kept_count) + countOf(metadata.dropped_count);
  if (length > messages.length) {
    throw tooShort(messages.length);
  }
  const options = parseOptions(metadata.options);
  const result = projectMessages(messages.slice(0, length), null, options, deps);
  return { result, matches: result.prefix_hash === metadata.prefix_hash };
}

function replayCustom(messages: readonly Message[], metadata: JsonObject, deps: ProjectionDeps): Replay {
  const kept = readIndices(metadata.kept_indices, messages.length);
  const dropped = readIndices(metadata.dropped_indices, messages.length);
  if (kept === null || dropped === null) {
    throw tooShort(messages.length);
  }
  const projected = kept.map((index) => messages[index] ?? {});
  const prefix_hash = prefixHash(projected, deps.createHash);
  const result: Replay['result'] = {
    policy: 'custom',
    reason: typeof metadata.reason === 'string' ? metadata.reason : 'custom',
    prefix_hash,
    messages: projected,
    kept_indices: kept,
    dropped_indices: dropped,
    redacted_indices: [],
    kept_count: kept.length,
    dropped_count: dropped.length,
    redacted_count: 0,
    reclaimed_tokens: countOf(metadata.reclaimed_tokens),
    reclaimed_chars: countOf(metadata.reclaimed_chars),
    roots_consulted: [],
    redaction_pointers: [],
    provider_safety_blocked: metadata.provider_safety_blocked === true,
  };
  return { result, matches: prefix_hash === metadata.prefix_hash };
}

function countOf(value: Json | undefined): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new ProjectionError('invalid_event', 'The counts of a projection event must be integers of at least 0.');
  }
  return value;
}

function tooShort(length: number): ProjectionError {
  return new ProjectionError(
    'invalid_event',
    `The event's indices do not fit the transcript, which has ${length} messages: it belongs to another transcript.`,
  );
}
