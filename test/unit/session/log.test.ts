import { appendFile, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LogRecord } from '../../../extension/engine/state/record';
import { SessionLog } from '../../../extension/session/sessionLog';
import type { IssueView } from '../../../extension/protocol/view';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-'));
});
afterEach(() => rm(folder, { recursive: true }));

function recordOf(id: string, batch?: string): LogRecord {
  const headers: Record<string, string> = batch === undefined ? {} : { batch };
  return { id, event: { kind: 'test', payload: { id }, headers, occurred_at_ms: 1 } };
}

const line = (id: string, batch?: string): string => JSON.stringify(recordOf(id, batch)) + '\n';

interface Reading {
  readonly ids: string[];
  readonly issues: IssueView[];
  readonly file: SessionLog;
}

let tokens = 0;

async function openLog(file: string): Promise<Reading> {
  const ids: string[] = [];
  const issues: IssueView[] = [];
  const log = await SessionLog.open(
    file,
    { token: `token-${tokens++}`, flush: false },
    { record: (record) => void ids.push(record.id), issue: (issue) => void issues.push(issue) },
  );
  return { ids, issues, file: log };
}

interface Case {
  readonly name: string;
  readonly text: string | Uint8Array;
  readonly ids: readonly string[];
  /** `line kind` of each issue. */
  readonly issues: readonly string[];
  /** What is kept aside. */
  readonly torn?: string;
}

async function checkReading({ text, ids, issues, torn }: Case): Promise<void> {
  const path = join(folder, 'session.jsonl');
  await writeFile(path, text);
  const first = await openLog(path);
  expect(first.ids).toEqual(ids);
  expect(first.issues.map((issue) => `${issue.line} ${issue.kind}`)).toEqual(issues);
  first.file.append([recordOf('after')]);
  first.file.close();
  if (torn !== undefined) expect(await readFile(`${path}.torn`, 'utf8')).toBe(torn + '\n');
  const second = await openLog(path);
  expect(second.ids).toEqual([...ids, 'after']);
  expect(second.issues.filter((issue) => issue.text.includes('.torn'))).toEqual([]);
  second.file.close();
}

const cases: readonly Case[] = [
  { name: 'empty', text: '', ids: [], issues: [] },
  { name: 'two records', text: line('a') + line('b'), ids: ['a', 'b'], issues: [] },
  {
    name: 'torn last line',
    text: line('a') + '{"id":"b","ev',
    ids: ['a'],
    issues: ['2 truncated'],
    torn: '{"id":"b","ev',
  },
  { name: 'only a torn line', text: '{"id', ids: [], issues: ['1 truncated'], torn: '{"id' },
  { name: 'only the newline is missing', text: line('a') + line('b').trimEnd(), ids: ['a', 'b'], issues: [] },
  { name: 'zeros at the end', text: line('a') + '\0\0\0', ids: ['a'], issues: ['2 truncated'], torn: '\0\0\0' },
  {
    name: 'torn inside a character',
    text: Buffer.concat([Buffer.from(line('a')), Buffer.from('"é').subarray(0, 2)]),
    ids: ['a'],
    issues: ['2 truncated'],
  },
  {
    name: 'broken line in the middle',
    text: line('a') + '{oh no\n' + line('b'),
    ids: ['a', 'b'],
    issues: ['2 invalid-json'],
  },
  { name: 'no object', text: '[1]\n' + line('b'), ids: ['b'], issues: ['1 wrong-shape'] },
  { name: 'no event', text: '{"id":"a"}\n' + line('b'), ids: ['b'], issues: ['1 wrong-shape'] },
  {
    name: 'headers that are no strings',
    text: line('a').replace('"headers":{}', '"headers":{"x":1}') + line('b'),
    ids: ['b'],
    issues: ['1 wrong-shape'],
  },
  { name: 'blank lines', text: '\n' + line('a') + '\n\n' + line('b'), ids: ['a', 'b'], issues: [] },
  { name: 'a whole batch', text: line('a', '1/2') + line('b', '2/2') + line('c'), ids: ['a', 'b', 'c'], issues: [] },
  {
    name: 'a batch cut between its records',
    text: line('x') + line('a', '1/3') + line('b', '2/3'),
    ids: ['x'],
    issues: ['4 truncated'],
    torn: (line('a', '1/3') + line('b', '2/3')).trimEnd() + '\n',
  },
  {
    name: 'a batch cut inside its last record',
    text: line('x') + line('a', '1/2') + '{"id":"b"',
    ids: ['x'],
    issues: ['3 truncated'],
    torn: line('a', '1/2') + '{"id":"b"',
  },
  {
    name: 'a batch broken in the middle',
    text: line('a', '1/2') + '{\n' + line('c'),
    ids: ['c'],
    issues: ['2 invalid-json', '1 truncated'],
  },
  { name: 'the end of a batch alone', text: line('b', '2/2') + line('c'), ids: ['c'], issues: ['1 truncated'] },
];

