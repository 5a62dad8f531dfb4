import { NoSessionLog, formatOf } from '../../io/readLog';
import { OpenFile } from '../../io/readFile';
import { emptyFile, notASession, otherFormat } from '../errors';

/** Throws, with what to do, for a file that holds no session that can be shown. */
export function recognize(file: string): void {
  const open = OpenFile.open(file);
  try {
    const format = formatOf(open);
    if (format !== 'claude-code') throw otherFormat(file, format);
  } catch (error) {
    if (!(error instanceof NoSessionLog)) throw error;
    if (error.reason === 'empty') throw emptyFile(file);
    throw error.reason === 'unknown' ? notASession(file) : error;
  } finally {
    open.close();
  }
}
