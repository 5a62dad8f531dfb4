import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const SAYS = 'bench:';

/**
 * Hears when something is painted in a panel: as an animation frame begins it is looked whether it is there, and so is
 * painted by that frame. All times are of the machine's clock, in milliseconds.
 */
export class Painting {
  private readonly times = new Map<string, number>();

  private constructor(private readonly page: Page) {
    page.on('console', (message) => {
      const text = message.text();
      if (!text.startsWith(SAYS)) return;
      const [what, time] = JSON.parse(text.slice(SAYS.length)) as [string, number];
      if (!this.times.has(what)) this.times.set(what, time);
    });
  }

  /** Frames that are there by now are not looked at, only those to come. `selectors`: what is looked for in them. */
  static async begin(page: Page, selectors: readonly string[]): Promise<Painting> {
    const painting = new Painting(page);
    await page.addInitScript(lookInFrame, { selectors, says: SAYS });
    await page.evaluate((says) => {
      const tell = (): void => console.debug(says + JSON.stringify(['click', Date.now()]));
      window.addEventListener('mouseup', tell, { capture: true });
    }, SAYS);
    return painting;
  }

  /** Forgets what was heard. */
  clear(): void {
    this.times.clear();
  }

  /** The time at which the mouse was released last. */
  clicked(): Promise<number> {
    return this.heard('click');
  }

  /** The time at which the first of what the selector means was painted. */
  painted(selector: string): Promise<number> {
    return this.heard(selector);
  }

  private async heard(what: string): Promise<number> {
    for (let tries = 0; tries < 12_000; tries++) {
      const time = this.times.get(what);
      if (time !== undefined) return time;
      await wait(10);
    }
    throw new Error(`Waited two minutes for ${what} in ${this.page.url()}`);
  }
}

/**
 * Runs in every frame. A panel's page is in a frame of a frame, which VS Code fills by hand and then shows; the outer one
 * may look into it, and they are painted together.
 */
function lookInFrame({ selectors, says }: { readonly selectors: readonly string[]; readonly says: string }): void {
  if (window === window.top) return;
  let left = [...selectors];
  const look = (): void => {
    const page = document.querySelector<HTMLIFrameElement>('iframe#active-frame');
    if (page?.contentDocument && getComputedStyle(page).visibility !== 'hidden') {
      const { contentDocument } = page;
      left = left.filter((selector) => {
        if (!contentDocument.querySelector(selector)) return true;
        console.debug(says + JSON.stringify([selector, Date.now()]));
        return false;
      });
    }
    if (left.length > 0) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
