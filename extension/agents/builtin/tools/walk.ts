import { readdir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { ToolFault, systemFault } from './fault';
import type { Place } from './workspace';

/** Folders that are never walked into. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules', '.hg', '.svn']);

export interface Found {
  /** From the workspace folder, with forward slashes. */
  readonly path: string;
  readonly absolute: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/**
 * Everything below a folder, in the order of its paths, links listed and not followed. A folder that may not be read is
 * passed over, but for the first one.
 */
export async function* walk(start: Place, signal: AbortSignal): AsyncGenerator<Found> {
  yield* walkFolder(start.absolute, start.relative === '.' ? '' : `${start.relative}/`, signal, true);
}

async function* walkFolder(folder: string, prefix: string, signal: AbortSignal, first: boolean): AsyncGenerator<Found> {
  signal.throwIfAborted();
  for (const entry of await entriesOf(folder, prefix, first)) {
    const found = { path: prefix + entry.name, absolute: join(folder, entry.name), kind: kindOf(entry) };
    if (found.kind === 'folder' && SKIPPED.has(entry.name)) continue;
    yield found;
    if (found.kind === 'folder') yield* walkFolder(found.absolute, `${found.path}/`, signal, false);
  }
}

async function entriesOf(folder: string, prefix: string, first: boolean): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  } catch (error) {
    const fault = systemFault(error, prefix === '' ? 'The workspace folder' : prefix.slice(0, -1));
    if (!first) return [];
    const notFolder = error instanceof Error && 'code' in error && error.code === 'ENOTDIR';
    throw notFolder
      ? new ToolFault(`${prefix.slice(0, -1)} is a file, not a folder. Use read_file to read it.`)
      : fault;
  }
}

function kindOf(entry: Dirent): Found['kind'] {
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : 'other';
}
