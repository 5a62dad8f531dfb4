import { expect } from 'vitest';
import type { FrameLocator, Locator } from 'playwright-core';
import type { VSCodeWindow } from './window';

/** The tabs of the inspector. */
export type TabName = 'Transcript' | 'Directives' | 'Lifecycle';

/** The inspector and its views, found as a person (or a screen reader) finds them: by role and name. */
export class InspectorPage {
  constructor(private readonly window: VSCodeWindow) {}

  get frame(): FrameLocator {
    return this.window.inspectorFrame();
  }

  get grid(): Locator {
    return this.frame.getByRole('grid', { name: 'Transcript' });
  }

  get policy(): Locator {
    return this.frame.getByRole('combobox', { name: 'Policy', exact: true });
  }

  /** How the right column came about, as the header says it. */
  standing(word: 'applied' | 'as sent' | 'preview, not yet applied'): Locator {
    return this.frame.getByRole('banner').getByText(word, { exact: true });
  }

  /** Rows on screen, narrowed to those that hold a text, or are in a state. */
  rows(about: { readonly text?: string | RegExp; readonly state?: string; readonly kind?: string } = {}): Locator {
    const state = about.state === undefined ? '' : `[data-state="${about.state}"]`;
    const kind = about.kind === undefined ? '' : `[data-kind="${about.kind}"]`;
    const rows = this.grid.locator(`[role="row"]${state}${kind}`);
    return about.text === undefined ? rows : rows.filter({ hasText: about.text });
  }

  tab(name: TabName): Locator {
    return this.frame.getByRole('tab', { name: new RegExp(`^${name}`) });
  }

  async show(name: TabName): Promise<Locator> {
    await this.tab(name).click();
    const panel = this.frame.getByRole('tabpanel', { name: new RegExp(`^${name}`) });
    await panel.waitFor();
    return panel;
  }

  /** A line of one of the two views in the side bar. */
  item(view: 'Sessions' | 'Pending directives', name: string | RegExp): Locator {
    return this.window.page.getByRole('tree', { name: view }).getByRole('treeitem', { name });
  }

  /** Brings the two views to the front. */
  async openSideBar(): Promise<void> {
    await this.window.command('Transcript Inspector: Show Sessions');
    await this.window.page.getByRole('tree', { name: 'Sessions' }).waitFor();
  }

  /** The item in the status bar. */
  get status(): Locator {
    return this.window.page
      .locator('#workbench\\.parts\\.statusbar')
      .getByRole('button', { name: /^Transcript Inspector/ });
  }

  /** Opens a session file by hand, by the path that a person types into VS Code's own dialog. */
  async openFile(path: string): Promise<void> {
    await this.window.command('Transcript Inspector: Open Session File…');
    const dialog = this.window.page.locator('.quick-input-widget').filter({ hasText: 'Open Session File' });
    const input = dialog.locator('input.input');
    await input.waitFor();
    // While the dialog looks at a folder it takes neither text nor Enter for what they are.
    const entered = async (): Promise<boolean> => {
      if (!(await dialog.isVisible())) return true;
      await input.fill(path);
      await input.press('Enter');
      return dialog.waitFor({ state: 'hidden', timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    };
    await expect.poll(entered, { timeout: 30_000 }).toBe(true);
  }
}
