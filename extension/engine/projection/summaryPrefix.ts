import type { MessageFacts } from '../transcript/facts';
import type { Message } from '../transcript/message';
import { eachTurn, membersOf, turnOf } from '../transcript/turns';
import type { Decision, ProjectionInput } from './decision';
import type { ProjectionOptions } from './options';
import { settle } from './settle';

/** Reason of a projection that begins with the synthetic message. */
export const SUMMARY_PREFIX = 'summary_prefix';
/** Reason of a projection that leaves all as it is: the history is no longer than `keep_last`. */
export const SUMMARY_PREFIX_NOOP = 'summary_prefix_noop_short_history';

/** Policy summary_prefix: one synthetic message stands for everything before the last `keep_last` messages. */
export function decideSummaryPrefix(input: ProjectionInput, options: ProjectionOptions): Decision {
  const { length } = input;
  const { facts } = input;
  const given = options.summary ?? input.summary;
  const cut = cutOf(length, facts, options);
  let signed: number | null = null;
  const spared = new Map<number, number>();
  if (options.respect_provider_signatures === 'per_turn') {
    spareSignedTurns(cut, length, facts, spared);
  } else {
    for (let index = 0; index < cut && signed === null; index++) {
      signed = facts(index).signed ? index : null;
    }
  }
  if (cut === spared.size) {
    return settle(options, length, { reason: SUMMARY_PREFIX_NOOP, summary: given, signed: null });
  }
  const body = given ?? summaryFor(cut - spared.size);
  return settle(options, length, {
    reason: SUMMARY_PREFIX,
    cut,
    synthetic: syntheticMessage(body),
    summary: signed === null || options.respect_provider_signatures === false ? body : given,
    spared,
    signed,
  });
}

/** The body when no summary is known. */
export function summaryFor(dropped: number): string {
  return `[${dropped} earlier messages summarized]`;
}

/** The message that stands for the dropped ones. */
export function syntheticMessage(content: string): Message {
  return { role: 'system', content, _harn_projection: { synthetic: true, policy: 'summary_prefix' } };
}

/** Where the kept messages begin: never between a call and its result, nor behind a result that is not answered. */
function cutOf(length: number, facts: (index: number) => MessageFacts, options: ProjectionOptions): number {
  let cut = Math.max(0, length - options.keep_last);
  if (options.protect_unanswered) {
    const last = assistantBefore(length, facts);
    const unanswered = last === null ? null : firstResult(last + 1, length, facts);
    cut = Math.min(cut, unanswered ?? cut);
  }
  const at = assistantBefore(cut, facts);
  if (at === null) {
    return cut;
  }
  let end = at + 1;
  while (end < length && !facts(end).assistant) {
    end++;
  }
  const parted = turnOf(facts, at, at + 1, end).results.some((result) => result.call !== null && result.at >= cut);
  return parted ? at : cut;
}

function assistantBefore(end: number, facts: (index: number) => MessageFacts): number | null {
  for (let index = end - 1; index >= 0; index--) {
    if (facts(index).assistant) {
      return index;
    }
  }
  return null;
}

function firstResult(start: number, end: number, facts: (index: number) => MessageFacts): number | null {
  for (let index = start; index < end; index++) {
    if (facts(index).results.length > 0) {
      return index;
    }
  }
  return null;
}

/** Spares every signed message before the cut with the rest of its turn: the call and its results. */
function spareSignedTurns(
  cut: number,
  length: number,
  facts: (index: number) => MessageFacts,
  spared: Map<number, number>,
): void {
  eachTurn(length, facts, (turn) => {
    const members = membersOf(turn);
    const signed = members.find((index) => facts(index).signed);
    if (signed !== undefined && signed < cut) {
      members.forEach((index) => spared.set(index, signed));
    }
  });
  for (let index = 0; index < cut; index++) {
    if (facts(index).signed && !spared.has(index)) {
      spared.set(index, index);
    }
  }
}
