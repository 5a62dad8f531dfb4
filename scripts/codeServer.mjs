// Starting and stopping the VS Code that came from npm: always on loopback, never with a person's own settings.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, UserError } from './project.mjs';

const supervisor = fileURLToPath(new URL('./supervisor.mjs', import.meta.url));

/** Settings under which nothing asks, nothing pops up, and nothing calls out. */
export const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'telemetry.feedback.enabled': false,
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'npm.fetchOnlinePackageInfo': false,
  'json.schemaDownload.enable': false,
  'typescript.disableAutomaticTypeAcquisition': true,
};

/** Writes the user settings of a profile that has none yet. */
export async function writeUserSettings(userData, settings) {
  const file = join(userData, 'User', 'settings.json');
  if (existsSync(file)) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`);
}

/** Installs extensions (paths of VSIX files) into an extensions folder. */
export async function installExtensions({ vscode, extensions, userData, files }) {
  await mkdir(extensions, { recursive: true });
  await mkdir(userData, { recursive: true });
  const wanted = files.flatMap((file) => ['--install-extension', file]);
  await run(vscode.node, [vscode.entry, ...folders({ userData, extensions }), '--force', ...wanted], {
    env: environment({}),
  });
}

/**
 * Starts VS Code on a free port of 127.0.0.1.
 * @returns {Promise<{url: string, pid: number, log: () => string, exited: Promise<string>, stop: () => Promise<void>}>}
 *   `exited` settles with the reason when it ends, asked or not; `stop` ends it with everything it started.
 */
export async function startCodeServer({ vscode, workspace, userData, extensions, password, env = {}, options = [] }) {
  await mkdir(userData, { recursive: true });
  await mkdir(extensions, { recursive: true });
  const args = [
    vscode.entry,
    ...folders({ userData, extensions }),
    ...['--auth', password === undefined ? 'none' : 'password'],
    ...['--bind-addr', '127.0.0.1:0'],
    ...['--disable-telemetry', '--disable-update-check', '--disable-workspace-trust', '--disable-proxy'],
    '--disable-getting-started-override',
    ...options,
    workspace,
  ];
  // Not in the terminal's group: its Ctrl-C reaches us alone, and we end VS Code in order.
  const child = spawn(process.execPath, [supervisor, vscode.node, ...args], {
    cwd: userData,
    env: environment({ ...env, ...(password === undefined ? {} : { PASSWORD: password }) }),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let log = '';
  const exited = new Promise((resolve) => {
    child.on('error', (error) => resolve(String(error)));
    child.on('close', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  const url = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      log = (log + chunk).slice(-200_000);
      const address = /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(log);
      if (address) resolve(address[1]);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    void exited.then((reason) => reject(new UserError(`VS Code did not start (${reason}):\n${log}`)));
  });
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  return { url, pid: child.pid, log: () => log, exited, stop };
}

function folders({ userData, extensions }) {
  return ['--config', join(userData, 'config.yaml'), '--user-data-dir', userData, '--extensions-dir', extensions];
}

/** Ours, without what an outer VS Code or code-server left in it, and without an extension gallery to call. */
function environment(extra) {
  const own = Object.entries(process.env).filter(
    ([name]) =>
      !/^(VSCODE_|CODE_SERVER_|npm_|ELECTRON_)|^(PORT|PASSWORD|HASHED_PASSWORD|NODE_OPTIONS|VITEST.*)$/.test(name),
  );
  return { ...Object.fromEntries(own), EXTENSIONS_GALLERY: '{}', ...extra };
}
