import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { contentOf, makeFolder } from '../folder';
import type { Row } from './checkTool';
import { callTool, checkTool } from './checkTool';

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim()[0] !== 'Z';
  } catch {
    return false;
  }
}

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
