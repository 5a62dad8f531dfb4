import { open } from 'node:fs/promises';
import { detectFormat } from '../../formats/detect';
import { fileError } from '../../io/fileError';
import { emptyFile, notASession, otherFormat } from '../errors';

/** How much of a file's beginning says what it is, in bytes. */
const headBytes = 65_536;

/** Throws, with what to do, for a file that holds no session that can be shown. */
export async function recognize(file: string): Promise<void> {
  const head = await readStart(file);
  if (head.trim() === '') throw emptyFile(file);
  const format = detectFormat(head);
  if (format === null) throw notASession(file);
  if (format !== 'claude-code') throw otherFormat(file, format);
}

async function readStart(file: string): Promise<string> {
  try {
    const handle = await open(file, 'r');
    try {
      const bytes = Buffer.alloc(headBytes);
      const { bytesRead } = await handle.read(bytes, 0, headBytes, 0);
      return bytes.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fileError(error, file);
  }
}
