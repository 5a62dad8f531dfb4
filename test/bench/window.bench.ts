import { linkSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/project.mjs';
import { missingForPlace, preparePlace, removePlace } from '../e2e/support/place';
import { VSCodeWindow, type LaunchOptions } from '../e2e/support/window';
import { writeSession } from '../support/generate';
import { median, type Bench } from './bench';
import { Painting } from './paint';

const BYTES = 200e6;
const ROUNDS = 7;
const ROW = '[role="grid"] [role="row"][data-state]';
const MARK = '#bench-mark';

/** Runs `work` in a real VS Code with the extension and the one that it is measured against. */
async function inVSCode<T>(options: LaunchOptions, work: (window: VSCodeWindow) => Promise<T>): Promise<T> {
  const missing = missingForPlace();
  if (missing) throw new Error(`No VS Code can run here: ${missing}.`);
  const place = await preparePlace();
  try {
    const extensions = [join(root, 'test', 'support', 'vscodeBench')];
    const window = await VSCodeWindow.launch(place, { extensions, ...options });
    try {
      return await work(window);
    } finally {
      await window.dispose();
    }
  } finally {
    await removePlace(place);
  }
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'transcript-inspector-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From the command to the first rows of a session that was never opened before, over the same for an empty panel. */
async function measureOpening(): Promise<number> {
  return inFolder(async (folder) => {
    const [first = '', ...others] = Array.from({ length: ROUNDS + 1 }, (_, i) => join(folder, `session-${i}.jsonl`));
    writeSession(first, { seed: 7, bytes: BYTES });
    for (const other of others) linkSync(first, other);
    const env = { BENCH_SESSIONS: JSON.stringify([first, ...others]) };
    const settings = { 'transcriptInspector.openOnStart': false };
    return inVSCode({ env, settings }, async (window) => {
      const painting = await Painting.begin(window.page, [ROW, MARK]);
      const timeOf = async (command: string, selector: string): Promise<number> => {
        painting.clear();
        await window.command(command);
        const time = (await painting.painted(selector)) - (await painting.clicked());
        const reading = window.inspectorFrame().getByRole('progressbar', { name: 'Reading the session' });
        if (selector === ROW) await reading.waitFor({ state: 'detached' });
        await window.command('View: Close All Editors');
        await window.page.locator('iframe.webview.ready').first().waitFor({ state: 'detached' });
        return time;
      };
      const empty: number[] = [];
      const rows: number[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const emptyMs = await timeOf('Bench: Empty Panel', MARK);
        const rowsMs = await timeOf('Bench: Next Session', ROW);
        if (process.env['BENCH_FIGURES']) console.log(emptyMs, rowsMs);
        if (round === 0) continue;
        empty.push(emptyMs);
        rows.push(rowsMs);
      }
      return median(rows) / median(empty);
    });
  });
}

export const benches: readonly Bench[] = [
  {
    name: 'from the command to the first rows of a 200 MB session on screen, over the same for an empty panel',
    limit: 2,
    run: measureOpening,
  },
];
