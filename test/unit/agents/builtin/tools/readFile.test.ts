import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../folder';
import type { Row } from './checkTool';
import { callTool, checkTool } from './checkTool';

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('read_file', () => {
  const rows: readonly Row[] = [
    {
      name: 'a whole file',
      files: { 'a.txt': 'one\ntwo\n' },
      tool: 'read_file',
      input: { path: 'a.txt' },
      text: 'one\ntwo\n',
      notes: ['read a.txt'],
      asked: [],
    },
    {
      name: 'no line end at the end',
      files: { 'a.txt': 'one' },
      tool: 'read_file',
      input: { path: './a.txt' },
      text: 'one',
    },
    {
      name: 'an empty file',
      files: { 'a.txt': '' },
      tool: 'read_file',
      input: { path: 'a.txt' },
      text: 'a.txt is empty.',
    },
    {
      name: 'a missing file is noted',
      tool: 'read_file',
      input: { path: 'no.txt' },
      failed: true,
      contains: ['no.txt does not exist'],
      notes: ['missed no.txt'],
    },
    {
      name: 'a folder',
      files: { 'd/a.txt': '' },
      tool: 'read_file',
      input: { path: 'd' },
      failed: true,
      contains: ['d is a folder'],
    },
    {
      name: 'below a file',
      files: { a: '' },
      tool: 'read_file',
      input: { path: 'a/b' },
      failed: true,
      contains: ['is a file, not a folder'],
    },
    {
      name: 'a part',
      files: { 'a.txt': lines(9) },
      tool: 'read_file',
      input: { path: 'a.txt', offset: 3, limit: 2 },
      text: 'line 3\nline 4\n\n[Lines 3 to 4 of 9 of a.txt. Go on with offset 5.]',
      truncated: true,
    },
    {
      name: 'the last part',
      files: { 'a.txt': lines(4) },
      tool: 'read_file',
      input: { path: 'a.txt', offset: 4 },
      text: 'line 4\n\n[Lines 4 to 4 of 4 of a.txt.]',
    },
    {
      name: 'beyond the end',
      files: { 'a.txt': lines(4) },
      tool: 'read_file',
      input: { path: 'a.txt', offset: 5 },
      failed: true,
      contains: ['has only 4 lines'],
    },
    {
      name: 'more lines than are shown',
      files: { 'a.txt': lines(2500) },
      tool: 'read_file',
      input: { path: 'a.txt' },
      truncated: true,
      contains: ['[Lines 1 to 2000 of 2500 of a.txt. Go on with offset 2001.]'],
    },
    {
      name: 'one line too long is cut between characters',
      files: { 'a.txt': 'x' + '😀'.repeat(30_000) },
      tool: 'read_file',
      input: { path: 'a.txt' },
      truncated: true,
      contains: ['A line was too long'],
      lacks: ['\ufffd'],
    },
    {
      name: 'a binary file',
      files: { 'a.bin': new Uint8Array([1, 0, 2]) },
      tool: 'read_file',
      input: { path: 'a.bin' },
      failed: true,
      contains: ['no UTF-8 text (3 bytes)'],
    },
    {
      name: 'broken UTF-8',
      files: { 'a.txt': new Uint8Array([0x61, 0xff]) },
      tool: 'read_file',
      input: { path: 'a.txt' },
      failed: true,
      contains: ['no UTF-8 text'],
    },
    {
      name: 'a huge file',
      files: { 'a.txt': new Uint8Array(8 * 1024 * 1024 + 1) },
      tool: 'read_file',
      input: { path: 'a.txt' },
      failed: true,
      contains: ['8.0 MB; at most 8 MB'],
    },
    {
      name: 'a byte order mark stays',
      files: { 'a.txt': '\ufeffx' },
      tool: 'read_file',
      input: { path: 'a.txt' },
      text: '\ufeffx',
    },
    {
      name: 'a link inside the folder',
      files: { 'a.txt': 'x', b: { to: 'a.txt' } },
      tool: 'read_file',
      input: { path: 'b' },
      text: 'x',
      notes: ['read a.txt'],
    },
  ];
  rows.forEach(checkTool);

  test('a pipe is not waited for', async () => {
    const root = await makeFolder();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const { result } = await callTool(root, { tool: 'read_file', input: { path: 'pipe' } });
    expect(result).toMatchObject({ failed: true, text: 'pipe is no ordinary file; it is neither read nor written.' });
  });
});
