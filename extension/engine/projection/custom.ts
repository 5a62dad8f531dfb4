import { canonicalText } from '../transcript/canonical';
import type { Json, JsonObject, Message } from '../transcript/message';
import { isObject } from '../transcript/message';
import type { Cause, CustomOutput, Decision, ProjectionInput } from './decision';
import { ProjectionError } from './error';
import { copyJson } from './json';
import type { ProjectionOptions } from './options';
import { settle } from './settle';

const LEFT_OUT: Cause = { kind: 'projector' };

/**
 * Policy custom: what the projector returns.
 * @throws {ProjectionError} when the projector fails or returns no messages.
 */
export function decideCustom(input: ProjectionInput, options: ProjectionOptions): Decision {
  const raw = Array.from({ length: input.length }, (_, index) => input.message(index));
  const returned = runProjector(options, raw);
  const listed: Json | undefined = isObject(returned) ? returned.messages : returned;
  if (!Array.isArray(listed) || !(listed as readonly Json[]).every(isObject)) {
    throw new ProjectionError(
      'invalid_projection',
      'The projector must return a list of messages, or an object whose member messages is one.',
    );
  }
  const messages = listed as readonly Message[];
  const details: JsonObject = isObject(returned) ? returned : {};
  const matched = matchForward(raw, messages);
  const kept = validIndices(details.kept_indices, raw.length, messages.length) ?? matched;
  const dropped = validDropped(details.dropped_indices, raw.length, kept) ?? complement(kept, raw.length);
  const output: CustomOutput = { messages, kept, dropped };
  const present = new Set(matched);
  const missing = raw.findIndex((_, index) => !present.has(index) && input.facts(index).signed);
  return settle(options, input.length, {
    reason: typeof details.reason === 'string' && details.reason !== '' ? details.reason : 'custom',
    hidden: new Map(dropped.map((index) => [index, LEFT_OUT])),
    signed: missing < 0 ? null : missing,
    output,
  });
}

function runProjector(options: ProjectionOptions, raw: readonly Message[]): Json {
  const { projector } = options;
  if (projector === null) {
    throw new ProjectionError('missing_projector', 'Policy custom needs the option projector, a function.');
  }
  let returned: unknown;
  try {
    returned = projector(copyJson(raw) as readonly Message[]);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new ProjectionError('projector_failed', `The projector failed: ${said}`, { cause: error });
  }
  try {
    return copyJson(returned);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new ProjectionError('invalid_projection', `The projector returned no messages that JSON can hold: ${said}`, {
      cause: error,
    });
  }
}

/** For every message in turn the first equal raw message that comes later than the ones before; none: it is new. */
function matchForward(raw: readonly Message[], messages: readonly Message[]): readonly number[] {
  const places = new Map<string, number[]>();
  raw.forEach((message, index) => {
    const text = canonicalText(message);
    const known = places.get(text);
    if (known === undefined) {
      places.set(text, [index]);
    } else {
      known.push(index);
    }
  });
  const matched: number[] = [];
  for (const message of messages) {
    const last = matched.at(-1) ?? -1;
    const queue = places.get(canonicalText(message)) ?? [];
    while (queue[0] !== undefined && queue[0] <= last) {
      queue.shift();
    }
    const index = queue.shift();
    if (index !== undefined) {
      matched.push(index);
    }
  }
  return matched;
}

function validIndices(value: Json | undefined, length: number, count: number | null): readonly number[] | null {
  if (!Array.isArray(value) || (count !== null && value.length !== count)) {
    return null;
  }
  const indices = value as readonly Json[];
  return indices.every(
    (index, at) =>
      typeof index === 'number' &&
      Number.isInteger(index) &&
      index >= 0 &&
      index < length &&
      (at === 0 || index > Number(indices[at - 1])),
  )
    ? (indices as readonly number[])
    : null;
}

function validDropped(value: Json | undefined, length: number, kept: readonly number[]): readonly number[] | null {
  const dropped = validIndices(value, length, null);
  const keptSet = new Set(kept);
  return dropped === null || dropped.some((index) => keptSet.has(index)) ? null : dropped;
}

function complement(kept: readonly number[], length: number): readonly number[] {
  const keptSet = new Set(kept);
  const rest: number[] = [];
  for (let index = 0; index < length; index++) {
    if (!keptSet.has(index)) {
      rest.push(index);
    }
  }
  return rest;
}
