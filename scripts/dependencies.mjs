// The packages of package-lock.json in node_modules: installed when they are missing or when the lock has changed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm, root, step, UserError } from './project.mjs';

/** Installs what package-lock.json names, unless it is there already. */
export async function ensureDependencies() {
  checkNode();
  if (isInstalled()) return;
  await step('Installing the packages of package-lock.json', () =>
    npm(['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root }),
  );
}

function checkNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) throw new UserError(`This needs Node 20 or later; this is Node ${process.versions.node}.`);
}

/** npm writes its own record of what is in node_modules as the last thing of an installation. */
function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const wanted = readPackages(join(root, 'package-lock.json'));
  const found = readPackages(record);
  for (const [place, entry] of Object.entries(wanted)) {
    if (place === '') continue;
    const here = found[place];
    if (here ? here.version !== entry.version : !entry.optional) return false;
  }
  return true;
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
}
