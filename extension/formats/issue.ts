/** What is wrong with a line of a session log. */
export type IssueKind =
  'invalid-json' | 'not-an-object' | 'truncated' | 'invalid-utf8' | 'wrong-shape' | 'unknown-record' | 'duplicate';

/** Something that could not be read as it should, with its place. Reading goes on after it. */
export interface Issue {
  /** Line of the file, from 1. */
  readonly line: number;
  readonly kind: IssueKind;
  /** What is wrong and what it means for the reader, in one sentence; no text of the session in it. */
  readonly text: string;
}

/** What every reader of this folder returns: what could be read, and what could not. */
export interface Reading<T> {
  readonly value: T;
  readonly issues: readonly Issue[];
}

/** Kinds of issues that make a line count as malformed: it is not one JSON object. */
export const MALFORMED: ReadonlySet<IssueKind> = new Set<IssueKind>([
  'invalid-json',
  'not-an-object',
  'truncated',
  'invalid-utf8',
]);

/** Longest list of issues that is kept; beyond it they are only counted. */
export const MAX_ISSUES = 10_000;
