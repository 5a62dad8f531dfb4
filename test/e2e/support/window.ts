import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { installExtensions, quietSettings, startCodeServer, writeUserSettings } from '../../../scripts/codeServer.mjs';
import type { CodeServer } from '../../../scripts/codeServer.mjs';
import { extensionId } from '../../../scripts/package.mjs';
import { descendants } from '../../../scripts/processes.mjs';
import { root, run } from '../../../scripts/project.mjs';
import { readLogs } from './logs';
import type { WindowLogs } from './logs';
import type { Place } from './place';

/** The ids of VS Code's own themes. */
export const themes = {
  dark: 'Dark 2026',
  light: 'Light 2026',
  high_contrast: 'Default High Contrast',
  high_contrast_light: 'Default High Contrast Light',
} as const;

/** Where a picture and the logs of a failure are kept. */
export const failures = join(root, 'screenshots', 'failures');

export interface LaunchOptions {
  /** The folder that is opened; a fresh copy of the sample workspace when not given. */
  readonly workspace?: string;
  /** Settings, over those that keep VS Code quiet and those of the sample. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Dark when not given. */
  readonly theme?: keyof typeof themes;
  /** Size of the window in pixels at zoom 1. */
  readonly size?: { readonly width: number; readonly height: number };
  /** The browser's zoom: 2 for 200 %. */
  readonly zoom?: number;
  /** Environment variables of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** More extensions: VSIX files, or folders, which are packed. */
  readonly extensions?: readonly string[];
  /** Without ours, for what VS Code does by itself. */
  readonly withoutOurs?: boolean;
}

const browserFlags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** A real VS Code with the extension, open in a browser. */
export class VSCodeWindow {
  private constructor(
    /** VS Code's page. */
    readonly page: Page,
    /** The folder that is open. */
    readonly workspace: string,
    /** Where VS Code keeps settings, storage and logs. */
    readonly userData: string,
    private readonly context: BrowserContext,
    private readonly server: CodeServer,
    private readonly temporary: string,
    private readonly consoleLines: readonly string[],
  ) {}

