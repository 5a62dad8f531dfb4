import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { InspectorPage } from './support/inspector';
import { describeInVSCode, launchVSCode } from './support/launch';
import type { VSCodeWindow } from './support/window';

// One person's visit to the sample session, from its start to a reload of the window; each step goes on from the last.
describeInVSCode('the sample session', () => {
  let vscode: VSCodeWindow;
  let inspector: InspectorPage;
  const file = (): string => join(vscode.workspace, 'src', 'duration.js');
  const pending = () => inspector.rows({ kind: 'pending' });

  beforeAll(async () => {
    vscode = await launchVSCode();
    inspector = new InspectorPage(vscode);
  });

  /** Allows what the agent asks for, until it is idle. */
  async function letItRun(): Promise<void> {
    const allow = inspector.frame.getByRole('button', { name: 'Allow' }).first();
    const idle = inspector.frame.getByText(/, idle$/);
    for (;;) {
      await allow.or(idle).first().waitFor();
      if (!(await allow.isVisible())) return;
      const answered = await allow.elementHandle();
      await allow.click();
      await answered?.waitForElementState('hidden');
    }
  }

  it('opens by itself, with an agent at work', async () => {
    await inspector.grid.waitFor();
    await inspector.frame.getByText(/, running$/).waitFor();
    await vscode.screenshot('sample-running');
    await letItRun();
    await inspector.rows({ text: 'Shall I?' }).waitFor();
  });

  it('shows beside each other what was said and what the model sees', async () => {
    const row = inspector.rows({ state: 'kept' }).first();
    await row.waitFor();
    expect(await row.getByRole('gridcell').count()).toBe(2);
    await inspector.frame.getByText(/^Own agent, idle$/).waitFor();
    await vscode.screenshot('sample-dark');
  });

  it('hides under another policy what failed and was repaired, says why, and changes the figures', async () => {
    await inspector.frame.getByText('0 hidden', { exact: false }).waitFor();
    await inspector.policy.selectOption('clean_tool_repair');
    await inspector.standing('preview, not yet applied').waitFor();
    await inspector.frame.getByText(/[1-9]\d* hidden/).waitFor();
    const hidden = inspector.rows({ state: 'hidden' });
    await expect.poll(() => hidden.count()).toBeGreaterThanOrEqual(1);
    await hidden.filter({ hasText: 'succeeded' }).first().waitFor();
    await vscode.screenshot('sample-policy');
  });

  it('makes the policy the session’s own', async () => {
    await inspector.frame.getByRole('button', { name: 'Apply' }).click();
    await inspector.standing('applied').waitFor();
  });

  it('opens a row side by side in VS Code’s own diff editor', async () => {
    const row = inspector.rows({ state: 'hidden' }).first();
    await row.hover();
    await row.getByRole('button', { name: 'Open side by side' }).click();
    await vscode.page.locator('.monaco-diff-editor').waitFor();
    await vscode.screenshot('sample-diff');
    await vscode.command('View: Close Editor');
    await inspector.grid.waitFor();
  });

  it('tells of a file that changed once, however often it is saved, and forgets it when its content comes back', async () => {
    const before = await readFile(file(), 'utf8');
    for (let save = 1; save <= 10; save++) await writeFile(file(), `${before}// ${save}\n`);
    await pending().filter({ hasText: 'src/duration.js' }).waitFor();
    await inspector.openSideBar();
    const line = inspector.item('Pending directives', /src\/duration\.js/);
    await line.waitFor();
    await inspector.status.filter({ hasText: '1 pending' }).waitFor();
    expect(await pending().count()).toBe(1);
    await vscode.screenshot('sample-pending');
    await writeFile(file(), before);
    await pending().waitFor({ state: 'detached' });
    await line.waitFor({ state: 'detached' });
    await inspector.status.filter({ hasText: '0 pending' }).waitFor();
  });

  it('delivers it with the next message, and records every step', async () => {
    await writeFile(file(), `${await readFile(file(), 'utf8')}// changed by a person\n`);
    await pending().filter({ hasText: 'src/duration.js' }).waitFor();
    await inspector.frame.getByRole('textbox', { name: 'Message the agent' }).fill('Wait: look at that file first.');
    await inspector.frame.getByRole('button', { name: 'Send' }).click();
    await inspector.rows({ kind: 'envelope', text: 'src/duration.js' }).waitFor();
    await letItRun();
    await pending().waitFor({ state: 'detached' });
    const directives = await inspector.show('Directives');
    // It was delivered, and it is over since the agent has read the file again.
    await directives
      .locator('[data-directive-state="cleared"]')
      .filter({ hasText: /delivered in turn \d+/ })
      .waitFor();
    await vscode.screenshot('sample-directives');
    await inspector.show('Lifecycle');
    const records = inspector.frame.getByRole('grid', { name: 'Lifecycle' });
    for (const kind of ['injected', 'fired']) await records.getByText(kind, { exact: true }).first().waitFor();
    await vscode.screenshot('sample-lifecycle');
  });

  it('asks before the agent changes a file or runs a command, and shows what', async () => {
    await inspector.show('Transcript');
    await inspector.frame.getByRole('textbox', { name: 'Message the agent' }).fill('Yes, please do it.');
    await inspector.frame.getByRole('button', { name: 'Send' }).click();
    const question = inspector.frame.getByRole('group', { name: 'Permission for edit_file' });
    await question.waitFor();
    await question.getByText('README.md').first().waitFor();
    await vscode.screenshot('sample-asks');
    await letItRun();
    expect(await readFile(join(vscode.workspace, 'README.md'), 'utf8')).toContain("parseDuration('1.5h')");
    await vscode.command('Transcript Inspector: Find in Transcript');
    await vscode.page.keyboard.type('The README shows a fraction now');
    await vscode.page.keyboard.press('Enter');
    await inspector.rows({ text: 'The README shows a fraction now' }).first().waitFor();
  });

  async function write(body: string): Promise<void> {
    await vscode.command('Transcript Inspector: Write Directive…');
    const form = inspector.frame.getByRole('region', { name: 'Write a directive' });
    await form.getByRole('textbox', { name: 'Body' }).fill(body);
    await form.getByRole('textbox', { name: 'Lifetime in turns' }).fill('2');
    await vscode.screenshot('sample-form');
    await form.getByRole('button', { name: 'Leave directive' }).click();
    await inspector.item('Pending directives', new RegExp(body)).waitFor();
  }

  it('revokes a directive that waits', async () => {
    await write('The narrow test run is node --test test/duration.test.js');
    const directives = await inspector.show('Directives');
    const entry = directives.locator('.directive').filter({ hasText: 'The narrow test run' });
    await entry.getByRole('button', { name: 'Revoke' }).click();
    await directives.locator('[data-directive-state="revoked"]').filter({ hasText: 'The narrow test run' }).waitFor();
    await inspector.item('Pending directives', /The narrow test run/).waitFor({ state: 'detached' });
  });

  it('fires one now: says which turn, starts it, and delivers', async () => {
    await write('Say in one line what you did.');
    const directives = await inspector.show('Directives');
    const entry = directives.locator('.directive').filter({ hasText: 'Say in one line' });
    await entry.getByText(/Fire now would start turn \d+/).waitFor();
    await vscode.screenshot('sample-fire');
    await entry.getByRole('button', { name: 'Fire now' }).click();
    await directives.locator('[data-directive-state="seen"]').filter({ hasText: 'Say in one line' }).waitFor();
    await letItRun();
    await entry.getByRole('button', { name: 'Correct…' }).waitFor();
  });

  it('goes back to a turn that is gone by, as it was sent', async () => {
    await inspector.show('Transcript');
    await inspector.frame.getByRole('button', { name: 'Previous turn' }).click();
    await inspector.standing('as sent').waitFor();
    await inspector.frame.getByText('verified', { exact: true }).waitFor();
    await vscode.screenshot('sample-turn');
    await inspector.frame.getByRole('button', { name: 'Back to the present' }).click();
    await inspector.standing('applied').waitFor();
  });

  it('finds everything as it was after the window was reloaded', async () => {
    await inspector.show('Directives');
    await inspector.frame.locator('[data-directive-state="revoked"]').first().waitFor();
    const states = () =>
      inspector.frame
        .locator('.directive')
        .evaluateAll((all) => all.map((each) => each.getAttribute('data-directive-state')));
    const before = await states();
    await vscode.reload();
    await inspector.frame.locator('[data-directive-state="revoked"]').first().waitFor();
    expect(await states()).toEqual(before);
    expect(await inspector.tab('Directives').getAttribute('aria-selected')).toBe('true');
    expect(await inspector.policy.inputValue()).toBe('clean_tool_repair');
    await inspector.show('Transcript');
    await inspector.rows({ kind: 'envelope' }).first().waitFor();
    await inspector.standing('applied').waitFor();
    await vscode.screenshot('sample-reloaded');
  });

  it('wrote no error into its log', async () => {
    const { extension } = await vscode.logs();
    expect(extension.split('\n').filter((line) => line.includes('[error]'))).toEqual([]);
  });
});
