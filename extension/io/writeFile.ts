import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError } from './fileError';

/** How sure a write must be before it counts as done. */
export interface WriteOptions {
  /** True: on the disk, also after a loss of power. Default: true for `writeAtomic`, false for `appendText`. */
  readonly sync?: boolean;
}

/**
 * Puts a file in place as a whole: whoever reads it finds the old content or the new one, never a part. Folders that are
 * missing are made. Throws a `FileError`.
 */
export async function writeAtomic(file: string, data: string | Uint8Array, options: WriteOptions = {}): Promise<void> {
  const sync = options.sync ?? true;
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(data);
      if (sync) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    if (sync) await syncFolder(dirname(file));
  } catch (error) {
    await rm(temporary, { force: true });
    throw fileError(error, file);
  }
}

/** Adds to the end of a file, in one write, and makes the file where it is missing. Throws a `FileError`. */
export async function appendText(file: string, text: string, options: WriteOptions = {}): Promise<void> {
  try {
    const handle = await open(file, 'a', 0o600);
    try {
      await handle.appendFile(text);
      if (options.sync === true) await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fileError(error, file);
  }
}

/** A rename is on the disk once its folder is. Windows has no such thing for folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