  /** Starts VS Code and waits until its window stands. */
  static async launch(place: Place, options: LaunchOptions = {}): Promise<VSCodeWindow> {
    const temporary = await mkdtemp(join(tmpdir(), 'transcript-inspector-window-'));
    const userData = join(temporary, 'data');
    const workspace = options.workspace ?? (await copySample(temporary, options.settings ?? {}));
    await writeUserSettings(userData, {
      ...quietSettings,
      'workbench.colorTheme': themes[options.theme ?? 'dark'],
      'window.autoDetectColorScheme': false,
      'window.autoDetectHighContrast': false,
      'workbench.quickOpen.closeOnFocusLost': false,
      ...options.settings,
    });
    const server = await startCodeServer({
      vscode: place.vscode,
      workspace,
      userData,
      extensions: await extensionsFor(place, options, temporary),
      ...(options.env && { env: options.env }),
    });
    const zoom = options.zoom ?? 1;
    const size = options.size ?? { width: 1600, height: 1000 };
    const consoleLines: string[] = [];
    let context: BrowserContext | undefined;
    try {
      context = await chromium.launchPersistentContext(join(temporary, 'browser'), {
        executablePath: place.chromium,
        headless: true,
        args: browserFlags,
        viewport: { width: Math.round(size.width / zoom), height: Math.round(size.height / zoom) },
        deviceScaleFactor: zoom,
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const page = context.pages()[0] ?? (await context.newPage());
      page.on('console', (message) => consoleLines.push(`${message.type()}: ${message.text()}`));
      page.on('pageerror', (error) => consoleLines.push(`uncaught: ${error.stack ?? error.message}`));
      await page.goto(server.url);
      const window = new VSCodeWindow(page, workspace, userData, context, server, temporary, consoleLines);
      await window.ready();
      return window;
    } catch (error) {
      const evidence = await keep('launch', context?.pages()[0], await readLogs(userData, server.log(), consoleLines));
      await context?.close();
      await server.stop();
      await rm(temporary, { recursive: true, force: true });
      throw new Error(`The window did not open; what was seen is in ${evidence}`, { cause: error });
    }
  }

  /** The process of the server, above every other one of this VS Code. */
  get pid(): number {
    return this.server.pid;
  }

  /** How many processes this VS Code consists of now. */
  countProcesses(): number {
    return descendants(this.pid).length;
  }

  /** Runs a command by its title (`Transcript Inspector: Open Inspector`) from the command palette, as soon as it is there. */
  async command(title: string): Promise<void> {
    const input = await this.quickInput('F1');
    const row = this.page.locator('.quick-input-list .monaco-list-row').and(this.page.getByLabel(startsWith(title)));
    await until(`a command "${title}" in the palette`, async () => {
      await input.fill('>');
      await input.fill(`>${title}`);
      return appears(row.first(), 2_000);
    });
    await row.first().click();
    // Either the palette closes, or the command goes on with a list or a question of its own in its place.
    await row.first().waitFor({ state: 'hidden' });
  }

  /** Opens a file of the workspace, by its path there, and waits for its text. */
  async openFile(path: string): Promise<Locator> {
    const input = await this.quickInput('Control+p');
    const row = this.page.locator('.quick-input-list .monaco-list-row').first();
    await until(`${path} in the list of files`, async () => {
      await input.fill(path);
      return appears(row.filter({ hasText: path.split('/').at(-1) ?? path }), 2_000);
    });
    await row.click();
    const editor = this.page.locator('.editor-instance .monaco-editor .view-lines').last();
    await editor.waitFor();
    return editor;
  }

  /** What the inspector's panel shows. */
  inspectorFrame(): FrameLocator {
    const own = `iframe.webview.ready[src*="extensionId=${extensionId}"]`;
    return this.page.frameLocator(`${own} >> visible=true`).frameLocator('iframe#active-frame');
  }

  /** Loads the window again, by VS Code's own command: the extension host starts anew. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.command('Developer: Reload Window');
    await loaded;
    await this.ready();
  }

  /** Writes a picture of the window to screenshots/NAME.png. Gives its path. */
  async screenshot(name: string): Promise<string> {
    const path = join(root, 'screenshots', `${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  /** What the extension host, the extension, the server and the browser's console have said so far. */
  logs(): Promise<WindowLogs> {
    return readLogs(this.userData, this.server.log(), this.consoleLines);
  }

  /** Keeps a picture and the logs in screenshots/failures/NAME. Gives that folder. */
  async keepEvidence(name: string): Promise<string> {
    return keep(name, this.page, await this.logs());
  }

  /** Ends the browser, VS Code and everything that it started, and removes what they wrote. A second time it does nothing. */
  async dispose(): Promise<void> {
    await this.context.close();
    await this.server.stop();
    await rm(this.temporary, { recursive: true, force: true });
  }

  private async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench').waitFor({ timeout: 60_000 });
    await this.page.locator('#workbench\\.parts\\.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
    // The Explorer has its files once the connection to the server stands.
    await this.page.locator('.monaco-workbench:not(.initializing)').waitFor();
  }

  private async quickInput(key: string): Promise<Locator> {
    const input = this.page.locator('.quick-input-widget input.input');
    await until(`the quick input after ${key}`, async () => {
      await this.page.keyboard.press(key);
      return appears(input, 2_000);
    });
    return input;
  }
}

function startsWith(title: string): RegExp {
  return new RegExp(`^${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(,|$)`);
}

/** Whether something comes to be seen in time. */
async function appears(what: Locator, timeout: number): Promise<boolean> {
  return what.waitFor({ state: 'visible', timeout }).then(
    () => true,
    () => false,
  );
}

/** Tries until it holds; each try waits for a state of its own. */
async function until(what: string, attempt: () => Promise<boolean>, milliseconds = 60_000): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!(await attempt())) {
    if (performance.now() > end) throw new Error(`Waited ${milliseconds / 1000} s for ${what}`);
  }
}

async function copySample(temporary: string, settings: Readonly<Record<string, unknown>>): Promise<string> {
  const workspace = join(temporary, 'sample');
  await cp(join(root, 'media', 'sample'), workspace, { recursive: true });
  const file = join(workspace, '.vscode', 'settings.json');
  const own = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, JSON.stringify({ ...own, ...settings }, null, 2));
  return workspace;
}

async function extensionsFor(place: Place, options: LaunchOptions, temporary: string): Promise<string> {
  if (!options.extensions?.length && !options.withoutOurs) return place.extensions;
  const extensions = join(temporary, 'extensions');
  await mkdir(extensions);
  const files = options.withoutOurs ? [] : [place.vsix];
  for (const [index, path] of (options.extensions ?? []).entries())
    files.push(await packed(path, join(temporary, `${index}.vsix`)));
  if (files.length > 0) {
    await installExtensions({ vscode: place.vscode, extensions, userData: join(temporary, 'install'), files });
  }
  return extensions;
}

async function packed(path: string, vsix: string): Promise<string> {
  if (!(await stat(path)).isDirectory()) return path;
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const flags = ['--no-dependencies', '--allow-missing-repository', '--skip-license'];
  await run(process.execPath, [vsce, 'package', ...flags, '--out', vsix], { cwd: path });
  return vsix;
}

async function keep(name: string, page: Page | undefined, logs: WindowLogs): Promise<string> {
  const folder = join(failures, name.replace(/[^\w-]+/g, '-').slice(0, 100));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  if (page && !page.isClosed()) await page.screenshot({ path: join(folder, 'window.png') });
  for (const [part, text] of Object.entries(logs)) await writeFile(join(folder, `${part}.log`), text as string);
  return folder;
}
