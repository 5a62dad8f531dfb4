import { describe } from 'vitest';
import type { Row } from './checkTool';
import { checkTool } from './checkTool';

describe('list_files and search', () => {
  const tree = {
    'b/c.txt': 'needle\nNeedle',
    'a.txt': 'no',
    '.git/x': 'needle',
    'node_modules/m/i.js': 'needle',
    bin: new Uint8Array([0, 1]),
    l: { to: 'a.txt' },
  };
  const rows: readonly Row[] = [
    {
      name: 'lists all',
      files: tree,
      tool: 'list_files',
      input: {},
      text: 'a.txt\nb/\nb/c.txt\nbin\nl (symbolic link)',
      asked: [],
    },
    { name: 'lists a folder', files: tree, tool: 'list_files', input: { path: 'b' }, text: 'b/c.txt' },
    { name: 'an empty folder', tool: 'list_files', input: {}, text: '. is empty.' },
    { name: 'no such folder', tool: 'list_files', input: { path: 'x' }, failed: true, contains: ['x does not exist'] },
    {
      name: 'a file is no folder',
      files: tree,
      tool: 'list_files',
      input: { path: 'a.txt' },
      failed: true,
      contains: ['is a file, not a folder'],
    },
    {
      name: 'too many',
      files: Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`f${index}`, ''])),
      tool: 'list_files',
      input: {},
      truncated: true,
      contains: ['More than 500'],
    },
    { name: 'finds', files: tree, tool: 'search', input: { text: 'needle' }, text: 'b/c.txt:1: needle', notes: [] },
    {
      name: 'finds without case',
      files: tree,
      tool: 'search',
      input: { text: 'NEEDLE', ignore_case: true },
      text: 'b/c.txt:1: needle\nb/c.txt:2: Needle',
    },
    {
      name: 'finds in one file',
      files: tree,
      tool: 'search',
      input: { text: 'n', path: 'a.txt' },
      text: 'a.txt:1: no',
    },
    { name: 'finds nothing', files: tree, tool: 'search', input: { text: 'zzz' }, contains: ['No line holds “zzz”'] },
    { name: 'a text, no pattern', files: { a: 'a.b\naxb' }, tool: 'search', input: { text: 'a.b' }, text: 'a:1: a.b' },
    {
      name: 'no such place',
      tool: 'search',
      input: { text: 'x', path: 'nope' },
      failed: true,
      contains: ['nope does not exist'],
    },
    {
      name: 'more than one line',
      tool: 'search',
      input: { text: 'a\nb' },
      failed: true,
      contains: ['within one line'],
    },
    {
      name: 'too many matches',
      files: { a: 'x\n'.repeat(201) },
      tool: 'search',
      input: { text: 'x' },
      truncated: true,
      contains: ['More than 200 matches'],
    },
  ];
  rows.forEach(checkTool);
});
