import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { descendants } from '../../scripts/processes.mjs';
import { root, say } from '../../scripts/project.mjs';
import { ensureVSCode, missingForVSCode } from '../../scripts/vscode.mjs';
import { Command } from '../support/command';
import { listeningAddresses } from '../support/sockets';

const missing = missingForVSCode();
if (missing) say(`The tests of npm start with VS Code from npm are skipped: ${missing}.`);

let folder: string;
const running = new Set<Command>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transcript-inspector-test-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

afterEach(async () => {
  for (const command of running) {
    command.signal('SIGTERM');
    await command.ended;
  }
  running.clear();
});

function start(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Command {
  const command = new Command('start.mjs', args, { TMPDIR: folder, ...env });
  running.add(command);
  return command;
}

async function startServer(): Promise<{ command: Command; address: string; password: string; workspace: string }> {
  // As in a terminal inside of a VS Code on a server: its `code` is no desktop VS Code.
  const command = start([], { VSCODE_IPC_HOOK_CLI: 'somewhere' });
  const [, workspace = '', address = '', password = ''] = await command.prints(
    /running with (\S+)\s+Address: {2}(\S+)\s+Password: (\S+)[^]*Ctrl-C/,
  );
  return { command, address, password, workspace };
}

/** Every process below the command, by pid, that is still there. */
function alive(pids: readonly number[], parent: number): number[] {
  return pids.filter((pid) => descendants(1).some((entry) => entry.pid === pid && pid !== parent));
}

describe.skipIf(missing !== undefined)('npm start, with VS Code from npm', () => {
  beforeAll(async () => {
    await ensureVSCode();
  });

  it('listens on loopback only, with a password that it prints, and works on a copy of the sample', async () => {
    const { command, address, password, workspace } = await startServer();
    expect(new URL(address).hostname).toBe('127.0.0.1');
    expect(password.length).toBeGreaterThanOrEqual(16);
    expect(workspace.startsWith(root)).toBe(false);
    expect(await readFile(join(workspace, 'src', 'duration.js'), 'utf8')).toBe(
      await readFile(join(root, 'media', 'sample', 'src', 'duration.js'), 'utf8'),
    );

    const sockets = listeningAddresses([command.pid, ...descendants(command.pid).map(({ pid }) => pid)]);
    expect(sockets).toContain(new URL(address).host);
    expect(sockets.filter((socket) => !/^(127\.0\.0\.1|\[::1\]):/.test(socket))).toEqual([]);

    const get = (path: string, cookie = '') =>
      fetch(new URL(path, address), { redirect: 'manual', headers: { cookie } });
    const login = (word: string) =>
      fetch(new URL('/login', address), {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ password: word }),
      });
    const asked = await get('/');
    expect([asked.status, asked.headers.get('location')]).toEqual([302, expect.stringContaining('login')]);
    for (const path of ['/healthz/../vscode-remote-resource?path=/etc/passwd', '/proxy/80/']) {
      expect((await get(path)).status, path).not.toBe(200);
    }
    expect((await login(`${password}x`)).headers.get('set-cookie')).toBeNull();
    const accepted = await login(password);
    const cookie = accepted.headers.get('set-cookie')?.split(';')[0];
    expect(cookie).toBeDefined();
    const opened = await get(`/?folder=${encodeURIComponent(workspace)}`, cookie);
    expect([opened.status, await opened.text()]).toEqual([200, expect.stringContaining('workbench')]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('leaves no process behind after %s', async (signal) => {
    const { command } = await startServer();
    const pids = descendants(command.pid).map(({ pid }) => pid);
    expect(pids.length).toBeGreaterThanOrEqual(3);
    command.signal(signal);
    expect(await command.ended).toBe(signal === 'SIGKILL' ? 'SIGKILL' : 0);
    await expect.poll(() => alive(pids, command.pid), { timeout: 20_000 }).toEqual([]);
  });
});

describe('npm start, with a desktop VS Code on the PATH', () => {
  it('opens that one with a profile of its own and the extension of this folder', async () => {
    const code = join(folder, 'code');
    await writeFile(code, '#!/bin/sh\nfor argument in "$@"; do echo "$argument"; done\n');
    await chmod(code, 0o755);
    const command = start(['--workspace', folder], { PATH: [folder, process.env['PATH']].join(delimiter) });
    expect(await command.ended).toBe(0);
    const given = command.out.trim().split('\n');
    expect(given).toContain(`--extensionDevelopmentPath=${root}`);
    expect(given.find((argument) => argument.startsWith('--user-data-dir='))).toContain(root);
    expect(given).toEqual(expect.arrayContaining(['--wait', '--disable-telemetry', '--disable-workspace-trust']));
    expect(given.at(-1)).toBe(folder);
  });
});

describe('npm start, with arguments that make no sense', () => {
  it.each([
    [['--workspace'], /takes one folder, and got 0[^]*Usage: npm start/],
    [['--foo'], /--foo is not known here[^]*Usage: npm start/],
    [['--workspace', 'a', 'b'], /takes one folder, and got 2[^]*Usage: npm start/],
    [['--workspace', '/no/such/folder'], /There is no folder \/no\/such\/folder/],
    [['--workspace', 'package.json'], /package\.json is not a folder/],
  ])('says so: %j', async (args, message) => {
    const command = start(args);
    expect(await command.ended).toBe(1);
    expect(command.err).toMatch(message);
    expect(command.out).toBe('');
    expect(command.err).not.toMatch(/\n {4}at /);
  });
});
