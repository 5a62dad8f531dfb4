import { constants, open } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { FILE_BYTES } from './text';
import { ToolFault, systemFault } from './fault';
import type { Place } from './workspace';

/** Windows has neither; there they are absent. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NO_BLOCK = constants.O_NONBLOCK ?? 0;

/** A file as it was read; the time was taken before the content. */
export interface Whole {
  readonly content: Uint8Array;
  readonly mtime_ms: number;
}

/** Reads a whole ordinary file, at most `FILE_BYTES`; throws `ToolFault` for anything else. */
export async function readWhole(place: Place): Promise<Whole> {
  return withFile(place, constants.O_RDONLY | NO_FOLLOW | NO_BLOCK, async (file) => {
    const { size, mtimeMs } = await ordinary(file, place);
    if (size > FILE_BYTES) {
      const limit = FILE_BYTES / 1024 / 1024;
      throw new ToolFault(
        `${place.relative} is ${(size / 1024 / 1024).toFixed(1)} MB; at most ${limit} MB are read. Use search, or run_command to print the part that matters.`,
      );
    }
    return { content: await file.readFile(), mtime_ms: mtimeMs };
  });
}

/** Makes `content` the content of a file, which need not exist yet. A link put in its place meanwhile is not followed. */
export async function writeWhole(place: Place, content: Uint8Array): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | NO_FOLLOW | NO_BLOCK;
  await withFile(place, flags, async (file) => {
    await ordinary(file, place);
    await file.truncate(0);
    await file.writeFile(content);
  });
}

async function ordinary(file: FileHandle, place: Place): Promise<Stats> {
  const about = await file.stat();
  if (about.isDirectory()) throw new ToolFault(`${place.relative} is a folder. Use list_files to see what is in it.`);
  if (!about.isFile()) throw new ToolFault(`${place.relative} is no ordinary file; it is neither read nor written.`);
  return about;
}

async function withFile<T>(place: Place, flags: number, action: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    const file = await open(place.absolute, flags, 0o666);
    try {
      return await action(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof ToolFault ? error : systemFault(error, place.relative);
  }
}