describe('a log', () => {
  for (const each of cases) test(each.name, () => checkReading(each));

  test('invalid UTF-8 is reported and does not cost the record', async () => {
    const path = join(folder, 'session.jsonl');
    const bytes = Buffer.from(line('z'));
    bytes[bytes.lastIndexOf(0x7a)] = 0xff;
    await writeFile(path, bytes);
    const { ids, issues, file } = await openLog(path);
    expect(ids).toHaveLength(1);
    expect(issues.map((issue) => issue.kind)).toEqual(['invalid-utf8']);
    file.close();
  });

  test('one window writes, another follows and takes over', async () => {
    const path = join(folder, 'session.jsonl');
    const first = await openLog(path);
    first.file.append([recordOf('a')]);
    const second = await openLog(path);
    expect(second.file.heldBy).toBe(process.pid);
    expect(second.file.append([recordOf('no')])).toBeNull();
    first.file.append([recordOf('b')]);
    await appendFile(path, '{"half');
    await second.file.read();
    expect(second.ids).toEqual(['a', 'b']);
    expect(await second.file.claim()).toBe(false);
    first.file.close();
    expect(await second.file.claim()).toBe(true);
    second.file.append([recordOf('c')]);
    second.file.close();
    const third = await openLog(path);
    expect(third.ids).toEqual(['a', 'b', 'c']);
    expect(await readFile(`${path}.torn`, 'utf8')).toBe('{"half\n');
    third.file.close();
  });

  const others: readonly {
    readonly name: string;
    readonly does: (path: string) => Promise<void>;
    readonly ids: readonly string[] | RegExp;
    readonly torn?: string;
  }[] = [
    { name: 'deletes it', does: (path) => rm(path), ids: ['a', 'b'] },
    { name: 'appends to it', does: (path) => appendFile(path, 'mine\n'), ids: ['a', 'b'], torn: 'mine\n\n' },
    { name: 'cuts it', does: (path) => truncate(path, 5), ids: /was cut by another program/ },
    {
      name: 'puts another in its place',
      does: async (path) => {
        await rm(path);
        await writeFile(path, 'mine\n');
      },
      ids: /could not be written.*EEXIST/,
    },
  ];
  for (const { name, does, ids, torn } of others) {
    test(`somebody else ${name} while it is open`, async () => {
      const path = join(folder, 'session.jsonl');
      const { file } = await openLog(path);
      file.append([recordOf('a')]);
      await does(path);
      const left = ids instanceof RegExp ? await readFile(path, 'utf8') : null;
      if (ids instanceof RegExp) {
        expect(() => file.append([recordOf('b')])).toThrow(ids);
        expect(await readFile(path, 'utf8')).toBe(left);
      } else file.append([recordOf('b')]);
      file.close();
      if (!(ids instanceof RegExp)) expect((await openLog(path)).ids).toEqual(ids);
      if (torn !== undefined) expect(await readFile(`${path}.torn`, 'utf8')).toBe(torn);
    });
  }

  test('a log that cannot be written here is read all the same, and written once it can be', async () => {
    const path = join(folder, 'session.jsonl');
    await writeFile(path, line('a'));
    await mkdir(`${path}.lock`);
    const { ids, file } = await openLog(path);
    expect(ids).toEqual(['a']);
    expect(file.append([recordOf('no')])).toBeNull();
    expect(file.refusal).toMatch(/can only be looked at\. .*session\.jsonl/);
    await rm(`${path}.lock`, { recursive: true });
    expect(await file.claim()).toBe(true);
    expect(file.refusal).toBeNull();
    file.append([recordOf('b')]);
    file.close();
  });

  const locks: readonly { readonly name: string; readonly lock: string; readonly held: boolean }[] = [
    {
      name: 'of a process that is gone',
      lock: JSON.stringify({ pid: 2 ** 22 - 1, host: '', started: '', token: 'x' }),
      held: false,
    },
    {
      name: 'of a process number that was given out again',
      lock: JSON.stringify({ pid: 1, host: '', started: 'long ago', token: 'x' }),
      held: false,
    },
    {
      name: 'of this process before it was restarted under the same number',
      lock: JSON.stringify({ pid: process.pid, host: '', started: '', token: 'x' }),
      held: false,
    },
    {
      name: 'of a living process',
      lock: JSON.stringify({ pid: process.ppid, host: '', started: '', token: 'x' }),
      held: true,
    },
    {
      name: 'on another machine',
      lock: JSON.stringify({ pid: 1, host: 'elsewhere', started: '', token: 'x' }),
      held: true,
    },
    { name: 'that was cut short', lock: '{"pid"', held: false },
    { name: 'that is empty', lock: '', held: false },
  ];
  for (const { name, lock, held } of locks) {
    test(`a lock ${name} is ${held ? 'respected' : 'taken over'}`, async () => {
      const path = join(folder, 'session.jsonl');
      const { hostname } = await import('node:os');
      await writeFile(`${path}.lock`, lock.replace('"host":""', `"host":${JSON.stringify(hostname())}`));
      const { file } = await openLog(path);
      expect(file.heldBy !== null).toBe(held);
      file.close();
    });
  }
});
