import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ToolFault, systemFault } from './fault';

/** A place inside the workspace folder. */
export interface Place {
  /** Absolute, with every symbolic link resolved. */
  readonly absolute: string;
  /** From the workspace folder, with forward slashes; `.` for the folder itself. */
  readonly relative: string;
}

/** The folder that the agent's tools may see; nothing outside it. */
export interface Workspace {
  /** Absolute and real. */
  readonly root: string;
  /** Finds a path given by a model; throws `ToolFault` where it leads outside, also over links and missing folders. */
  resolve(given: string): Promise<Place>;
}

/** Opens a workspace folder; throws what the system says where there is none. */
export async function openWorkspace(folder: string): Promise<Workspace> {
  const root = await realpath(folder);
  return { root, resolve: (given) => resolveInside(root, given) };
}

/** True where `path` is `root` or below it; both absolute and real. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** `path` as people and models are told of it: from the root, with forward slashes. */
function relativeTo(root: string, path: string): string {
  const way = relative(root, path);
  return way === '' ? '.' : way.split(sep).join('/');
}

async function resolveInside(root: string, given: string): Promise<Place> {
  if (given.includes('\0')) throw new ToolFault('The path holds a NUL character; give a plain path.');
  const wanted = resolve(root, given.trim() === '' ? '.' : given);
  if (!isInside(root, wanted)) throw outside(given);
  const absolute = await followLinks(wanted, root, given);
  if (!isInside(root, absolute)) throw outside(given);
  return { absolute, relative: relativeTo(root, absolute) };
}

/** The real path of the deepest folder that exists, with what does not exist yet behind it. */
async function followLinks(wanted: string, root: string, given: string): Promise<string> {
  const missing: string[] = [];
  let existing = wanted;
  for (;;) {
    try {
      await lstat(existing);
      break;
    } catch (error) {
      const parent = resolve(existing, '..');
      if (!isMissing(error) || existing === root || parent === existing) throw systemFault(error, given);
      missing.unshift(existing.slice(parent.endsWith(sep) ? parent.length : parent.length + 1));
      existing = parent;
    }
  }
  try {
    return join(await realpath(existing), ...missing);
  } catch (error) {
    if (isMissing(error)) throw new ToolFault(`${given} is a symbolic link that leads nowhere; it is not followed.`);
    throw systemFault(error, given);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function outside(given: string): ToolFault {
  return new ToolFault(`${given} is outside the workspace folder. Only files inside it can be read or changed.`);
}
