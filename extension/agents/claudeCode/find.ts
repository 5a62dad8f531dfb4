import { readdir, realpath, stat } from 'node:fs/promises';
import { watch, type FSWatcher } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { assertFileError, fileError } from '../../io/fileError';
import type { FileError } from '../../io/fileError';
import { identityOf, isSameFile, type FileIdentity } from '../../io/readFile';
import { agentFilesOf, type AgentFile } from './agentFiles';
import { readHead, type Head } from './head';
import type { SessionState } from './state';
import { readEnd } from './end';

/** A session that Claude Code wrote down for a folder. */
export interface FoundSession {
  readonly file: string;
  readonly session_id: string;
  readonly title: string | null;
  readonly cwd: string | null;
  readonly version: string | null;
  readonly modified_ms: number;
  readonly bytes: number;
  readonly state: SessionState;
  /** Its sub-agents that have files of their own. */
  readonly subagents: readonly AgentFile[];
}

/** The sessions of a folder, newest first, and what could not be looked at. */
export interface Found {
  readonly sessions: readonly FoundSession[];
  readonly problems: readonly FileError[];
}

const MOST_HEADS = 5000;
/** Changes that come closer together than this are told once, in milliseconds. */
const COALESCED_MS = 250;
/** How often the folders are looked at where the system reports nothing, in milliseconds. */
const LOOK_MS = 5000;

/** Heads that were read before: a head does not change any more once it names a folder. */
const heads = new Map<string, { readonly identity: FileIdentity; readonly head: Head }>();

/** The folder in which Claude Code keeps its files: `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder. */
export function claudeConfigDir(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const given = env['CLAUDE_CONFIG_DIR'];
  return given !== undefined && given !== '' ? given : join(home, '.claude');
}

/**
 * Claude Code's sessions whose records name this folder, or one in it, as their working folder. What cannot be read is
 * told in `problems`, and nothing else is lost for it.
 */
export async function findClaudeSessions(configDir: string, folder: string, nowMs: number): Promise<Found> {
  const problems: FileError[] = [];
  const sessions: FoundSession[] = [];
  const folders = await namesOf(folder);
  const projects = join(configDir, 'projects');
  for (const slug of await list(projects, problems)) {
    const project = join(projects, slug);
    for (const name of await list(project, problems)) {
      if (!name.endsWith('.jsonl')) continue;
      try {
        const session = await look(join(project, name), folders, nowMs);
        if (session) sessions.push(session);
      } catch (error) {
        const problem = fileError(error, join(project, name));
        if (problem.code !== 'missing') problems.push(problem);
      }
    }
  }
  sessions.sort((a, b) => b.modified_ms - a.modified_ms || (a.file < b.file ? -1 : 1));
  return { sessions, problems };
}

async function look(file: string, folders: readonly string[], nowMs: number): Promise<FoundSession | null> {
  const stats = await stat(file, { bigint: true });
  if (!stats.isFile()) return null;
  const identity = identityOf(stats);
  const head = headOf(file, identity);
  if (head.sidechain || !head.folders.some((cwd) => folders.some((folder) => isIn(cwd, folder)))) return null;
  const end = readEnd(file, nowMs);
  return {
    file,
    session_id: head.session_id ?? basename(file, '.jsonl'),
    title: end.title ?? head.title,
    cwd: head.folders[0] ?? null,
    version: head.version,
    modified_ms: identity.modified_ms,
    bytes: identity.size,
    state: end.state,
    subagents: await agentFilesOf(file),
  };
}

function headOf(file: string, identity: FileIdentity): Head {
  const known = heads.get(file);
  if (known && isSameFile(known.identity, identity) && identity.size >= known.identity.size) return known.head;
  const head = readHead(file);
  heads.delete(file);
  if (head.folders.length > 0 && head.title !== null) {
    if (heads.size >= MOST_HEADS) heads.delete(heads.keys().next().value ?? '');
    heads.set(file, { identity, head });
  }
  return head;
}

function isIn(path: string, folder: string): boolean {
  const cwd = resolve(path);
  return cwd === folder || cwd.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The names under which records may know a folder: as given, and without symbolic links. */
async function namesOf(folder: string): Promise<string[]> {
  const given = resolve(folder);
  try {
    return [...new Set([given, await realpath(given)])];
  } catch (error) {
    assertFileError(error, given);
    return [given];
  }
}

/** The names in a folder; one that is missing has none, and neither has a file. */
async function list(folder: string, problems: FileError[]): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    const problem = fileError(error, folder);
    if (problem.code !== 'missing' && problem.code !== 'not_a_folder') problems.push(problem);
    return [];
  }
}

/** Calls `onChange` when sessions of any folder came, went or grew; soon after, and once for several changes. */
export function watchClaudeSessions(configDir: string, _folder: string, onChange: () => void): { dispose(): void } {
  const projects = join(configDir, 'projects');
  const watchers = new Map<string, FSWatcher>();
  let pending: NodeJS.Timeout | null = null;
  let disposed = false;

  const tell = (): void => {
    if (pending || disposed) return;
    pending = setTimeout(() => {
      pending = null;
      sync();
      onChange();
    }, COALESCED_MS);
    pending.unref();
  };
  const follow = (path: string): boolean => {
    if (disposed || watchers.has(path)) return false;
    try {
      const watcher = watch(path, { persistent: false }, tell);
      watchers.set(path, watcher);
      watcher.on('error', () => {
        watcher.close();
        watchers.delete(path);
        tell();
      });
      return true;
    } catch (error) {
      // Not there yet, or not for us: the next look tries again.
      assertFileError(error, path);
      return false;
    }
  };
  const sync = (): boolean => {
    const isNew = follow(projects);
    readdir(projects, { withFileTypes: true }).then(
      (entries) => {
        for (const entry of entries) if (entry.isDirectory() && follow(join(projects, entry.name))) tell();
      },
      (error: unknown) => assertFileError(error, projects),
    );
    return isNew;
  };

  sync();
  const timer = setInterval(() => {
    if (sync()) tell();
  }, LOOK_MS);
  timer.unref();
  return {
    dispose() {
      disposed = true;
      clearInterval(timer);
      if (pending) clearTimeout(pending);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}
