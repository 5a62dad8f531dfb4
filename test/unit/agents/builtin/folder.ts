import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Content of a file; a link is `{to}`. */
export type Content = string | Uint8Array | { readonly to: string };

/** A folder of its own for one test, gone after it. `links` are made after the files. */
export async function makeFolder(files: Readonly<Record<string, Content>> = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'inspector-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    if (typeof content === 'object' && 'to' in content) await symlink(content.to, join(folder, path));
    else await writeFile(join(folder, path), content);
  }
  return folder;
}

/** What a file holds; null: there is none. */
export async function contentOf(folder: string, path: string): Promise<string | null> {
  try {
    return await readFile(join(folder, path), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
