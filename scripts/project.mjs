// What every command shares: where things are, progress on stderr, running a program, and errors a person can act on.
// Everything in scripts/*.mjs runs on plain Node, before any package is installed.
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

/** Something the person can put right: shown as it is, without a stack trace. */
export class UserError extends Error {}

/** Progress. On stderr, so that stdout holds nothing but a command's own output. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs one named step and says when it begins and how long it took. */
export async function step(name, work) {
  say(`• ${name} …`);
  const begin = performance.now();
  const value = await work();
  say(`  done in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  return value;
}

/**
 * Runs a program to its end; what it writes is collected and, on failure, it is part of the error.
 * @returns {Promise<string>} what it wrote to stdout
 */
export function run(command, args, { cwd = root, env = process.env, show = false, shell = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let all = '';
    const collect = (chunk) => {
      all = (all + chunk).slice(-20_000);
      if (show) process.stderr.write(chunk);
    };
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      out += chunk;
      collect(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', collect);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(out);
      const lines = all.trimEnd().split('\n');
      const told = lines.length > 40 ? [...lines.slice(0, 15), '…', ...lines.slice(-24)] : lines;
      reject(
        new UserError(
          `${[command, ...args].join(' ')}\nin ${cwd} ended with ${signal ?? `code ${code}`}:\n${told.join('\n')}`,
        ),
      );
    });
  });
}

/** Runs a program that shares this terminal. @returns {Promise<number>} its exit code */
export function runInteractive(command, args, { cwd = root, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit' });
    const pass = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, pass);
    const release = () => signals.forEach((signal) => process.off(signal, pass));
    child.on('error', (error) => {
      release();
      reject(error);
    });
    child.on('close', (code) => {
      release();
      resolve(code ?? 1);
    });
  });
}

/** The full path of a program on the PATH, or undefined. */
export function findProgram(name, path = process.env.PATH ?? '') {
  const endings = process.platform === 'win32' ? ['.cmd', '.exe', '.bat'] : [''];
  for (const folder of path.split(delimiter)) {
    for (const ending of endings) {
      const file = join(folder, name + ending);
      if (folder && isProgram(file)) return file;
    }
  }
  return undefined;
}

function isProgram(file) {
  if (!existsSync(file) || !statSync(file).isFile()) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch (error) {
    if (error.code === 'EACCES') return false;
    throw error;
  }
}

/** Runs npm, the one that runs us when there is one, under the given Node. */
export function npm(args, { node = process.execPath, env = process.env, ...options } = {}) {
  // Set by an outer `npm run`; it would make the inner npm work on the outer folder's configuration.
  const { npm_config_local_prefix: _prefix, npm_package_json: _manifest, INIT_CWD: _cwd, ...rest } = env;
  const own = process.env.npm_execpath;
  if (own?.endsWith('npm-cli.js')) return run(node, [own, ...args], { ...options, env: rest });
  return run('npm', args, { ...options, env: rest, shell: process.platform === 'win32' });
}

/** Ends a command: its exit code, or its error as a person should see it. */
export async function main(command) {
  try {
    process.exitCode = (await command()) ?? 0;
  } catch (error) {
    say(error instanceof UserError ? `\n${error.message}` : `\n${error.stack}`);
    process.exitCode = 1;
  }
}
