import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration, parseDuration } from '../src/duration.js';

const pairs = [
  ['45s', 45],
  ['30m', 1_800],
  ['1h 30m', 5_400],
  ['2d 4h', 187_200],
];

for (const [text, seconds] of pairs) {
  test(`reads ${text}`, () => assert.equal(parseDuration(text), seconds));
  test(`writes ${text}`, () => assert.equal(formatDuration(seconds), text));
}

test('refuses what it does not know', () => {
  assert.throws(() => parseDuration(''), /empty/);
  assert.throws(() => parseDuration('3 weeks'), /Unknown unit "weeks"/);
  assert.throws(() => parseDuration('soon'), /Expected a number/);
});
