import type { Directive, DirectiveState, Hold, RowState, Speaker, Standing } from '../extension/protocol';
import type { Tone } from './ui/chip';

const whole = new Intl.NumberFormat('en-US');

/** 6400 → "6,400". */
export const figure = (value: number): string => whole.format(value);

/** 1 row, 2 rows. */
export const count = (value: number, one: string, many = `${one}s`): string =>
  `${figure(value)} ${value === 1 ? one : many}`;

export const percent = (part: number, of: number): string => `${Math.round((part / of) * 100)} %`;

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A moment in the person's own zone; a time that no calendar has is said to be unknown. */
export const moment = (ms: number): string =>
  Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? clock.format(ms) : 'unknown time';

export const SPEAKERS: Readonly<Record<Speaker, string>> = {
  user: 'User',
  assistant: 'Assistant',
  result: 'Result',
  system: 'System',
  engine: 'Engine',
};

export const ROW_STATES: Readonly<Record<RowState, string>> = {
  kept: 'Kept',
  hidden: 'Hidden',
  redacted: 'Replaced by a pointer',
  synthetic: 'Synthetic',
  directive: 'Directive',
};

export const STANDINGS: Readonly<
  Record<Standing, { readonly word: string; readonly icon: string; readonly tone: Tone; readonly title: string }>
> = {
  as_sent: {
    word: 'as sent',
    icon: 'verified-filled',
    tone: 'ok',
    title: 'The right column is what was really sent to the model.',
  },
  applied: {
    word: 'applied',
    icon: 'pass-filled',
    tone: 'accent',
    title: 'This policy is the session’s: the next request is built with it.',
  },
  preview: {
    word: 'preview, not yet applied',
    icon: 'eye',
    tone: 'warn',
    title: 'Nothing was sent like this: the right column shows what this policy would make of it.',
  },
};

/** The word of a standing; what can never be applied is a preview and no more. */
export function standingWord({
  standing,
  can_apply,
}: {
  readonly standing: Standing;
  readonly can_apply: boolean;
}): string {
  return standing === 'preview' && !can_apply ? 'preview' : STANDINGS[standing].word;
}

const HOLDS: Readonly<Record<Hold, string>> = {
  no_user_turn: 'held: advisories wait until there is a user message',
  unanswered_calls: 'held until every tool call has its result',
  same_text_in_force: 'held: the same text is still in force',
  no_route: 'held: there is no way into this session yet',
  waits_for_seam: 'goes with the next request',
};

/** Why a pending directive is not in the prompt, or where it will go. */
export function holdOf(directive: Directive): string {
  if (directive.fire_turn !== null) return `goes with turn ${directive.fire_turn}`;
  if (directive.hold) return HOLDS[directive.hold] ?? directive.hold;
  return 'goes with the next request';
}

export const DIRECTIVE_TONES: Readonly<Record<DirectiveState, Tone>> = {
  queued: 'plain',
  pending: 'plain',
  delivered: 'accent',
  seen: 'ok',
  lost: 'bad',
  expired: 'muted',
  replaced: 'muted',
  revoked: 'muted',
  cleared: 'muted',
  dropped: 'bad',
};

const ENDED: ReadonlySet<DirectiveState> = new Set(['expired', 'replaced', 'revoked', 'cleared', 'dropped']);

/** "2 turns", "until cleared"; null: it is over. */
export function lifetimeOf(directive: Directive): string | null {
  if (ENDED.has(directive.state) || directive.ttl_turns === 0) return null;
  if (directive.ttl_turns === null) return 'until cleared';
  return count(directive.ttl_turns, 'turn');
}

/** What firing would do, said before it is done. */
export function firingOf(firing: {
  readonly turn: number;
  readonly starts_turn: boolean;
  readonly others: number;
}): string {
  const when = firing.starts_turn
    ? `Fire now would start turn ${firing.turn}`
    : `Fire now would add it to turn ${firing.turn}`;
  return firing.others === 0 ? when : `${when}, with ${count(firing.others, 'other')}`;
}

/** "sha256:3fa9…e07b". */
export const shortHash = (hash: string): string =>
  hash.replace(/^(\w+:)?([0-9a-f]{4})[0-9a-f]+([0-9a-f]{4})$/, '$1$2…$3');
