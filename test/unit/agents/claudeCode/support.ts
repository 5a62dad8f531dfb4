import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { openClaudeSession, type ClaudeSessionFile } from '../../../../extension/agents/claudeCode/sessionFile';

const folders: string[] = [];
const sessions: ClaudeSessionFile[] = [];

afterEach(() => {
  for (const session of sessions.splice(0)) session.dispose();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'transcript-inspector-test-'));
  folders.push(folder);
  return folder;
}

/** A file with this content in a folder of its own. */
export function temporaryFile(content: string | Uint8Array, name = 'session.jsonl'): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}

/** Opens a session that is closed after the test, and waits until it is indexed. */
export async function opened(file: string): Promise<ClaudeSessionFile> {
  const session = await openClaudeSession(file);
  sessions.push(session);
  await session.check();
  return session;
}

/** Adds to a file, and waits until the session has read it. */
export async function grow(session: ClaudeSessionFile, text: string): Promise<void> {
  appendFileSync(session.file, text);
  await session.check();
}
