import type { Issue, IssueKind } from './issue';

/** The first few words of every text about a line that is lost. */
const LOST = 'This line is left out:';

/** Why a line is not one JSON object, in words. `at` is the column (bytes, from 0) where the walk ended; `last` is true for a last line without a line end. */
export function explainLine(
  line: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  at: number,
  last: boolean,
): Issue {
  const issue = (kind: IssueKind, text: string): Issue => ({ line, kind, text: `${LOST} ${text}` });
  const first = firstByte(bytes, start, end);
  if (last) {
    return issue(
      'truncated',
      'the file ends in the middle of it. The session is being written, or was killed while writing.',
    );
  }
  if (bytes.subarray(start, end).includes(0)) {
    return issue('invalid-json', 'it holds NUL bytes, as files do after a crash of the machine or a full disk.');
  }
  const column = at - start + 1;
  if (first === 0x7b) {
    const after = nextByte(bytes, at, end);
    if (after === 0x7b && previousByte(bytes, at, start) === 0x7d) {
      return issue('invalid-json', `a second record begins at byte ${column} without a line end before it.`);
    }
    if (at >= end) {
      return issue(
        'invalid-json',
        'it ends in the middle of a record: it was cut, or one record is spread over several lines.',
      );
    }
    if ((after === 0x7d || after === 0x5d) && previousByte(bytes, at, start) === 0x2c) {
      return issue('invalid-json', `there is a comma with nothing after it at byte ${column}.`);
    }
    if (matches(bytes, at, 'NaN') || matches(bytes, at, 'Infinity') || matches(bytes, at, '-Infinity')) {
      return issue('invalid-json', `there is a number at byte ${column} that JSON does not have (NaN or Infinity).`);
    }
    return issue('invalid-json', `it is no JSON from byte ${column} on.`);
  }
  return issue(
    'invalid-json',
    'it is no JSON by itself; it may be part of a record that is spread over several lines.',
  );
}

/** The issue of a line that is JSON but no object. */
export function explainNotAnObject(line: number): Issue {
  return { line, kind: 'not-an-object', text: `${LOST} it is JSON, but no object, so it is no record.` };
}

/** The issue of a line with bytes that are no UTF-8. */
export function explainUtf8(line: number): Issue {
  return { line, kind: 'invalid-utf8', text: `${LOST} it holds bytes that are not UTF-8.` };
}

function firstByte(bytes: Uint8Array, start: number, end: number): number {
  return nextByte(bytes, start, end);
}

function nextByte(bytes: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && isBlank(bytes[i]!)) i++;
  return i < end ? bytes[i]! : -1;
}

function previousByte(bytes: Uint8Array, at: number, start: number): number {
  let i = at - 1;
  while (i >= start && isBlank(bytes[i]!)) i--;
  return i >= start ? bytes[i]! : -1;
}

function isBlank(c: number): boolean {
  return c === 0x20 || c === 0x09 || c === 0x0d;
}

function matches(bytes: Uint8Array, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word.charCodeAt(i)) return false;
  return true;
}
