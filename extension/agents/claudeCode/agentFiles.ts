import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { assertFileError } from '../../io/fileError';
import { readHead } from './head';

/** A sub-agent's own file beside the session that started it. */
export interface AgentFile {
  readonly file: string;
  readonly agent_id: string;
  /** The start of what it was told to do, or null. */
  readonly title: string | null;
  readonly modified_ms: number;
}

/**
 * The sub-agents of a session that wrote files of their own, oldest first; none where they cannot be listed. Of those
 * that are `known`, only files that changed are read again.
 */
export async function agentFilesOf(sessionFile: string, known: readonly AgentFile[] = []): Promise<AgentFile[]> {
  const before = new Map(known.map((agent) => [agent.file, agent]));
  const folder = join(sessionFile.replace(/\.jsonl$/u, ''), 'subagents');
  const found: AgentFile[] = [];
  for (const name of await namesIn(folder)) {
    const agent = /^agent-(.+)\.jsonl$/u.exec(name)?.[1];
    if (agent === undefined) continue;
    const file = join(folder, name);
    try {
      const { mtimeMs } = await stat(file);
      const same = before.get(file);
      if (same?.modified_ms === mtimeMs) found.push(same);
      else found.push({ file, agent_id: agent, title: readHead(file).title, modified_ms: mtimeMs });
    } catch (error) {
      // A file that just went, or that may not be read, is not listed.
      assertFileError(error, file);
    }
  }
  return found.sort((a, b) => a.modified_ms - b.modified_ms || (a.file < b.file ? -1 : 1));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    assertFileError(error, folder);
    return [];
  }
}
