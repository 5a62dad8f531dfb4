import { expect, it } from 'vitest';
import { extensionId } from '../../scripts/package.mjs';
import { describeInVSCode, launchVSCode } from './support/launch';

describeInVSCode('the extension in a real VS Code', () => {
  it('is installed and starts by itself, without an error', async () => {
    const vscode = await launchVSCode({ settings: { 'transcriptInspector.openOnStart': false } });
    await vscode.command('Developer: Show Running Extensions');
    const row = vscode.page
      .locator('.runtime-extensions-editor .monaco-list-row')
      .filter({ hasText: 'Transcript Inspector' });
    await row.getByText(/Activation: \d+ms/).waitFor();
    await vscode.screenshot('running-extensions');
    const { extensionHost } = await vscode.logs();
    expect(extensionHost).toContain(`ExtensionService#_doActivateExtension ${extensionId}`);
    expect(extensionHost.split('\n').filter((line) => line.includes('[error]') && line.includes(extensionId))).toEqual(
      [],
    );
  });
});
