// The browser of the end-to-end tests: one that is installed, or Debian's, installed when we may.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { findProgram, main, run, say, step, UserError } from './project.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** What must be installed by hand before end-to-end tests can run, in words for the machine's owner, or undefined. */
export function missingForChromium() {
  if (findChromium() || canInstall()) return undefined;
  return 'Chromium is not on the PATH (Debian: apt-get install chromium; as root it is installed by itself)';
}

/** @returns {Promise<string>} the path of a Chromium, installed from Debian's packages when it is missing and we are root */
export async function ensureChromium() {
  const missing = missingForChromium();
  if (missing) throw new UserError(`${missing}.`);
  if (!findChromium()) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await step("Fetching the list of Debian's packages", () => run('apt-get', ['update', '-qq'], { env }));
    await step("Installing Chromium from Debian's packages (about 100 MB)", () =>
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'], { env }),
    );
  }
  const found = findChromium();
  if (!found) throw new UserError('Chromium was installed, but is not on the PATH.');
  return found;
}

function findChromium() {
  for (const name of names) {
    const file = findProgram(name);
    if (file && isBrowser(file)) return file;
  }
  return undefined;
}

/** Not the little program that some distributions put in its place to say how to get it. */
function isBrowser(file) {
  try {
    return /^(Chromium|Google Chrome) \d+/m.test(
      execFileSync(file, ['--version'], { encoding: 'utf8', stdio: 'pipe' }),
    );
  } catch (error) {
    say(`${file} --version failed: ${error.message}`);
    return false;
  }
}

function canInstall() {
  const debian = existsSync('/etc/os-release') && /^ID(_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8'));
  return debian && process.getuid?.() === 0 && findProgram('apt-get') !== undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => say(`Chromium is ${await ensureChromium()}`));
}
