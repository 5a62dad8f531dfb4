import { beforeAll, expect, it } from 'vitest';
import { InspectorPage } from './support/inspector';
import { describeInVSCode, launchVSCode } from './support/launch';
import type { VSCodeWindow } from './support/window';

/** What the page of the inspector got from VS Code to speak to its host, kept by `keepApi` for these tests. */
declare const keptApi: { postMessage(message: unknown): void };

/** Runs in each frame before anything else there: keeps the one object that may be asked for only once. */
function keepApi(): void {
  let acquire: (() => unknown) | undefined;
  Object.defineProperty(window, 'acquireVsCodeApi', {
    configurable: true,
    get: () =>
      acquire &&
      (() => {
        const api = acquire?.();
        Object.assign(window, { keptApi: api });
        return api;
      }),
    set: (given: () => unknown) => (acquire = given),
  });
}

const malformed: readonly unknown[] = [
  null,
  'text',
  42,
  [],
  {},
  { type: 'nothing' },
  { type: 'request' },
  { type: 'request', id: 'one', method: 'rows', params: {} },
  { type: 'request', id: 9001, method: 'no_such_method', params: {} },
  { type: 'request', id: 9002, method: 'rows', params: { start: -1, count: 10 } },
  { type: 'request', id: 9003, method: 'rows', params: { start: 0, count: 1e9 } },
  { type: 'request', id: 9004, method: 'link', params: { url: 'javascript:alert(1)' } },
  { type: 'request', id: 9005, method: 'command', params: { command: 'workbench.action.terminal.new' } },
  { type: 'request', id: 9006, method: '__proto__', params: {} },
  { type: 'request', id: 9007, method: 'open', params: { what: 'side', key: 'no such row', side: 'raw' } },
];

describeInVSCode('the inspector’s panel', () => {
  let vscode: VSCodeWindow;
  let inspector: InspectorPage;

  beforeAll(async () => {
    vscode = await launchVSCode();
    inspector = new InspectorPage(vscode);
    await inspector.grid.waitFor();
  });

  it('answers every malformed message, and goes on', async () => {
    await vscode.page.context().addInitScript(keepApi);
    await vscode.reload();
    await inspector.grid.waitFor();
    const answers = await inspector.grid.evaluate(
      async (_grid, messages) =>
        new Promise<number[]>((resolve) => {
          const expected = messages.filter((each) => typeof (each as { id?: unknown } | null)?.id === 'number').length;
          const heard: number[] = [];
          window.addEventListener('message', ({ data }: MessageEvent<{ type?: string; id?: number }>) => {
            if (data.type !== 'failure' || data.id === undefined || data.id < 9000) return;
            heard.push(data.id);
            if (heard.length === expected) resolve(heard.sort());
          });
          for (const message of messages) keptApi.postMessage(message);
        }),
      malformed,
    );
    expect(answers).toEqual([9001, 9002, 9003, 9004, 9005, 9006, 9007]);
    await inspector.show('Lifecycle');
    await inspector.show('Transcript');
    await inspector.rows().first().waitFor();
    expect(await vscode.page.locator('.terminal-wrapper').count()).toBe(0);
  });

  it('catches up after it was hidden', async () => {
    await vscode.openFile('README.md');
    await inspector.openSideBar();
    await vscode.command('Transcript Inspector: Open Inspector');
    await inspector.rows().first().waitFor();
  });

  it('opened and closed ten times leaves nothing behind', async () => {
    const round = async (): Promise<void> => {
      await vscode.command('Transcript Inspector: Open Inspector');
      await inspector.rows().first().waitFor();
      await vscode.command('View: Close Editor');
      await vscode.page.locator('iframe.webview').waitFor({ state: 'detached' });
    };
    await round();
    const before = vscode.countProcesses();
    for (let times = 0; times < 10; times++) await round();
    // VS Code starts helpers of its own when it likes; one of ours a round would be ten more.
    await expect.poll(() => vscode.countProcesses()).toBeLessThan(before + 5);
    const { extension, extensionHost } = await vscode.logs();
    // The malformed messages of before are in the log, as they should be.
    const errors = extension.split('\n').filter((line) => line.includes('[error]') && !line.includes('malformed'));
    expect(errors).toEqual([]);
    expect(extensionHost).not.toMatch(/leak|is disposed/i);
  });

  it('breaks no rule of its content-security policy', async () => {
    const { console: lines } = await vscode.logs();
    expect(lines.split('\n').filter((line) => /Content Security Policy/.test(line) && /webview/.test(line))).toEqual(
      [],
    );
  });
});

