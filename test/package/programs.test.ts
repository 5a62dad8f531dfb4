import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command } from '../support/command';

let folder: string;

/** The smallest session that has something of everything: a question, a call with its result, and an answer. */
const session = [
  { type: 'user', uuid: 'u1', parentUuid: null, message: { role: 'user', content: 'What is in a.txt?' } },
  {
    type: 'assistant',
    uuid: 'u2',
    parentUuid: 'u1',
    message: {
      id: 'm1',
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: '/a.txt' } }],
    },
  },
  {
    type: 'user',
    uuid: 'u3',
    parentUuid: 'u2',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'hello' }] },
  },
  {
    type: 'assistant',
    uuid: 'u4',
    parentUuid: 'u3',
    message: { id: 'm2', role: 'assistant', content: [{ type: 'text', text: 'hello' }] },
  },
].map((record) => ({
  ...record,
  sessionId: 's1',
  version: '2.0.0',
  isSidechain: false,
  timestamp: '2026-01-01T00:00:00.000Z',
}));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transcript-inspector-test-'));
  const lines = session.map((record) => `${JSON.stringify(record)}\n`).join('');
  await mkdir(join(folder, 'logs'));
  await writeFile(join(folder, 'logs', 'session.jsonl'), lines);
  await writeFile(join(folder, 'broken.jsonl'), `${lines}{"type":"us\n`);
  await writeFile(join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Facts {
  readonly format: string;
  readonly lines: number;
  readonly malformed: number;
  readonly tool_calls: number;
  readonly issues: readonly { readonly line: number; readonly kind: string; readonly text: string }[];
}

async function run(...args: readonly string[]): Promise<{ code: number | string; out: string; err: string }> {
  const command = new Command('program.mjs', args);
  const code = await command.ended;
  return { code, out: command.out, err: command.err };
}

describe('inspect', () => {
  it.each([
    ['logs/session.jsonl', { format: 'claude-code', lines: 4, malformed: 0, tool_calls: 1 }, []],
    ['broken.jsonl', { format: 'claude-code', lines: 5, malformed: 1, tool_calls: 1 }, [5]],
  ])('prints the facts of %s as one JSON object and nothing else', async (file, expected, places) => {
    const { code, out, err } = await run('inspect', join(folder, file), '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const facts = JSON.parse(out) as Facts;
    expect(facts).toMatchObject(expected);
    expect(facts.issues.map(({ line }) => line)).toEqual(places);
  });

  it.each([
    ['a file that is not there', ['nothing.jsonl', '--json']],
    ['a picture', ['picture.png', '--json']],
    ['no file', []],
  ])('says what is wrong with %s, on stderr', async (_what, [file, ...rest]) => {
    const { code, out, err } = await run('inspect', ...(file ? [join(folder, file)] : []), ...rest);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).not.toBe('');
    expect(err).not.toMatch(/\n {4}at /);
  });
});

describe.each([
  ['vectors', () => join('test', 'vectors')],
  ['transcripts', () => join(folder, 'logs')],
])('%s', (program, dir) => {
  it('closes with its counts', async () => {
    const { code, out } = await run(program, dir());
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^\d+ passed, 0 failed$/);
    expect(code).toBe(0);
  });

  it.each([[[]], [['/no/such/folder']]])('says what is wrong with %j', async (args) => {
    const { code, out, err } = await run(program, ...args);
    expect(code).toBe(1);
    expect(out + err).toMatch(/folder/);
    expect(out + err).not.toMatch(/\n {4}at /);
  });
});
