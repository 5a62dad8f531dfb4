import { expect, test } from 'vitest';
import { counted, fileName, firstLine, relativeTime } from '../../../extension/host/words';

const now = Date.UTC(2026, 5, 15, 12);
const minute = 60_000;
const day = 24 * 60 * minute;

const times: readonly (readonly [ago: number, words: string])[] = [
  [-5_000, 'just now'],
  [0, 'just now'],
  [59_999, 'just now'],
  [minute, '1 min ago'],
  [59 * minute, '59 min ago'],
  [60 * minute, '1 h ago'],
  [day - 1, '23 h ago'],
  [day, 'yesterday'],
  [2 * day, '2 days ago'],
  [29 * day, '29 days ago'],
  [30 * day, '2026-05-16'],
];

test.each(times)('%d ms ago is "%s"', (ago, words) => {
  expect(relativeTime(now - ago, now)).toBe(words);
});

const counts: readonly (readonly [count: number, words: string])[] = [
  [0, '0 turns'],
  [1, '1 turn'],
  [1234, '1,234 turns'],
];

test.each(counts)('%d is "%s"', (count, words) => {
  expect(counted(count, 'turn')).toBe(words);
});

const lines: readonly (readonly [text: string, line: string])[] = [
  ['one', 'one'],
  ['  one\ntwo', 'one'],
  ['', ''],
  ['12345678', '12345678'],
  ['123456789', '1234567…'],
  ['🙂🙂🙂🙂🙂🙂🙂🙂🙂', '🙂🙂🙂🙂🙂🙂🙂…'],
];

test.each(lines)('the first line of %j is %j', (text, line) => {
  expect(firstLine(text, 8)).toBe(line);
});

const names: readonly (readonly [name: string, ending: string, file: string])[] = [
  ['record-01a2', 'json', 'record-01a2.json'],
  ['record-01a2.json', 'json', 'record-01a2.json'],
  ['issues.txt', 'txt', 'issues.txt'],
  ['notes.md', 'txt', 'notes.md.txt'],
  ['a/../b: c', 'txt', 'a .. b c.txt'],
  ['?', 'md', 'text.md'],
];

test.each(names)('%j as %s is "%s"', (name, ending, file) => {
  expect(fileName(name, ending)).toBe(file);
});
