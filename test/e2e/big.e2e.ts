import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeSession } from '../support/generate';
import { InspectorPage } from './support/inspector';
import { describeInVSCode, launchVSCode } from './support/launch';

describeInVSCode('a session of 200 MB', () => {
  it('opens, and goes to its middle and to its end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'transcript-inspector-big-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'big.jsonl');
    writeSession(file, { seed: 7, bytes: 200_000_000 });
    const vscode = await launchVSCode({ settings: { 'transcriptInspector.openOnStart': false } });
    const inspector = new InspectorPage(vscode);
    await inspector.openFile(file);
    await inspector.rows().first().waitFor();
    await vscode.screenshot('big-first');

    const reading = inspector.frame.getByRole('progressbar', { name: 'Reading the session' });
    await reading.waitFor({ state: 'detached' });
    const raw = inspector.frame.getByRole('grid', { name: 'Transcript' });
    const total = Number(await raw.getAttribute('aria-rowcount'));
    expect(total).toBeGreaterThan(10_000);

    const middle = Math.floor(total / 3);
    await vscode.command('Transcript Inspector: Go to Message…');
    const input = vscode.page.locator('.quick-input-widget input.input');
    await input.fill(String(middle));
    await input.press('Enter');
    await inspector.grid.getByRole('rowheader', { name: String(middle), exact: true }).waitFor();
    await vscode.screenshot('big-middle');

    await inspector.grid.focus();
    await vscode.page.keyboard.press('End');
    await inspector.grid.locator(`[role="row"][aria-rowindex="${total}"]`).waitFor();
    await vscode.page.keyboard.press('Home');
    await inspector.grid.locator('[role="row"][aria-rowindex="1"]').waitFor();

    await inspector.policy.selectOption('clean_tool_repair');
    await inspector.frame.getByText(/[1-9][\d,]* hidden/).waitFor();
    await vscode.screenshot('big-policy');
    const { extension } = await vscode.logs();
    expect(extension.split('\n').filter((line) => line.includes('[error]'))).toEqual([]);
  });
});
