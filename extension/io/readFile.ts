import { closeSync, constants, fstatSync, openSync, readSync, type BigIntStats } from 'node:fs';
import { FileError, fileError } from './fileError';

/** What tells one file from another that took its place, and how long it is. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
  /** Nanoseconds since the epoch; 0 where the file system does not know. */
  readonly born: bigint;
  readonly size: number;
  readonly modified_ms: number;
}

export function identityOf(stats: BigIntStats): FileIdentity {
  return {
    device: stats.dev,
    inode: stats.ino,
    born: stats.birthtimeNs,
    size: Number(stats.size),
    modified_ms: Number(stats.mtimeMs),
  };
}

/** True when both are the same file, however long it has become. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.device === b.device && a.inode === b.inode && a.born === b.born;
}

/** A pipe that nobody writes to must not hold up whoever opens it; Windows has no such pipes and no such flag. */
const READ = constants.O_RDONLY | ((constants as { readonly O_NONBLOCK?: number }).O_NONBLOCK ?? 0);

/** A file that is open for reading at any offset. Reads are synchronous: a page of a log comes from the system's cache. */
export class OpenFile {
  private constructor(
    readonly file: string,
    private descriptor: number,
  ) {}

  /** Throws a `FileError` for what cannot be read, a folder among it. */
  static open(file: string): OpenFile {
    let descriptor: number | null = null;
    try {
      descriptor = openSync(file, READ);
      const stats = fstatSync(descriptor);
      if (stats.isDirectory()) throw new FileError('folder', file);
      if (!stats.isFile()) {
        throw new FileError(
          'failed',
          file,
          'Choose a regular file.',
          'This is a pipe, a socket or a device, not a file',
        );
      }
      return new OpenFile(file, descriptor);
    } catch (error) {
      if (descriptor !== null) closeSync(descriptor);
      throw fileError(error, file);
    }
  }

  identity(): FileIdentity {
    try {
      return identityOf(fstatSync(this.descriptor, { bigint: true }));
    } catch (error) {
      throw fileError(error, this.file);
    }
  }

  /** Reads into `into` from this offset of the file; gives the number of bytes, fewer only at the end of the file. */
  readInto(into: Uint8Array, offset: number): number {
    let done = 0;
    try {
      while (done < into.length) {
        const count = readSync(this.descriptor, into, done, into.length - done, offset + done);
        if (count === 0) break;
        done += count;
      }
    } catch (error) {
      throw fileError(error, this.file);
    }
    return done;
  }

  /** The bytes from `start` to `end`; fewer where the file ends before. */
  read(start: number, end: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(Math.max(0, end - start));
    return bytes.subarray(0, this.readInto(bytes, start));
  }

  close(): void {
    if (this.descriptor < 0) return;
    const { descriptor } = this;
    this.descriptor = -1;
    closeSync(descriptor);
  }
}

/**
 * Hands the bytes of a file from `start` on to `take`, in pieces of at most `size` bytes whose memory is used again for
 * the next one. Gives the offset at which it ended: the end of the file, or after `take` gave false.
 */
export function readChunks(open: OpenFile, start: number, size: number, take: (chunk: Buffer) => boolean): number {
  const buffer = Buffer.allocUnsafeSlow(size);
  let offset = start;
  for (;;) {
    const count = open.readInto(buffer, offset);
    if (count === 0) return offset;
    offset += count;
    if (!take(buffer.subarray(0, count))) return offset;
    if (count < size) return offset;
  }
}
