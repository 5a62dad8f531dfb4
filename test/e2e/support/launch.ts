import { afterAll, afterEach, beforeEach, describe, inject } from 'vitest';
import { say } from '../../../scripts/project.mjs';
import './setup';
import { VSCodeWindow } from './window';
import type { LaunchOptions } from './window';

const place = inject('place');
const ofFile = new Set<VSCodeWindow>();
const ofTest = new Set<VSCodeWindow>();
let inTest = false;

/** A block of tests in real windows; skipped where there can be none (the reason is printed once, before all tests). */
export const describeInVSCode: (name: string, tests: () => void) => void = describe.skipIf('missing' in place);

/**
 * Opens a real VS Code with the extension. Nobody has to close it: opened in a test it ends with that test, opened in
 * `beforeAll` with the file. When a test fails, a picture and the logs of every open window are kept first.
 */
export async function launchVSCode(options: LaunchOptions = {}): Promise<VSCodeWindow> {
  if ('missing' in place) throw new Error(place.missing);
  const window = await VSCodeWindow.launch(place.ready, options);
  (inTest ? ofTest : ofFile).add(window);
  return window;
}

beforeEach(() => {
  inTest = true;
});

afterEach(async ({ task }) => {
  inTest = false;
  if (task.result?.state === 'fail') {
    for (const [index, window] of [...ofFile, ...ofTest].entries()) {
      const name = index === 0 ? task.name : `${task.name} ${index + 1}`;
      say(`What was seen is in ${await window.keepEvidence(name)}`);
    }
  }
  await disposeAll(ofTest);
});

afterAll(() => disposeAll(ofFile));

async function disposeAll(windows: Set<VSCodeWindow>): Promise<void> {
  for (const window of windows) {
    windows.delete(window);
    await window.dispose();
  }
}
