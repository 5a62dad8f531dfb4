import { setImmediate as nextTurn } from 'node:timers/promises';
import { SessionIndex } from '../../formats/claudeCode/sessionIndex';
import type { OpenFile } from '../../io/readFile';
import { lent } from '../../io/readLog';

const CHUNK = 1 << 18;
/** Bytes that are indexed before the event loop gets its turn; a few milliseconds. */
const SLICE = 1 << 22;
/** Bytes before the end of what was read that are compared before reading on. */
const SEAM = 256;

export function createIndex(): SessionIndex {
  return new SessionIndex(lent);
}

/**
 * Feeds an index from where it ends to the end of the file, in slices, until `isStopped`; `onSlice` is called
 * after each. False: the index has to be built anew.
 */
export async function feedIndex(
  index: SessionIndex,
  open: OpenFile,
  isStopped: () => boolean,
  onSlice: () => void,
): Promise<boolean> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK);
  for (let slice = 0; ;) {
    const count = open.readInto(buffer, index.bytes);
    if (count === 0) break;
    if (!index.push(buffer.subarray(0, count))) return false;
    slice += count;
    if (slice < SLICE) continue;
    slice = 0;
    onSlice();
    await nextTurn();
    if (isStopped()) return true;
  }
  index.settle();
  return true;
}

/** The last bytes before this offset, by which a file that was written over in place is known. */
export function readSeam(open: OpenFile, end: number): Uint8Array {
  return open.read(Math.max(0, end - SEAM), end);
}
