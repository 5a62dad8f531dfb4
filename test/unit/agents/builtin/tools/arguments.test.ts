import { describe } from 'vitest';
import type { Row } from './checkTool';
import { checkTool } from './checkTool';

describe('calls that are not valid', () => {
  const rows: readonly Row[] = [
    {
      name: 'an unknown tool',
      tool: 'fly',
      input: {},
      failed: true,
      contains: ['There is no tool `fly`', 'read_file, write_file'],
    },
    {
      name: 'no object',
      tool: 'read_file',
      input: '{"path":',
      failed: true,
      contains: ['must be a JSON object, not a string'],
    },
    { name: 'null', tool: 'read_file', input: null, failed: true, contains: ['not null'] },
    { name: 'a list', tool: 'read_file', input: [], failed: true, contains: ['not a list'] },
    { name: 'a missing argument', tool: 'read_file', input: {}, failed: true, contains: ['`path` is missing'] },
    {
      name: 'an empty one',
      tool: 'read_file',
      input: { path: '' },
      failed: true,
      contains: ['`path` must not be empty'],
    },
    {
      name: 'a wrong type',
      tool: 'read_file',
      input: { path: 5 },
      failed: true,
      contains: ['`path` must be a string, not a number'],
    },
    {
      name: 'a fraction',
      tool: 'read_file',
      input: { path: 'a', limit: 1.5 },
      failed: true,
      contains: ['`limit` must be a whole number'],
    },
    {
      name: 'out of range',
      tool: 'run_command',
      input: { command: 'x', timeout_seconds: 601 },
      failed: true,
      contains: ['at most 600'],
      asked: [],
    },
    {
      name: 'unknown ones and a missing one',
      tool: 'search',
      input: { query: 'x' },
      failed: true,
      contains: ['unknown argument(s): query (allowed: text, path, ignore_case); `text` is missing'],
    },
    {
      name: 'a name of every object',
      tool: 'read_file',
      input: { path: 'a', constructor: 1 },
      failed: true,
      contains: ['unknown argument(s): constructor'],
    },
    {
      name: 'nobody is asked for what is not valid',
      tool: 'write_file',
      input: { path: 'a' },
      failed: true,
      contains: ['`content` is missing'],
      asked: [],
    },
  ];
  rows.forEach(checkTool);
});
