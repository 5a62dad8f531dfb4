import { wholeCharacter } from '../rows/text';
import { compactJson } from '../transcript/canonical';
import { isObject, type Json } from '../transcript/message';

/** What a terminal takes as a command: colours, cursor moves, titles, links. */
const terminalCodes =
  /\u001b\][^\u0007\u001b\r\n]*(?:\u0007|\u001b\\)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/g;
const controls = /[\p{Cc}\u2028\u2029]+/gu;
const loneSurrogates = /\p{Surrogate}/gu;

/** A text without terminal codes. */
export function stripTerminalCodes(text: string): string {
  return text.replace(terminalCodes, '');
}

let segmenter: Intl.Segmenter | undefined;

/** Start of the character, as people see characters, that holds the UTF-16 place. */
function startOfCharacter(text: string, place: number): number {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const from = wholeCharacter(text, Math.max(0, place - 64));
  const near = segmenter.segment(text.slice(from, place + 64)).containing(place - from);
  return near === undefined ? place : from + near.index;
}

/**
 * The text, cut ends trimmed, with at most `limit` UTF-16 units and an ellipsis where it was cut; never cut inside a
 * character. Halves of surrogate pairs, left by others that did, are taken out.
 */
export function clip(text: string, limit: number): string {
  const whole = text.slice(0, limit * 4 + 1000).trim();
  const isLonger = whole.length > limit || text.length > limit * 4 + 1000;
  const kept = isLonger
    ? `${whole.slice(0, startOfCharacter(whole, Math.min(limit, whole.length))).trimEnd()}…`
    : whole;
  return kept.replace(loneSurrogates, '');
}

/** As `clip`, on one line: control characters and line breaks become one space, terminal codes go. */
export function clipLine(text: string, limit: number): string {
  const start = stripTerminalCodes(text.slice(0, limit * 8 + 1000));
  return clip(start.replace(controls, ' ').replace(/\s+/g, ' '), limit);
}

/** A name or a path between backticks, on one line. */
export function code(text: string, limit = 300): string {
  return `\`${clipLine(text.replaceAll('`', "'"), limit)}\``;
}

/** The trimmed text; null for anything else and for blanks. */
export function textIn(value: Json | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Text as it is, anything else as JSON; null for nothing and for blanks. */
export function anyTextIn(value: Json | undefined): string | null {
  if (typeof value === 'string') return textIn(value);
  return value === undefined || value === null ? null : compactJson(value);
}

/** The first of the values that is a number and passes; null when none does. */
export function firstNumber(
  values: readonly (Json | undefined)[],
  passes: (value: number) => boolean = () => true,
): number | null {
  const found = values.find((value) => typeof value === 'number' && Number.isFinite(value) && passes(value));
  return typeof found === 'number' ? found : null;
}

/** The items of a list; of anything else none. */
export function itemsIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** The object, or one without members. */
export function objectIn(value: Json | undefined): { readonly [key: string]: Json | undefined } {
  return isObject(value) ? value : {};
}

/** `1 message`, `2 messages`. */
export function countOf(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
