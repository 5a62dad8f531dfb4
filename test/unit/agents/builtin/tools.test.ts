import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dispatch } from '../../../../extension/agents/builtin/dispatch';
import { Permissions } from '../../../../extension/agents/builtin/permissions';
import { tools } from '../../../../extension/agents/builtin/tools';
import type { FileNotes, ToolResult } from '../../../../extension/agents/builtin/tools/tool';
import { openWorkspace } from '../../../../extension/agents/builtin/tools/workspace';
import type { Content } from './folder';
import { contentOf, makeFolder } from './folder';

interface Row {
  readonly name: string;
  readonly files?: Readonly<Record<string, Content>>;
  readonly tool: string;
  readonly input: unknown;
  /** The person's answer; true unless said otherwise. */
  readonly allow?: boolean;
  readonly failed?: boolean;
  readonly truncated?: boolean;
  /** The whole text. */
  readonly text?: string;
  readonly contains?: readonly string[];
  readonly lacks?: readonly string[];
  /** Files afterwards; null: there is none. */
  readonly after?: Readonly<Record<string, string | null>>;
  /** What was noted of files, in order. */
  readonly notes?: readonly string[];
  readonly asked?: readonly string[];
}

interface Called {
  readonly result: ToolResult;
  readonly notes: readonly string[];
  readonly asked: readonly string[];
}

