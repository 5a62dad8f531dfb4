import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ClaudeWriter } from './support/claude';
import { InspectorPage } from './support/inspector';
import { describeInVSCode, launchVSCode } from './support/launch';
import type { VSCodeWindow } from './support/window';

// What is wrong with the file, and what the person is told; the words are ours, the remedy is in them.
const refused: readonly (readonly [name: string, content: string | Buffer, said: RegExp])[] = [
  ['prose.jsonl', 'This is a letter, not a session.\nIt has two lines.\n', /not a session|no session/i],
  ['empty.jsonl', '', /empty/i],
  ['other.jsonl', '{"some":"thing"}\n{"else":1}\n', /not a session|no session/i],
  ['binary.jsonl', Buffer.from([0, 1, 2, 255, 254, 10, 0, 0, 10]), /not a session|no session/i],
];

describeInVSCode('a file that is no good', () => {
  let vscode: VSCodeWindow;
  let inspector: InspectorPage;

  beforeAll(async () => {
    vscode = await launchVSCode({ settings: { 'transcriptInspector.openOnStart': false } });
    inspector = new InspectorPage(vscode);
    await inspector.openSideBar();
  });

  it.each(refused)('%s is refused with what is wrong', async (name, content, said) => {
    const file = join(vscode.workspace, name);
    await writeFile(file, content);
    await inspector.openFile(file);
    const notification = vscode.page.locator('.notification-toast').filter({ hasText: said });
    await notification.first().waitFor();
    const line = inspector.item('Sessions', new RegExp(name.replace('.', '\\.')));
    await line.filter({ hasText: 'cannot be read' }).waitFor();
    await vscode.command('Notifications: Clear All Notifications');
  });

  it('with some broken lines shows the others, and lists what could not be read', async () => {
    const claude = await ClaudeWriter.begin(vscode.workspace);
    const lines = claude.lines([
      { user: 'Hello' },
      { assistant: 'Good day.' },
      { user: 'And now?' },
      { assistant: 'Rest.' },
    ]);
    const file = join(vscode.workspace, 'broken.jsonl');
    await writeFile(
      file,
      [lines[0], '{"cut": "here\n', lines[1], 'not JSON at all\n', lines[2], lines[3], '{"torn'].join(''),
    );
    await inspector.openFile(file);
    await inspector.rows({ text: 'Good day.' }).waitFor();
    await inspector.rows({ text: 'Rest.' }).waitFor();
    await inspector.frame.getByText(/\d+ lines? could not be read/).waitFor();
    await vscode.screenshot('bad-lines');
    await vscode.command('Transcript Inspector: Show What Could Not Be Read');
    await vscode.page.locator('.monaco-editor').filter({ hasText: 'invalid-json' }).first().waitFor();
    await vscode.screenshot('bad-lines-list');
  });

  it('that is dropped on the Sessions view opens like any other', async () => {
    const claude = await ClaudeWriter.begin(vscode.workspace);
    await writeFile(
      join(vscode.workspace, 'dropped.jsonl'),
      claude.lines([{ user: 'Dropped' }, { assistant: 'Caught.' }]).join(''),
    );
    await vscode.openFile('dropped.jsonl');
    const tab = vscode.page.getByRole('tab', { name: /^dropped\.jsonl/ });
    await tab.dragTo(inspector.item('Sessions', /^Opened files/));
    await inspector.rows({ text: 'Caught.' }).waitFor();
    await inspector.item('Sessions', /^Dropped/).waitFor();
  });

  it('leaves everything else working', async () => {
    const { extension } = await vscode.logs();
    expect(extension.split('\n').filter((line) => line.includes('[error]'))).toEqual([]);
    await vscode.command('Transcript Inspector: Start Sample Session');
    await inspector.grid.waitFor();
  });
});
