import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { ensureChromium } from '../../scripts/chromium.mjs';
import { root } from '../../scripts/project.mjs';
import type * as serving from '../webview/preview/serve.mjs';
import type { Bench } from './bench';

const ROWS = 1_000_000;
const FRAMES = 3;
const JUMPS = 20;

/**
 * Frames from the answer of the host until the row is on screen. The n-th animation frame after the answer counts as
 * n when the row is there as that frame begins, and so is painted by it.
 */
function framesOfJump(page: Page, row: number): Promise<number> {
  return page.evaluate(async (wanted) => {
    const { fake } = window as unknown as {
      fake: {
        send: (message: unknown) => void;
        onAnswer: ((method: string, params: { start: number }) => void) | null;
      };
    };
    let frames = 0;
    let answered = false;
    const shown = (): boolean => {
      const grid = document.querySelector('[role="grid"]');
      const element = grid?.querySelector(`[aria-rowindex="${wanted + 1}"][data-state]`);
      if (!grid || !element) return false;
      const box = element.getBoundingClientRect();
      const frame = grid.getBoundingClientRect();
      return box.bottom > frame.top && box.top < frame.bottom;
    };
    fake.onAnswer = (method) => {
      if (method === 'rows') {
        answered = true;
        frames = 0;
      }
    };
    fake.send({ type: 'reveal', row: wanted });
    return new Promise<number>((resolve) => {
      const look = (): void => {
        if (answered) {
          frames++;
          if (shown() || frames > 100) {
            fake.onAnswer = null;
            resolve(frames);
            return;
          }
        }
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  }, row);
}

/** A jump to any of a million rows, in animation frames over the three that are allowed. The worst of all jumps counts. */
const jump: Bench = {
  name: `jump to any of ${ROWS.toLocaleString('en-US')} rows: animation frames until it is shown over ${FRAMES} frames`,
  limit: 1,
  async run() {
    // Not part of the bundle: it looks for its files beside itself.
    const place = pathToFileURL(join(root, 'test', 'webview', 'preview', 'serve.mjs')).href;
    const { servePreview, FLAGS } = (await import(place)) as typeof serving;
    const preview = await servePreview();
    const browser = await chromium.launch({ executablePath: await ensureChromium(), args: [...FLAGS] });
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
      await page.goto(`${preview.address}?scenario=million&theme=dark`);
      await page.locator('[role="grid"][data-settled="true"]').waitFor();
      let worst = 0;
      for (let step = 0; step <= JUMPS; step++) {
        // Far apart, and the last rows too. The first jump warms up and does not count.
        const row = step === JUMPS ? ROWS - 1 : Math.floor(((step + 1) * 0.618034 * ROWS) % ROWS);
        const frames = await framesOfJump(page, row);
        if (step > 0) worst = Math.max(worst, frames);
      }
      return worst / FRAMES;
    } finally {
      await browser.close();
      await preview.close();
    }
  },
};

export const benches: readonly Bench[] = [jump];