async function callTool(
  root: string,
  row: Pick<Row, 'tool' | 'input' | 'allow'>,
  signal = new AbortController().signal,
): Promise<Called> {
  const notes: string[] = [];
  const asked: string[] = [];
  const relative = (path: string): string => path.slice(root.length + 1);
  const files: FileNotes = {
    read: (path) => void notes.push(`read ${relative(path)}`),
    wrote: (path) => void notes.push(`wrote ${relative(path)}`),
    missed: (path) => void notes.push(`missed ${relative(path)}`),
    hold: (action) => action(),
    during: (action) => {
      notes.push('during');
      return action();
    },
  };
  const permissions = new Permissions('s', () => {
    for (const view of permissions.views) {
      asked.push(view.title);
      permissions.answer(view.id, row.allow ?? true, false);
    }
  });
  const call = { id: 'c1', name: row.tool, input: row.input };
  const context = { workspace: await openWorkspace(root), files, signal };
  const result = await dispatch(call, {
    tools,
    permissions,
    context,
    answered: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  return { result, notes, asked };
}

function checkTool(row: Row): void {
  test(row.name, async () => {
    const root = await makeFolder(row.files);
    const { result, notes, asked } = await callTool(root, row);
    expect(result.text).not.toContain(root);
    if (row.text !== undefined) expect(result.text).toBe(row.text);
    for (const part of row.contains ?? []) expect(result.text).toContain(part);
    for (const part of row.lacks ?? []) expect(result.text).not.toContain(part);
    expect(result.failed).toBe(row.failed ?? false);
    expect(result.truncated).toBe(row.truncated ?? false);
    if (row.notes !== undefined) expect(notes).toEqual(row.notes);
    if (row.asked !== undefined) expect(asked).toEqual(row.asked);
    for (const [path, content] of Object.entries(row.after ?? {})) expect(await contentOf(root, path)).toBe(content);
  });
}

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

describe('paths never lead outside', () => {
  const escapes: readonly { name: string; path: string; files?: Row['files']; says?: string }[] = [
    { name: 'up', path: '../x' },
    { name: 'up from below', path: 'd/../../x', files: { 'd/a': '' } },
    { name: 'up, written with a missing folder', path: 'missing/../../x' },
    { name: 'absolute', path: '/etc/hostname' },
    { name: 'the root', path: '/' },
    { name: 'a link to a file', path: 'l', files: { l: { to: '/etc/hostname' } } },
    { name: 'a link to a folder', path: 'l/hostname', files: { l: { to: '/etc' } } },
    { name: 'a link up', path: 'l/x', files: { l: { to: '..' } } },
    { name: 'a link to a link', path: 'k/hostname', files: { l: { to: '/etc' }, k: { to: 'l' } } },
    { name: 'a new file behind a linked folder', path: 'l/new/deep.txt', files: { l: { to: '/tmp' } } },
    { name: 'a link that leads nowhere', path: 'l', files: { l: { to: '/nowhere/x' } }, says: 'leads nowhere' },
    { name: 'a circle of links', path: 'l', files: { l: { to: 'l' } }, says: 'circle' },
    { name: 'a NUL character', path: 'a\0b', says: 'NUL' },
  ];
  for (const tool of ['read_file', 'write_file', 'edit_file', 'list_files', 'search']) {
    for (const { name, path, files, says } of escapes) {
      const extra =
        { write_file: { content: 'x' }, edit_file: { old_text: 'a', new_text: 'b' }, search: { text: 'a' } }[tool] ??
        {};
      checkTool({
        name: `${tool}: ${name}`,
        ...(files === undefined ? {} : { files }),
        tool,
        input: { path, ...extra },
        failed: true,
        contains: [says ?? 'outside the workspace folder'],
        notes: [],
      });
    }
  }

  test('a folder whose name begins alike is outside', async () => {
    const root = await makeFolder({ 'ws/a': '', 'ws-other/secret': 'secret' });
    const { result } = await callTool(join(root, 'ws'), { tool: 'read_file', input: { path: '../ws-other/secret' } });
    expect(result).toMatchObject({ failed: true });
    expect(result.text).toContain('outside');
  });

  checkTool({
    name: 'a name with dots is inside',
    files: { '..a': 'x' },
    tool: 'read_file',
    input: { path: '..a' },
    text: 'x',
  });

  test('an absolute path inside is taken', async () => {
    const root = await makeFolder({ 'a.txt': 'x' });
    const { result } = await callTool(root, { tool: 'read_file', input: { path: join(root, 'a.txt') } });
    expect(result.text).toBe('x');
  });

  test('a workspace reached over a link', async () => {
    const root = await makeFolder({ 'real/a.txt': 'x', link: { to: 'real' } });
    const { result } = await callTool(join(root, 'link'), { tool: 'read_file', input: { path: 'a.txt' } });
    expect(result.text).toBe('x');
  });
});

describe('write_file and edit_file', () => {
  const rows: readonly Row[] = [
    {
      name: 'a new file with its folders',
      tool: 'write_file',
      input: { path: 'd/e/a.txt', content: 'äb' },
      text: 'Wrote d/e/a.txt (3 bytes).',
      after: { 'd/e/a.txt': 'äb' },
      notes: ['wrote d/e/a.txt'],
      asked: ['Write d/e/a.txt (1 line)'],
    },
    {
      name: 'in place of a longer one',
      files: { a: 'long content' },
      tool: 'write_file',
      input: { path: 'a', content: 'x' },
      after: { a: 'x' },
    },
    {
      name: 'not allowed',
      files: { a: 'old' },
      tool: 'write_file',
      input: { path: 'a', content: 'x' },
      allow: false,
      failed: true,
      contains: ['did not allow'],
      after: { a: 'old' },
      notes: [],
    },
    {
      name: 'over a folder',
      files: { 'd/a': '' },
      tool: 'write_file',
      input: { path: 'd', content: 'x' },
      failed: true,
      contains: ['d is a folder'],
    },
    {
      name: 'edits once',
      files: { a: 'one two' },
      tool: 'edit_file',
      input: { path: 'a', old_text: 'two', new_text: '$& three' },
      text: 'Edited a (1 replacement).',
      after: { a: 'one $& three' },
      notes: ['wrote a'],
      asked: ['Edit a'],
    },
    {
      name: 'not there',
      files: { a: 'one' },
      tool: 'edit_file',
      input: { path: 'a', old_text: 'two', new_text: '' },
      failed: true,
      contains: ['is not in a'],
      after: { a: 'one' },
    },
    {
      name: 'there twice',
      files: { a: 'x x' },
      tool: 'edit_file',
      input: { path: 'a', old_text: 'x', new_text: 'y' },
      failed: true,
      contains: ['2 times'],
      after: { a: 'x x' },
    },
    {
      name: 'all of them',
      files: { a: 'x x' },
      tool: 'edit_file',
      input: { path: 'a', old_text: 'x', new_text: 'y', all: true },
      text: 'Edited a (2 replacements).',
      after: { a: 'y y' },
    },
    {
      name: 'the same text',
      files: { a: 'x' },
      tool: 'edit_file',
      input: { path: 'a', old_text: 'x', new_text: 'x' },
      failed: true,
      contains: ['nothing to do'],
    },
    {
      name: 'Windows line ends',
      files: { a: 'one\r\ntwo\r\n' },
      tool: 'edit_file',
      input: { path: 'a', old_text: 'one\ntwo', new_text: '1\n2' },
      after: { a: '1\r\n2\r\n' },
    },
    {
      name: 'a missing file',
      tool: 'edit_file',
      input: { path: 'a', old_text: 'x', new_text: 'y' },
      failed: true,
      contains: ['a does not exist'],
      after: { a: null },
    },
    {
      name: 'a binary file',
      files: { a: new Uint8Array([0]) },
      tool: 'edit_file',
      input: { path: 'a', old_text: 'x', new_text: 'y' },
      failed: true,
      contains: ['no UTF-8 text'],
    },
  ];
  rows.forEach(checkTool);
});

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

describe('run_command', () => {
  const rows: readonly Row[] = [
    {
      name: 'prints',
      tool: 'run_command',
      input: { command: 'echo out; echo err >&2' },
      contains: ['out\n', 'err\n', '[Exit code 0.]'],
      notes: ['during'],
      asked: ['Run echo out; echo err >&2'],
    },
    {
      name: 'in the workspace folder',
      files: { 'a.txt': '' },
      tool: 'run_command',
      input: { command: 'ls' },
      contains: ['a.txt'],
    },
    {
      name: 'prints nothing',
      tool: 'run_command',
      input: { command: 'true' },
      text: '(nothing was printed)\n[Exit code 0.]',
    },
    { name: 'fails', tool: 'run_command', input: { command: 'exit 3' }, failed: true, contains: ['[Exit code 3.]'] },
    {
      name: 'ended by a signal',
      tool: 'run_command',
      input: { command: 'kill -9 $$' },
      failed: true,
      contains: ['[Ended by SIGKILL.]'],
    },
    {
      name: 'not allowed',
      tool: 'run_command',
      input: { command: 'touch made' },
      allow: false,
      failed: true,
      contains: ['did not allow'],
      after: { made: null },
    },
    {
      name: 'too long',
      tool: 'run_command',
      input: { command: 'sleep 600', timeout_seconds: 1 },
      failed: true,
      contains: ['[Stopped after 1 second: the time limit.]'],
    },
    {
      name: 'does not wait for input',
      tool: 'run_command',
      input: { command: 'cat' },
      text: '(nothing was printed)\n[Exit code 0.]',
    },
    {
      name: 'prints too much',
      tool: 'run_command',
      input: { command: `node -e "process.stdout.write('a' + '\u{1f600}'.repeat(60000) + 'z')"` },
      truncated: true,
      contains: ['characters left out', 'z\n[Exit code 0.]'],
      lacks: ['\ufffd'],
    },
    {
      name: 'is not told of the editor',
      tool: 'run_command',
      input: { command: 'echo [$VSCODE_TEST_MARK]' },
      contains: ['[]'],
    },
  ];
  process.env.VSCODE_TEST_MARK = 'seen';
  rows.forEach(checkTool);

  test('what it leaves running is stopped', async () => {
    const root = await makeFolder();
    const { result } = await callTool(root, { tool: 'run_command', input: { command: 'sleep 600 & echo $!' } });
    const pid = Number(/\d+/.exec(result.text)?.[0]);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('a stop ends the whole group', async () => {
    const root = await makeFolder();
    const controller = new AbortController();
    const running = callTool(
      root,
      { tool: 'run_command', input: { command: 'sleep 600 & echo $! > pid; wait' } },
      controller.signal,
    );
    await expect.poll(async () => ((await contentOf(root, 'pid')) ?? '').trim()).not.toBe('');
    controller.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    await expect.poll(async () => isRunning(Number(await contentOf(root, 'pid')))).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim()[0] !== 'Z';
  } catch {
    return false;
  }
}

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

test('"always" covers the tool, and of commands this very one', async () => {
  const root = await makeFolder();
  const asked: string[] = [];
  const permissions = new Permissions('s', () => {
    for (const view of permissions.views) {
      asked.push(view.title);
      permissions.answer(view.id, true, true);
    }
  });
  const files: FileNotes = {
    read: () => undefined,
    wrote: () => undefined,
    missed: () => undefined,
    hold: (action) => action(),
    during: (action) => action(),
  };
  const context = { workspace: await openWorkspace(root), files, signal: new AbortController().signal };
  const inputs: readonly [string, object][] = [
    ['write_file', { path: 'a', content: '' }],
    ['write_file', { path: 'b', content: '' }],
    ['run_command', { command: 'true' }],
    ['run_command', { command: 'true' }],
    ['run_command', { command: 'true ' }],
  ];
  for (const [name, input] of inputs) {
    await dispatch(
      { id: 'c', name, input },
      { tools, permissions, context, answered: () => undefined, onError: () => undefined },
    );
  }
  expect(asked).toEqual(['Write a (0 lines)', 'Run true', 'Run true ']);
  expect(() => permissions.answer('s:c', true, false)).toThrow('does not wait');
});
