import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';

let folder: string;

/** A project on a machine where nothing is installed: our scripts, and an empty PATH. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transcript-inspector-test-'));
  await cp(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
  await cp(join(root, 'package.json'), join(folder, 'package.json'));
  await mkdir(join(folder, 'bin'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function run(script: string, ...before: readonly string[]): { code: number | null; err: string } {
  const args = [...before, join(folder, 'scripts', script)];
  const result = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { PATH: join(folder, 'bin') },
    encoding: 'utf8',
  });
  return { code: result.status, err: result.stderr };
}

/** Makes Node say that it runs on another system. */
async function pretend(name: string, code: string): Promise<string> {
  const file = join(folder, `${name}.cjs`);
  await writeFile(file, code);
  return file;
}

const elsewhere = "Object.defineProperty(process, 'platform', { value: 'darwin' });";
const musl =
  'const { report } = process; const get = report.getReport; report.getReport = () => ({ ...get.call(report), header: {} });';

describe.skipIf(process.platform !== 'linux')('what is missing is named', () => {
  it('when VS Code cannot be compiled, also when half of it lies there', async () => {
    await mkdir(join(folder, '.tools', 'vscode', 'node_modules', 'code-server'), { recursive: true });
    const { code, err } = run('vscode.mjs');
    expect(code).toBe(1);
    expect(err).toMatch(/needs g\+\+, make, python3 on the PATH/);
  });

  it.each([
    ['elsewhere', elsewhere, /needs Linux on x64, and this is darwin/],
    ['musl', musl, /needs a Linux with glibc/],
  ])('when the system is another one: %s', async (name, change, message) => {
    const { code, err } = run('vscode.mjs', '--require', await pretend(name, change));
    expect(code).toBe(1);
    expect(err).toMatch(message);
  });

  it('when npm start has no VS Code at all', async () => {
    const { code, err } = run('start.mjs', '--require', await pretend('elsewhere', elsewhere));
    expect(code).toBe(1);
    expect(err).toMatch(/no VS Code on the PATH[^]*Install VS Code from/);
  });

  it('when there is no browser', () => {
    const { code, err } = run('chromium.mjs');
    expect(code).toBe(1);
    expect(err).toMatch(/apt-get install chromium/);
  });
});
