import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import { root } from '../../scripts/project.mjs';

/** The user and group `nobody`: without any rights of its own. */
const NOBODY = 65534;

/** What a child process printed, and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program of the tests that runs in a process of its own. */
export interface Child {
  /** Runs it with these arguments; `unprivileged`: as a user who may read nothing that is not for everybody. */
  run(args: readonly string[], options?: { readonly unprivileged?: boolean }): Promise<Ended>;
  dispose(): void;
}

/** True when this process may run children as another user. */
export function canDropRights(): boolean {
  return process.platform !== 'win32' && process.getuid?.() === 0;
}

/** Bundles a program, given by its path in the project, so that plain Node can run it. */
export function buildChild(path: string): Child {
  const folder = mkdtempSync(join(tmpdir(), 'transcript-inspector-child-'));
  chmodSync(folder, 0o755);
  const outfile = join(folder, `${basename(path, '.ts')}.mjs`);
  buildSync({
    absWorkingDir: root,
    entryPoints: [path],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  chmodSync(outfile, 0o644);
  return {
    run: (args, { unprivileged = false } = {}) =>
      new Promise((resolve, reject) => {
        const rights = unprivileged ? { uid: NOBODY, gid: NOBODY } : {};
        const child = spawn(process.execPath, [outfile, ...args], { ...rights, cwd: folder, stdio: 'pipe' });
        let stdout = '';
        let stderr = '';
        child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
        child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
        child.on('error', reject);
        child.on('close', (code) => resolve({ code, stdout, stderr }));
      }),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
