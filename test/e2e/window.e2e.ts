import { expect, it } from 'vitest';
import { descendants } from '../../scripts/processes.mjs';
import { describeInVSCode, launchVSCode } from './support/launch';

describeInVSCode('the window that tests open', () => {
  it.each([
    ['dark', 'vs-dark'],
    ['light', 'vs'],
    ['high_contrast', 'hc-black'],
    ['high_contrast_light', 'hc-light'],
  ] as const)('has the theme %s', async (theme, name) => {
    const vscode = await launchVSCode({ theme, zoom: 2 });
    await vscode.page.locator(`.monaco-workbench.${name}`).waitFor();
    expect(await vscode.page.evaluate(() => [innerWidth, devicePixelRatio])).toEqual([800, 2]);
  });

  it('leaves no process behind, terminals included', async () => {
    const vscode = await launchVSCode();
    await vscode.command('Terminal: Create New Terminal');
    // A shell leads a process group of its own, and would outlive one that ended only ours.
    const shells = () => descendants(vscode.pid).filter(({ pid, group }) => pid === group);
    await expect.poll(() => shells().length, { timeout: 30_000 }).toBe(1);
    const family = descendants(vscode.pid);
    await vscode.dispose();
    const left = descendants(1).filter(({ pid, start }) =>
      family.some((old) => old.pid === pid && old.start === start),
    );
    expect(left).toEqual([]);
  });
});
