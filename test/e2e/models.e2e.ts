import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import { InspectorPage } from './support/inspector';
import { describeInVSCode, launchVSCode } from './support/launch';
import type { VSCodeWindow } from './support/window';

const settings = { 'transcriptInspector.openOnStart': false, 'transcriptInspector.scenario': '' };

// Another extension brings the chat model, as a provider of models would.
describeInVSCode('the chat models of VS Code', () => {
  let vscode: VSCodeWindow;
  let inspector: InspectorPage;

  beforeAll(async () => {
    vscode = await launchVSCode({ settings, extensions: [join(root, 'test', 'support', 'vscodeModel')] });
    inspector = new InspectorPage(vscode);
  });

  /** Allows the use of the model, where VS Code asks for it. */
  async function allowModel(until: () => Promise<unknown>): Promise<void> {
    const allow = vscode.page.getByRole('dialog').getByRole('button', { name: /^Allow/ });
    await Promise.race([until(), allow.waitFor().then(() => allow.click())]);
    await until();
  }

  it('answer in our own agent’s session, call its tools and get their results', async () => {
    await vscode.command('Transcript Inspector: New Session');
    await inspector.frame.getByRole('textbox', { name: 'Message the agent' }).fill('Please read src/duration.js');
    await inspector.frame.getByRole('button', { name: 'Send' }).click();
    const model = vscode.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Test Model 1' });
    await model.waitFor();
    await vscode.screenshot('models-choose');
    await model.click();
    await allowModel(() => inspector.rows({ text: 'The file begins with' }).waitFor());
    await inspector.rows({ text: 'read_file' }).first().waitFor();
    await vscode.screenshot('models-session');
  });

  it('say in the inspector what to do when they refuse', async () => {
    await inspector.frame.getByRole('textbox', { name: 'Message the agent' }).fill('now fail');
    await inspector.frame.getByRole('button', { name: 'Send' }).click();
    await inspector.frame
      .getByText(/quota is used up/)
      .first()
      .waitFor();
    await inspector.frame.getByText(/, failed$/).waitFor();
    await vscode.screenshot('models-refused');
  });

  it('serve @inspector in the chat view, where each answer leads to the inspector', async () => {
    await vscode.command('Chat: Open Chat');
    const input = vscode.page.locator('.interactive-session .chat-input-container .monaco-editor').last();
    await input.click();
    await vscode.page.keyboard.type('@inspector Please read src/tokens.js');
    await vscode.page.keyboard.press('Escape');
    await vscode.page.keyboard.press('Enter');
    const answer = vscode.page.locator('.interactive-response').filter({ hasText: 'The file begins with' });
    await allowModel(() => answer.waitFor());
    await vscode.screenshot('models-chat');
    await answer.getByRole('button', { name: 'Open Inspector' }).click();
    await inspector.frame.getByRole('heading', { name: /Please read src\/tokens\.js/ }).waitFor();
    await vscode.screenshot('models-chat-inspector');
  });

  it('leave no error in the log', async () => {
    const { extension } = await vscode.logs();
    expect(extension.split('\n').filter((line) => line.includes('[error]'))).toEqual([]);
  });
});

describeInVSCode('without any chat model', () => {
  it('says what to do instead', async () => {
    const vscode = await launchVSCode({ settings });
    const inspector = new InspectorPage(vscode);
    await vscode.command('Transcript Inspector: New Session');
    await inspector.frame.getByRole('textbox', { name: 'Message the agent' }).fill('Hello');
    await inspector.frame.getByRole('button', { name: 'Send' }).click();
    await inspector.frame.getByText(/VS Code offers no chat model/).waitFor();
    expect(await inspector.frame.getByRole('textbox', { name: 'Message the agent' }).inputValue()).toBe('Hello');
    await vscode.screenshot('models-none');
  });
});
