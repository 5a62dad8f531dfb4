import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkTranscripts } from '../../../scripts/checkTranscripts';
import { inspectLog } from '../../../scripts/inspectLog';
import { buildChild, canDropRights } from '../../support/child';
import { answer, call, fileOf, prompt, result, text } from '../../support/claudeLines';
import { fixtures } from '../../support/claudeSessions';
import { writeSession } from '../../support/generate';

let folder: string;
const session = fileOf(
  prompt('u1', null, 'Try'),
  answer('a1', 'u1', 'm1', call('c1')),
  result('r1', 'a1', 'c1', 'no', { is_error: true }),
  answer('a2', 'r1', 'm2', call('c2')),
  result('r2', 'a2', 'c2', 'yes'),
  answer('a3', 'r2', 'm3', text('It worked.')),
);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'transcript-inspector-programs-'));
  put('session.jsonl', session);
  put('broken.jsonl', `${session}{"type":`);
  put('empty.jsonl', ' \n');
  put('notes.txt', 'no session');
  put('qwen.jsonl', '{"uuid":"1","sessionId":"s","type":"user","message":{"parts":[]}}');
  put('late.jsonl', `{"type":"file-history-snapshot","snapshot":"${'x'.repeat(2_000_000)}"}\n${session}`);
  put('blank.jsonl', `${'\n'.repeat(200_000)}${session}`);
  put('terminal.jsonl', session.replaceAll('2.1.20', '2\\u001b[2J\\u202e'));
  put('opencode.db', 'SQLite format 3\u0000 and more');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, content: string | Uint8Array): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

function run(...args: readonly string[]): { code: number; out: string; err: string } {
  const said = { out: '', err: '' };
  const inFolder = args.map((arg) => (/^[\w.]+\.(jsonl|txt|db)$/u.test(arg) ? join(folder, arg) : arg));
  const code = inspectLog(
    inFolder,
    (words) => (said.out += words),
    (words) => (said.err += words),
  );
  return { code, ...said };
}

