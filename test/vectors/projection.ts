import { isDeepStrictEqual } from 'node:util';
import { projectTranscript } from '../../extension/engine/projection/project';
import type { Projector } from '../../extension/engine/projection/options';
import { canonicalJson } from '../../extension/engine/transcript/canonical';
import type { Json, JsonObject, Message } from '../../extension/engine/transcript/message';
import { isObject } from '../../extension/engine/transcript/message';
import { prefixHash } from '../../extension/engine/transcript/prefix';
import { isFailedResult } from '../../extension/engine/transcript/results';
import { createSha256 } from '../../extension/io/hash';
import type { Vector, VectorAdapter, VectorAdapters, VectorOutcome } from './adapter';

/** What a call came to. */
type Outcome = { readonly result: Json } | { readonly error: unknown };

/** The calls of the folder `projection`. */
export const projectionCalls: VectorAdapters = {
  projectTranscript: adapt((given) => projectGiven(given) as unknown as Json),
  isFailedResult: adapt(({ result }) => isFailedResult(isObject(result) ? result : {})),
  canonicalJson: adapt(({ json }) => canonicalJson(JSON.parse(json as string) as Json)),
  prefixHash: adapt(({ messages }) => prefixHash(messages as readonly Message[], createSha256)),
};

function adapt(call: (given: Vector['given']) => Json): VectorAdapter {
  return ({ given, then }) => {
    if (then === undefined) {
      return ['the vector has no "then"'];
    }
    let outcome: Outcome;
    try {
      outcome = { result: call(given) };
    } catch (error) {
      outcome = { error };
    }
    return compareProjection(outcome, then);
  };
}

function projectGiven(given: Vector['given']) {
  let ids = 0;
  const deps = { createHash: createSha256, newId: () => `event-${++ids}` };
  if (!('projector_returns' in given) && !('projector_throws' in given)) {
    return projectTranscript(given.transcript, given.options, deps);
  }
  const projector = (() => {
    if ('projector_throws' in given) {
      throw new Error(given.projector_throws as string);
    }
    return given.projector_returns;
  }) as Projector;
  const options = isObject(given.options) ? given.options : { policy: given.options };
  return projectTranscript(given.transcript, { ...options, projector }, deps);
}

/** Says how an outcome differs from what a vector expects: of objects only the members that it lists. */
function compareProjection(outcome: Outcome, then: VectorOutcome): readonly string[] {
  if (then.error !== undefined) {
    if (!('error' in outcome)) {
      return [`expected an error, got ${show(outcome.result)}`];
    }
    const message = outcome.error instanceof Error ? outcome.error.message : String(outcome.error);
    const { contains = [] } = then.error;
    return (typeof contains === 'string' ? [contains] : contains)
      .filter((part) => !message.includes(part))
      .map((part) => `the error does not name ${show(part)}: ${message}`);
  }
  if ('error' in outcome) {
    const { error } = outcome;
    return [`expected a result, got the error: ${error instanceof Error ? error.message : String(error)}`];
  }
  const { result } = outcome;
  const expected = then.result ?? null;
  if (!isObject(expected)) {
    return compareDeep('result', result, expected);
  }
  return isObject(result) ? compareMembers(result, expected) : [`expected an object, got ${show(result)}`];
}

function compareMembers(result: JsonObject, expected: JsonObject): readonly string[] {
  const messages = Array.isArray(result.messages) ? (result.messages as readonly Json[]) : [];
  return Object.entries(expected).flatMap(([key, value]) => {
    switch (key) {
      case 'messages_length':
        return compareDeep(key, messages.length, value);
      case 'messages_at':
        return Object.entries(isObject(value) ? value : {}).flatMap(([index, message]) =>
          compareDeep(`messages[${index}]`, messages[Number(index)], message),
        );
      case 'event':
        return compareListed(key, result.event, value);
      default:
        return compareDeep(key, result[key], value);
    }
  });
}

/** Objects by their listed members, at any depth; anything else as it is. */
function compareListed(place: string, actual: Json | undefined, expected: Json | undefined): readonly string[] {
  if (!isObject(expected)) {
    return compareDeep(place, actual, expected);
  }
  if (!isObject(actual)) {
    return [`${place}: expected an object, got ${show(actual)}`];
  }
  return Object.entries(expected).flatMap(([key, value]) => compareListed(`${place}.${key}`, actual[key], value));
}

function compareDeep(place: string, actual: Json | undefined, expected: Json | undefined): readonly string[] {
  return isDeepStrictEqual(plain(actual), plain(expected))
    ? []
    : [`${place}: expected ${show(expected)}, got ${show(actual)}`];
}

/** A value as JSON has it: no undefined members, one zero. */
function plain(value: Json | undefined): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
