import { callsOf } from '../transcript/calls';
import { tokensOf } from '../transcript/estimate';
import type { MessageFacts } from '../transcript/facts';
import type { CreateHash } from '../transcript/hash';
import type { Json, JsonObject, Message } from '../transcript/message';
import { resultsOf } from '../transcript/results';
import type { PairedResult, Turn } from '../transcript/turns';
import { eachTurn } from '../transcript/turns';
import type { Decision, ProjectionInput, Redaction } from './decision';
import type { ProjectionOptions } from './options';
import { redactionOf } from './redaction';
import { eachIdentifier, rootTokens } from './references';
import { rootsConsulted, suppliedRoots } from './roots';
import { settle } from './settle';

/** Reason of a projection in which bodies that nothing recent refers to stand elsewhere. */
export const REACHABILITY_GC = 'reachability_gc';
/** Reason of a projection that leaves all as it is: a body could not be kept elsewhere first. */
export const REACHABILITY_GC_NO_BARRIER = 'reachability_gc_write_barrier_missing';
/** Reason of a projection that leaves all as it is: it would reclaim less than `clear_at_least` tokens. */
export const REACHABILITY_GC_TOO_LITTLE = 'reachability_gc_below_clear_at_least';

/** Policy reachability_gc: replaces old result bodies that nothing recent refers to. */
export function decideReachabilityGc(
  input: ProjectionInput,
  options: ProjectionOptions,
  createHash: CreateHash,
): Decision {
  const { length } = input;
  const supplied = suppliedRoots(options);
  const roots_consulted = rootsConsulted(options, length, supplied);
  if (options.require_write_barrier && !supplied.barrier) {
    return settle(options, length, { reason: REACHABILITY_GC_NO_BARRIER, roots_consulted, signed: null });
  }
  const { facts } = input;
  const roots = rootsOf(input, options, supplied.tokens);
  const windowStart = length - Math.min(options.root_window, length);
  const redactions = new Map<number, Redaction[]>();
  let chars = 0;
  let signed: number | null = null;
  const consider = (turn: Turn, paired: PairedResult, ordinal: number): void => {
    if (paired.at >= windowStart || !isCandidate(paired, options.min_chars)) {
      return;
    }
    const isSigned = facts(paired.at).signed;
    if (isSigned && options.respect_provider_signatures === 'per_turn') {
      return;
    }
    const message = input.message(paired.at);
    const reached = eachIdentifier(
      referrerOf(message, ordinal),
      argumentsOf(turn, paired, input.message),
      (token) => roots.has(token),
      () => true,
    );
    const call = paired.call === null ? null : (turn.calls[paired.call] ?? null);
    const redaction = reached ? null : redactionOf(message, paired.at, ordinal, call, createHash);
    if (redaction !== null) {
      chars += redaction.chars;
      signed = isSigned ? (signed ?? paired.at) : signed;
      redactions.set(paired.at, [...(redactions.get(paired.at) ?? []), redaction]);
    }
  };
  const lastAssistant = options.protect_unanswered ? lastAssistantOf(input) : null;
  eachTurn(length, facts, (turn) => {
    if (turn.at === null || turn.at !== lastAssistant) {
      eachOrdinal(turn, (paired, ordinal) => consider(turn, paired, ordinal));
    }
  });
  return tokensOf(chars) < options.clear_at_least
    ? settle(options, length, { reason: REACHABILITY_GC_TOO_LITTLE, roots_consulted, signed: null })
    : settle(options, length, { reason: REACHABILITY_GC, roots_consulted, redactions, signed });
}

/** Whether a result's body may be replaced at all. */
export function isCandidate({ result }: PairedResult, minChars: number): boolean {
  return !result.failed && result.chars >= minChars;
}

/** Calls `visit` with every result of a turn and its number within its message. */
export function eachOrdinal(turn: Turn, visit: (paired: PairedResult, ordinal: number) => void): void {
  let message = -1;
  let ordinal = 0;
  for (const paired of turn.results) {
    ordinal = paired.at === message ? ordinal + 1 : 0;
    message = paired.at;
    visit(paired, ordinal);
  }
}

/** The message or block that a result is, as identifiers and root tokens are taken from it. */
export function referrerOf(message: Message, ordinal: number): { value: JsonObject; level: 'message' | 'block' } {
  const result = resultsOf(message)[ordinal];
  return { value: result?.value ?? message, level: result === undefined || result.list === null ? 'message' : 'block' };
}

/** The arguments of the call that a result answers. */
export function argumentsOf(turn: Turn, { call }: PairedResult, message: (index: number) => Message): Json | undefined {
  return turn.at === null || call === null ? undefined : callsOf(message(turn.at))[call]?.arguments;
}

/** The names of the tools that a message speaks of. */
export function toolNamesOf({ calls, results }: MessageFacts, visit: (name: string) => void): void {
  for (const { name } of calls) {
    if (name !== null) {
      visit(name);
    }
  }
  for (const { name } of results) {
    if (name !== null) {
      visit(name);
    }
  }
}

function lastAssistantOf(input: ProjectionInput): number | null {
  for (let index = input.length - 1; index >= 0; index--) {
    if (input.facts(index).assistant) {
      return index;
    }
  }
  return null;
}

function rootsOf(
  input: ProjectionInput,
  options: ProjectionOptions,
  supplied: ReadonlySet<string>,
): ReadonlySet<string> {
  const { length } = input;
  const windowStart = length - Math.min(options.root_window, length);
  const roots = new Set<string>();
  const add = (tokens: ReadonlySet<string>): void => tokens.forEach((token) => roots.add(token));
  for (let index = windowStart; index < length; index++) {
    add(rootTokens(input.message(index), 'message'));
  }
  const last = options.protect_unanswered ? lastAssistantOf(input) : null;
  if (last !== null) {
    for (let index = last + 1; index < windowStart; index++) {
      input.facts(index).results.forEach((_, ordinal) => {
        const { value, level } = referrerOf(input.message(index), ordinal);
        add(rootTokens(value, level));
      });
    }
  }
  for (let index = 0; index < length; index++) {
    toolNamesOf(input.facts(index), (name) => roots.delete(name));
  }
  add(supplied);
  return roots;
}