describe('inspect', () => {
  it('prints one JSON object with the facts and issues', () => {
    const { code, out, err } = run('broken.jsonl', '--json');
    expect([code, err]).toEqual([0, '']);
    const value = JSON.parse(out) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual([
      ...['format', 'versions', 'lines', 'malformed', 'messages', 'tool_calls', 'tool_errors', 'signed', 'compactions'],
      ...['microcompactions', 'real_forks', 'sidechain_records', 'last_usage', 'issues'],
    ]);
    expect(value).toMatchObject({
      format: 'claude-code',
      versions: ['2.1.20'],
      lines: 7,
      malformed: 1,
      messages: 6,
      tool_calls: 2,
      tool_errors: 1,
      issues: [{ line: 7, kind: 'truncated' }],
    });
  });

  it('adds the projection of the active branch, without its messages', () => {
    const { code, out } = run('session.jsonl', '--json', '--policy', 'clean_tool_repair');
    expect(code).toBe(0);
    const { projection } = JSON.parse(out) as { projection: Record<string, unknown> };
    expect(projection).toMatchObject({ policy: 'clean_tool_repair', dropped_indices: [1, 2], kept_count: 4 });
    expect(projection).not.toHaveProperty('messages');
    expect(projection['prefix_hash']).toMatch(/^sha256:[0-9a-f]{64}$/u);
    const options = run('session.jsonl', '--json', '--policy', 'summary_prefix', '--options', '{"keep_last":1}');
    expect(JSON.parse(options.out)).toMatchObject({ projection: { kept_indices: [5], dropped_count: 5 } });
  });

  it('prints lines that line up for people', () => {
    const { code, out } = run('broken.jsonl', '--policy', 'raw');
    expect(code).toBe(0);
    expect(out).toContain('  format       Claude Code 2.1.20\n');
    expect(out).toContain('  tool calls   2, of which 1 failed\n');
    expect(out).toContain('1 issue:\n  line 7  truncated  ');
    expect(out).toContain('  reason       raw_passthrough\n');
  });

  const read = [
    { args: ['late.jsonl'], says: 'messages     6' },
    { args: ['blank.jsonl'], says: 'messages     6' },
    { args: ['terminal.jsonl'], says: 'Claude Code 2\ufffd[2J\ufffd' },
    { args: ['--policy=raw', '--options={"reason":"why"}', '--', 'session.jsonl'], says: 'reason       why' },
    { args: ['--help'], says: 'Use: npm run' },
  ];
  it.each(read)('$args: exit 0, and what is there', ({ args, says }) => {
    const { code, out, err } = run(...args);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(says);
  });

  const refused = [
    { args: [], says: 'No file was named. Use: npm run' },
    { args: ['none.jsonl'], says: 'There is no such file' },
    { args: ['/'], says: 'This is a folder, not a file: /.' },
    { args: ['empty.jsonl'], says: 'The file is empty' },
    { args: ['notes.txt'], says: 'This is no session log that is known here' },
    { args: ['qwen.jsonl'], says: 'Sessions of Qwen Code are recognised but not read yet' },
    { args: ['opencode.db'], says: 'This is an SQLite database' },
    { args: ['session.jsonl', 'broken.jsonl'], says: 'One file at a time' },
    { args: ['session.jsonl', '-p'], says: 'There is no option -p' },
    { args: ['none\u001b[2J.jsonl'], says: 'There is no such file: none\ufffd[2J.jsonl' },
    { args: ['session.jsonl', '--json=1'], says: 'There is no option --json=1' },
    { args: ['session.jsonl', '--polcy'], says: 'There is no option --polcy' },
    { args: ['session.jsonl', '--policy'], says: '--policy needs a value' },
    { args: ['session.jsonl', '--policy', 'best'], says: 'Unknown policy "best"' },
    { args: ['session.jsonl', '--policy', 'custom'], says: 'projector' },
    { args: ['session.jsonl', '--options', '{'], says: '--options is not JSON' },
    { args: ['session.jsonl', '--options', '[]'], says: 'must be one JSON object' },
    { args: ['session.jsonl', '--policy', 'raw', '--options', '{"keep":1}'], says: '"keep"' },
  ];
  it.each(refused)('$args: exit 1, and why', ({ args, says }) => {
    const { code, out, err } = run(...args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(says);
    expect(err.endsWith('\n')).toBe(true);
  });

  it.runIf(canDropRights())('a file without permission: exit 1, and why', async () => {
    const file = put('secret.jsonl', session);
    chmodSync(folder, 0o755);
    chmodSync(file, 0o600);
    const child = buildChild('scripts/inspect.ts');
    try {
      const { code, stdout, stderr } = await child.run([file, '--json'], { unprivileged: true });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(`There is no permission for this: ${file}. Ask its owner`);
    } finally {
      child.dispose();
    }
  });
});

describe('transcripts', () => {
  function check(files: Readonly<Record<string, string | Uint8Array>>): { code: number; lines: string[] } {
    const root = mkdtempSync(join(folder, 'logs-'));
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), content);
    }
    const lines: string[] = [];
    return { code: checkTranscripts([root], (line) => lines.push(line)), lines };
  }

  const facts = (value: unknown): string => JSON.stringify(value);
  const rows = [
    {
      name: 'no facts: whatever can be read has passed',
      files: { 'a/b.jsonl': session, 'c.json': '{"name":"x"}' },
      last: '1 passed, 0 failed',
      code: 0,
    },
    {
      name: 'the expected facts',
      files: { 'a/b.jsonl': session, 'facts.json': facts({ 'a/b.jsonl': { messages: 6, versions: ['2.1.20'] } }) },
      last: '1 passed, 0 failed',
      code: 0,
    },
    {
      name: 'other facts',
      files: { 'b.jsonl': session, 'facts.json': facts({ 'b.jsonl': { messages: 7, signed: 0 } }) },
      says: 'FAIL b.jsonl: messages is 6, expected 7',
      last: '0 passed, 1 failed',
      code: 1,
    },
    {
      name: 'a file that is missing',
      files: { 'facts.json': facts({ 'b.jsonl': {} }) },
      says: 'FAIL b.jsonl: facts.json names it',
      last: '0 passed, 1 failed',
      code: 1,
    },
    {
      name: 'a format that is not read yet',
      files: {
        'q.jsonl': '{"sessionId":"s","type":"user","message":{"parts":[]}}',
        'facts.json': facts({ 'q.jsonl': { messages: 1 } }),
      },
      says: 'skip q.jsonl: Sessions of Qwen Code are recognised but not read yet',
      last: '0 passed, 0 failed',
      code: 0,
    },
    { name: 'facts that are no JSON', files: { 'facts.json': '{' }, says: 'This is not JSON', code: 1 },
    { name: 'nothing', files: {}, says: 'There is no session log below', last: '0 passed, 0 failed', code: 0 },
  ];
  it.each(rows)('$name', ({ files, says, last, code }) => {
    const result = check(files);
    expect(result.code).toBe(code);
    if (says !== undefined) expect(result.lines.join('\n')).toContain(says);
    if (last !== undefined) expect(result.lines.at(-1)).toBe(last);
  });

  it('every odd session of ours, and generated ones, torn or not', () => {
    const root = mkdtempSync(join(folder, 'all-'));
    const expected: Record<string, unknown> = {};
    fixtures.forEach(({ bytes, facts: known }, i) => {
      writeFileSync(join(root, `${i}.jsonl`), bytes);
      expected[`${i}.jsonl`] = known;
    });
    for (const torn of [false, true]) {
      expected[`torn-${torn}.jsonl`] = writeSession(join(root, `torn-${torn}.jsonl`), { seed: 11, turns: 300, torn });
    }
    writeFileSync(join(root, 'facts.json'), JSON.stringify(expected));
    const lines: string[] = [];
    expect(checkTranscripts([root], (line) => lines.push(line))).toBe(0);
    expect(lines.at(-1)).toBe(`${fixtures.length + 2} passed, 0 failed`);
  });

  it.each([{ args: [] }, { args: ['a', 'b'] }, { args: ['/none/at/all'] }])('$args is refused', ({ args }) => {
    const lines: string[] = [];
    expect(checkTranscripts(args, (line) => lines.push(line))).toBe(1);
    expect(lines).toHaveLength(1);
  });
});
