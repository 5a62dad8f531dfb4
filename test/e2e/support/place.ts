import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureChromium, missingForChromium } from '../../../scripts/chromium.mjs';
import { installExtensions } from '../../../scripts/codeServer.mjs';
import { packageExtension } from '../../../scripts/package.mjs';
import { root, step } from '../../../scripts/project.mjs';
import { ensureVSCode, missingForVSCode } from '../../../scripts/vscode.mjs';
import type { VSCodePlace } from '../../../scripts/vscode.mjs';

/** What a window needs: prepared once a run, used by every launch. */
export interface Place {
  readonly vscode: VSCodePlace;
  /** The browser. */
  readonly chromium: string;
  /** The packed extension. */
  readonly vsix: string;
  /** A folder of extensions in which it is installed. */
  readonly extensions: string;
}

/** Why there can be no window on this machine, and what to install. */
export function missingForPlace(): string | undefined {
  return missingForVSCode() ?? missingForChromium();
}

/** Installs VS Code and Chromium where they are missing, then packs and installs the extension. */
export async function preparePlace(): Promise<Place> {
  const vscode = await ensureVSCode();
  const chromium = await ensureChromium();
  const folder = join(root, '.build', `window-${process.pid}`);
  const vsix = await step('Building and packing the extension', () => packageExtension(join(folder, 'extension.vsix')));
  const extensions = join(folder, 'extensions');
  await step('Installing it', () =>
    installExtensions({ vscode, extensions, userData: join(folder, 'install'), files: [vsix] }),
  );
  return { vscode, chromium, vsix, extensions };
}

/** Removes what was packed and installed for one run. */
export async function removePlace(place: Place): Promise<void> {
  await rm(join(place.extensions, '..'), { recursive: true, force: true });
}
