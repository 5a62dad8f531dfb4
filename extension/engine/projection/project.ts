import { charsOf, tokensOf } from '../transcript/estimate';
import { factsOf } from '../transcript/facts';
import type { CreateHash } from '../transcript/hash';
import type { Message } from '../transcript/message';
import { isObject } from '../transcript/message';
import { prefixHash } from '../transcript/prefix';
import { decide } from './decide';
import type { Decision, ProjectionInput, RedactionPointer } from './decision';
import { stateOf } from './decision';
import { ProjectionError } from './error';
import type { ProjectionOptions } from './options';
import { describe, parseOptions } from './options';
import { redact } from './redaction';
import type { ProjectionFigures, ProjectionResult } from './result';
import { projectionEvent } from './result';

/** What the engine cannot do by itself. */
export interface ProjectionDeps {
  readonly createHash: CreateHash;
  /** An id for the event: a UUID. */
  readonly newId: () => string;
}

/**
 * The slice of a transcript that the model sees under a policy. Nothing is changed and nothing persisted.
 * @param transcript only `messages` and `summary` are read.
 * @param options a policy name or an object; nothing: raw.
 * @throws {ProjectionError} and nothing else.
 */
export function projectTranscript(transcript: unknown, options: unknown, deps: ProjectionDeps): ProjectionResult {
  const { messages, summary } = parseTranscript(transcript);
  return projectMessages(messages, summary, parseOptions(options), deps);
}

/** As `projectTranscript`, with what was parsed already. */
export function projectMessages(
  messages: readonly Message[],
  summary: string | null,
  options: ProjectionOptions,
  deps: ProjectionDeps,
): ProjectionResult {
  const input = inputOf(messages, summary);
  const decision = decide(input, options, deps.createHash);
  const projected = applyDecision(decision, input.message);
  return resultOf(decision, figuresOf(decision, input, projected, deps.createHash), projected, options, deps);
}

/** The figures of a decision over an array. */
export function figuresOf(
  decision: Decision,
  input: ProjectionInput,
  projected: readonly Message[],
  createHash: CreateHash,
): ProjectionFigures {
  const pointers = pointersOf(decision);
  const chars = charsReclaimed(decision, input, projected);
  return {
    policy: decision.policy,
    reason: decision.reason,
    prefix_hash: prefixHash(projected, createHash),
    ...indexListsOf(decision),
    redacted_count: pointers.length,
    reclaimed_tokens: tokensOf(chars),
    reclaimed_chars: Math.max(0, chars),
    roots_consulted: decision.roots_consulted,
    redaction_pointers: pointers,
    provider_safety_blocked: decision.blocked_by !== null,
  };
}

/** The result of a decision, with a new event. */
export function resultOf(
  decision: Decision,
  figures: ProjectionFigures,
  messages: readonly Message[],
  options: ProjectionOptions,
  deps: ProjectionDeps,
): ProjectionResult {
  return { ...figures, messages, event: projectionEvent(deps.newId(), figures, options, decision.summary) };
}

/** An array of messages as a policy looks at it. */
export function inputOf(messages: readonly Message[], summary: string | null): ProjectionInput {
  const facts = messages.map(factsOf);
  const at = <Item>(items: readonly Item[], index: number): Item => {
    const item = items[index];
    if (item === undefined) {
      throw new RangeError(`There is no message ${index}.`);
    }
    return item;
  };
  return {
    length: messages.length,
    facts: (index) => at(facts, index),
    message: (index) => at(messages, index),
    summary,
  };
}

/** What the model sees: the messages after the decision. */
export function applyDecision(decision: Decision, message: (index: number) => Message): readonly Message[] {
  if (decision.output !== null) {
    return decision.output.messages;
  }
  const projected: Message[] = decision.synthetic === null ? [] : [decision.synthetic];
  for (let index = 0; index < decision.length; index++) {
    if (stateOf(decision, index) !== 'hidden') {
      projected.push(projectedMessage(decision, index, message));
    }
  }
  return projected;
}

/** What the model sees of one message that is not hidden. */
export function projectedMessage(decision: Decision, index: number, message: (index: number) => Message): Message {
  const redactions = decision.redactions.get(index);
  return redactions === undefined ? message(index) : redact(message(index), redactions);
}

type IndexLists = Pick<
  ProjectionFigures,
  'kept_indices' | 'dropped_indices' | 'redacted_indices' | 'kept_count' | 'dropped_count'
>;

/** The index lists of a decision, and their lengths. */
export function indexListsOf(decision: Decision): IndexLists {
  const redacted = [...decision.redactions.keys()].sort((a, b) => a - b);
  let kept: readonly number[];
  let dropped: readonly number[];
  if (decision.output === null) {
    const keptList: number[] = [];
    const droppedList: number[] = [];
    for (let index = 0; index < decision.length; index++) {
      (stateOf(decision, index) === 'hidden' ? droppedList : keptList).push(index);
    }
    kept = keptList;
    dropped = droppedList;
  } else {
    ({ kept, dropped } = decision.output);
  }
  return {
    kept_indices: kept,
    dropped_indices: dropped,
    redacted_indices: redacted,
    kept_count: kept.length,
    dropped_count: dropped.length,
  };
}

/** The pointers of everything that is replaced, in order. */
export function pointersOf(decision: Decision): readonly RedactionPointer[] {
  return [...decision.redactions].sort(([a], [b]) => a - b).flatMap(([, list]) => list.map(({ pointer }) => pointer));
}

/** Characters (code points), raw minus projected; below 0 when the projection is longer. */
function charsReclaimed(decision: Decision, input: ProjectionInput, projected: readonly Message[]): number {
  const chars = (messages: readonly Message[]): number => messages.reduce((sum, message) => sum + charsOf(message), 0);
  let reclaimed = 0;
  if (decision.output !== null) {
    for (let index = 0; index < input.length; index++) {
      reclaimed += input.facts(index).chars;
    }
    return reclaimed - chars(projected);
  }
  for (let index = 0; index < decision.length; index++) {
    reclaimed += stateOf(decision, index) === 'hidden' ? input.facts(index).chars : 0;
  }
  for (const redactions of decision.redactions.values()) {
    reclaimed += redactions.reduce((sum, redaction) => sum + redaction.chars, 0);
  }
  return reclaimed - (decision.synthetic === null ? 0 : chars([decision.synthetic]));
}

/** The parts of a transcript that a projection reads. */
export function parseTranscript(value: unknown): { messages: readonly Message[]; summary: string | null } {
  if (!isObject(value)) {
    throw new ProjectionError('invalid_transcript', `The transcript must be an object, not ${describe(value)}.`);
  }
  const { messages, summary } = value;
  if (!Array.isArray(messages)) {
    throw new ProjectionError(
      'invalid_transcript',
      `The messages of the transcript must be a list, not ${describe(messages)}.`,
    );
  }
  const wrong = messages.findIndex((message) => !isObject(message));
  if (wrong >= 0) {
    throw new ProjectionError(
      'invalid_transcript',
      `The messages of the transcript must be objects; messages[${wrong}] is ${describe(messages[wrong])}.`,
    );
  }
  return {
    messages: messages as readonly Message[],
    summary: typeof summary === 'string' && summary !== '' ? summary : null,
  };
}