describeInVSCode('by keyboard alone', () => {
  it('goes from the palette through the rows to a directive and back', async () => {
    const vscode = await launchVSCode();
    const inspector = new InspectorPage(vscode);
    const { keyboard } = vscode.page;
    await inspector.rows({ text: 'Result' }).first().waitFor();
    await vscode.command('Transcript Inspector: Show Transcript');
    await inspector.grid.focus();
    await keyboard.press('Home');
    await inspector.grid.locator('[role="row"][aria-rowindex="1"][aria-selected="true"]').waitFor();
    await keyboard.press('ArrowDown');
    await inspector.grid.locator('[role="row"][aria-rowindex="2"][aria-selected="true"]').waitFor();
    await keyboard.press('Control+f');
    const search = inspector.frame.getByRole('searchbox').or(inspector.frame.getByRole('textbox', { name: /search/i }));
    await expect.poll(() => search.first().evaluate((each) => each === document.activeElement)).toBe(true);
    await keyboard.type('duration');
    await keyboard.press('Enter');
    await inspector.frame.locator('mark').first().waitFor();
    await keyboard.press('Control+Alt+2');
    await inspector.frame.getByRole('tabpanel', { name: /^Directives/ }).waitFor();
    await keyboard.press('Control+Alt+r');
    const body = inspector.frame.getByRole('textbox', { name: 'Body' });
    await expect.poll(() => body.evaluate((each) => each.matches(':focus'))).toBe(true);
    await keyboard.type('Written without a mouse');
    await vscode.screenshot('keyboard-form');
    await vscode.command('Transcript Inspector: Show Transcript');
    await inspector.grid.waitFor();
  });
});

const looks = [
  ['light', 'light', 1, { width: 1600, height: 1000 }],
  ['high-contrast', 'high_contrast', 1, { width: 1600, height: 1000 }],
  ['high-contrast-light', 'high_contrast_light', 1, { width: 1600, height: 1000 }],
  ['narrow', 'dark', 1, { width: 560, height: 900 }],
  ['zoomed', 'dark', 2, { width: 1600, height: 1000 }],
] as const;

describeInVSCode('the inspector looks right', () => {
  it.each(looks)('%s', async (name, theme, zoom, size) => {
    const vscode = await launchVSCode({ theme, zoom, size });
    const inspector = new InspectorPage(vscode);
    await inspector.frame.getByText(/, idle$/).waitFor();
    await inspector.policy.selectOption('clean_tool_repair');
    await inspector.frame.getByText(/[1-9]\d* hidden/).waitFor();
    await inspector.rows({ state: 'hidden' }).first().waitFor();
    await vscode.screenshot(`look-${name}-transcript`);
    await inspector.show('Directives');
    await vscode.screenshot(`look-${name}-directives`);
    await inspector.show('Lifecycle');
    await vscode.screenshot(`look-${name}-lifecycle`);
    if (name !== 'narrow') return;
    // One column with a switch, and nothing runs out of the panel to the side.
    const width = await inspector.frame.locator('.inspector').evaluate((each) => [each.scrollWidth, each.clientWidth]);
    expect(width[0]).toBeLessThanOrEqual(width[1] ?? 0);
  });
});
