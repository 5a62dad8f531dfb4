import { createHash } from 'node:crypto';
import { constants, open } from 'node:fs/promises';

/** What a file on disk is now; `hash` null: there is none. */
export interface OnDisk {
  readonly hash: string | null;
  readonly size: number | null;
  readonly mtime_ms: number | null;
}

const CHUNK = 1024 * 1024;

export const ABSENT: OnDisk = { hash: null, size: null, mtime_ms: null };

export function hashOf(content: Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** Looks at a file: its size and time first; its content only where these differ from `known`. Null: it cannot be told. */
export async function lookAt(path: string, known: OnDisk | null): Promise<OnDisk | null> {
  try {
    // A pipe put in the file's place must not hold us up.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const about = await file.stat();
      if (!about.isFile()) return ABSENT;
      const found = { size: about.size, mtime_ms: about.mtimeMs };
      if (known !== null && known.size === found.size && known.mtime_ms === found.mtime_ms) return known;
      const hash = createHash('sha256');
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(1, about.size + 1)));
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
        if (bytesRead === 0) break;
        hash.update(buffer.subarray(0, bytesRead));
      }
      return { hash: `sha256:${hash.digest('hex')}`, ...found };
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR') return ABSENT;
    if (code === null) throw error;
    return null;
  }
}
