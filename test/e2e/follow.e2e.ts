import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ClaudeWriter } from './support/claude';
import { InspectorPage } from './support/inspector';
import { describeInVSCode, launchVSCode } from './support/launch';

const settings = { 'transcriptInspector.openOnStart': false };

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'transcript-inspector-workspace-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const opening = [
  { user: 'Why does the build fail?' },
  { call: 'Read', input: { file_path: 'missing.js' }, id: 'toolu_1' },
  { result: 'Error: there is no such file', id: 'toolu_1', failed: true },
  { call: 'Read', input: { file_path: 'build.js' }, id: 'toolu_2' },
  { result: '1  export const build = 1;', id: 'toolu_2' },
] as const;

/** Appends to a file from a process of its own, as another program would. */
async function appendFromOutside(file: string, lines: readonly string[]): Promise<void> {
  const script = `const fs = require('node:fs'); for (const line of ${JSON.stringify(lines)}) fs.appendFileSync(${JSON.stringify(file)}, line);`;
  const child = spawn(process.execPath, ['-e', script], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
}

describeInVSCode('a session of Claude Code', () => {
  it('is found for the workspace, and followed while another process writes it', async () => {
    const workspace = await folder();
    await writeFile(join(workspace, 'build.js'), 'export const build = 1;\n');
    const claude = await ClaudeWriter.begin(workspace);
    await claude.add(...opening);
    const vscode = await launchVSCode({ workspace, settings, env: { CLAUDE_CONFIG_DIR: claude.configDir } });
    const inspector = new InspectorPage(vscode);
    await inspector.openSideBar();
    await inspector.item('Sessions', /Why does the build fail/).click();
    await inspector.rows({ text: 'export const build' }).waitFor();
    await vscode.screenshot('follow-found');

    await appendFromOutside(claude.file, claude.lines([{ assistant: 'The name is wrong.', tokens: 48_000 }]));
    await inspector.rows({ text: 'The name is wrong.' }).waitFor();
    await inspector.frame.getByText('48,0', { exact: false }).first().waitFor();

    await inspector.policy.selectOption('clean_tool_repair');
    await expect.poll(() => inspector.rows({ state: 'hidden' }).count()).toBe(2);
    // The agent builds its own requests, so this can only ever be a preview, and says so.
    await inspector.frame.getByText(/so this stays a preview/).waitFor();
    expect(await inspector.frame.getByRole('button', { name: 'Apply' }).count()).toBe(0);

    await writeFile(join(workspace, 'build.js'), 'export const build = 2;\n');
    await inspector.item('Pending directives', /build\.js/).waitFor();
    await inspector.frame.getByText(/so directives wait here/).waitFor();
    await vscode.screenshot('follow-pending');
  });

  it('has its sub-agents below it, each opened like a session', async () => {
    const workspace = await folder();
    const claude = await ClaudeWriter.begin(workspace);
    await claude.add(...opening);
    await claude.addAgent('a1b2c3', { user: 'Search all files' }, { assistant: 'Found in two of them.' });
    const vscode = await launchVSCode({ workspace, settings, env: { CLAUDE_CONFIG_DIR: claude.configDir } });
    const inspector = new InspectorPage(vscode);
    await inspector.openSideBar();
    const parent = inspector.item('Sessions', /Why does the build fail/);
    await parent.click();
    await inspector.rows({ text: 'export const build' }).waitFor();
    await parent.locator('.monaco-tl-twistie').click();
    await inspector.item('Sessions', /^Search all files/).click();
    await inspector.rows({ text: 'Found in two of them.' }).waitFor();
    await vscode.screenshot('follow-agent');
  });

  it('survives that its file is cut off, replaced and removed while it is followed', async () => {
    const workspace = await folder();
    const claude = await ClaudeWriter.begin(workspace);
    await claude.add(...opening, { assistant: 'Before.' });
    const vscode = await launchVSCode({ workspace, settings, env: { CLAUDE_CONFIG_DIR: claude.configDir } });
    const inspector = new InspectorPage(vscode);
    await inspector.openSideBar();
    await inspector.item('Sessions', /Why does the build fail/).click();
    await inspector.rows({ text: 'Before.' }).waitFor();

    await truncate(claude.file, 0);
    await inspector.rows({ text: 'Before.' }).waitFor({ state: 'detached' });
    const other = await ClaudeWriter.begin(workspace);
    await other.add({ user: 'Another question' }, { assistant: 'After.' });
    await rename(other.file, claude.file);
    await inspector.rows({ text: 'After.' }).waitFor();
    await rm(claude.file);
    await inspector.frame
      .getByText(/There is no such file/)
      .first()
      .waitFor();
    await inspector.rows({ text: 'After.' }).waitFor();
    // What is shown stays in the list, though nothing of it is found any more.
    await inspector
      .item('Sessions', /Another question/)
      .filter({ hasText: 'failed' })
      .waitFor();
    await vscode.screenshot('follow-gone');
    const { extension } = await vscode.logs();
    expect(extension.split('\n').filter((line) => line.includes('[error]'))).toEqual([]);
  });
});
