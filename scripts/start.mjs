// `npm start`: VS Code with the extension, a sample workspace and a live session. `npm start -- --workspace DIR`: your own folder.
import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildExtension } from './build.mjs';
import { installExtensions, quietSettings, startCodeServer, writeUserSettings } from './codeServer.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { packageExtension } from './package.mjs';
import { findProgram, main, root, runInteractive, say, step, UserError } from './project.mjs';
import { ensureVSCode, missingForVSCode } from './vscode.mjs';

const usage = `Usage: npm start [-- --workspace DIR]

  (nothing)         opens a copy of the sample workspace with a live session
  --workspace DIR   opens your own folder instead`;

await main(async () => {
  const { help, workspace: own } = parseArguments(process.argv.slice(2));
  if (help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  if (own !== undefined) checkFolder(own);
  const desktop = findDesktop();
  const missing = desktop ? undefined : missingForVSCode();
  if (missing) {
    throw new UserError(`There is no VS Code on the PATH (no command named code), and ${missing}.
Install VS Code from https://code.visualstudio.com and its command-line program, then try again.`);
  }
  await ensureDependencies();
  const temporary = await mkdtemp(join(tmpdir(), 'transcript-inspector-'));
  const workspace = own ?? (await copySample(temporary));
  // What a person does in a folder of their own is found again at the next start; the sample begins anew.
  const profile = own === undefined ? join(temporary, 'profile') : join(root, '.tools', 'profile');
  return desktop ? openDesktop({ desktop, workspace, profile }) : serve({ workspace, profile, temporary });
});

function parseArguments(args) {
  const [flag, value, ...rest] = args;
  if (flag === undefined) return {};
  if (args.length === 1 && (flag === '--help' || flag === '-h')) return { help: true };
  const given = /^--workspace=(.+)$/.exec(flag);
  if (given && args.length === 1) return { workspace: fromHere(given[1]) };
  if (flag === '--workspace' && value && rest.length === 0) return { workspace: fromHere(value) };
  const wrong =
    flag === '--workspace' ? `--workspace takes one folder, and got ${args.length - 1}.` : `${flag} is not known here.`;
  throw new UserError(`${wrong}\n\n${usage}`);
}

/** npm moves to the project's folder; a relative path means the folder the person is in. */
function fromHere(path) {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

function checkFolder(path) {
  if (!existsSync(path))
    throw new UserError(`There is no folder ${path}. Name one that exists: npm start -- --workspace DIR`);
  if (!statSync(path).isDirectory()) throw new UserError(`${path} is not a folder. Name the folder that it is in.`);
}

/** The desktop VS Code; not the `code` of a terminal inside VS Code on a server, which only talks to its own window. */
function findDesktop() {
  return process.env.VSCODE_IPC_HOOK_CLI ? undefined : findProgram('code');
}

async function copySample(temporary) {
  const workspace = join(temporary, 'sample');
  await cp(join(root, 'media', 'sample'), workspace, { recursive: true });
  return workspace;
}

async function openDesktop({ desktop, workspace, profile }) {
  await step('Building the extension', () => buildExtension());
  await writeUserSettings(profile, quietSettings);
  say(`\nVS Code opens ${workspace} in a window with a profile of its own; your settings stay as they are.`);
  say('Close the window to end this.\n');
  const asRoot = process.platform === 'linux' && process.getuid() === 0 ? ['--no-sandbox'] : [];
  return runInteractive(desktop, [
    ...['--new-window', '--wait', `--user-data-dir=${profile}`, `--extensions-dir=${join(profile, 'extensions')}`],
    ...[
      '--disable-telemetry',
      '--disable-updates',
      '--disable-workspace-trust',
      '--skip-welcome',
      '--skip-release-notes',
    ],
    ...asRoot,
    `--extensionDevelopmentPath=${root}`,
    workspace,
  ]);
}

async function serve({ workspace, profile, temporary }) {
  const vscode = await ensureVSCode();
  const file = await step('Building and packing the extension', () =>
    packageExtension(join(temporary, 'extension.vsix')),
  );
  const extensions = join(temporary, 'extensions');
  await step('Installing it', () =>
    installExtensions({ vscode, extensions, userData: join(temporary, 'install'), files: [file] }),
  );
  await writeUserSettings(profile, quietSettings);
  const interrupted = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve(signal));
  });
  const password = randomBytes(12).toString('base64url');
  const server = await startCodeServer({ vscode, workspace, userData: profile, extensions, password });
  process.stdout.write(`
VS Code is running with ${workspace}

  Address:  ${server.url}/
  Password: ${password}

Open the address in a browser on this machine. Ctrl-C ends it.
`);
  const reason = await Promise.race([interrupted, server.exited.then((why) => `VS Code ended by itself: ${why}`)]);
  await server.stop();
  // The copy of the sample stays: a person may have worked in it. What was made for running it goes.
  await rm(extensions, { recursive: true, force: true });
  await rm(file, { force: true });
  await rm(join(temporary, 'install'), { recursive: true, force: true });
  if (reason.startsWith('SIG')) {
    say('\nVS Code has ended.');
    return 0;
  }
  throw new UserError(`${reason}\n${server.log()}`);
}
