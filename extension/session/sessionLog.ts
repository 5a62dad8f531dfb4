import { closeSync, openSync } from 'node:fs';
import type { LogRecord } from '../engine/state/record';
import { fileError } from '../io/fileError';
import { takeLock } from './lock';
import type { Lock } from './lock';
import type { LogSink, Place, Tail } from './log';
import { LogWriter, readLog, readPlace } from './log';

/** How a log is opened. */
export interface LogOptions {
  /** Names the holder of the lock; unique. */
  readonly token: string;
  /** Whether each append is flushed to the disk before it counts. */
  readonly flush: boolean;
}

/**
 * The log of one session on disk. One window writes it, under a lock; in others it is read only, and follows. A line or
 * batch that a crash cut short is moved to `<file>.torn` by the one who writes.
 */
export class SessionLog {
  private writer: LogWriter | null = null;
  private lock: Lock | null = null;
  private tail: Tail = { end: 0, lines: 0, torn: 0, unended: false };
  private holder = 0;
  private refused: string | null = null;
  private closed = false;

  private constructor(
    readonly file: string,
    private readonly options: LogOptions,
    private readonly sink: LogSink,
  ) {}

  /**
   * Opens the log, takes the lock when it is free, and hands every record to the sink. A missing file is an empty log;
   * one in a folder that cannot be written is read all the same. Rejects with a `FileError` for one that cannot be read.
   */
  static async open(file: string, options: LogOptions, sink: LogSink): Promise<SessionLog> {
    const opened = new SessionLog(file, options, sink);
    try {
      if (!(await opened.claim())) await opened.read();
    } catch (error) {
      opened.close();
      throw fileError(error, file);
    }
    return opened;
  }

  /** Process that writes this log when it is not us; null: we do. */
  get heldBy(): number | null {
    return this.writer ? null : this.holder;
  }

  /** Why nobody can write this log here, with what to do; null: nothing is known that would prevent it. */
  get refusal(): string | null {
    return this.writer ? null : this.refused;
  }

  /** Takes the lock if it is free by now, reads what came meanwhile, and opens the log to write. */
  async claim(): Promise<boolean> {
    if (this.writer) return true;
    if (this.closed || this.lock) return false;
    this.refused = null;
    const locking = this.attempt(() => takeLock(`${this.file}.lock`, this.options.token));
    if (!locking) return false;
    if (!locking.lock) {
      this.holder = locking.held_by;
      return false;
    }
    this.lock = locking.lock;
    await this.read();
    if (this.closed) return false;
    this.writer = this.attempt(() => LogWriter.open(this.file, this.tail, this.options.flush));
    if (!this.writer) {
      this.lock.release();
      this.lock = null;
      return false;
    }
    const { torn } = this.tail;
    if (torn > 0) {
      const text = `The last write was cut short, so ${torn} bytes at the end were no whole record. They are kept in ${this.file}.torn.`;
      this.sink.issue({ line: this.tail.lines + 1, kind: 'truncated', text });
    }
    return true;
  }

  /** What needs a folder and a disk that can be written; null, and why, where they cannot. */
  private attempt<Result>(work: () => Result): Result | null {
    try {
      return work();
    } catch (error) {
      this.holder = 0;
      this.refused = `The log of this session cannot be written, so the session can only be looked at. ${fileError(error, this.file).message}`;
      return null;
    }
  }

  /** Reads what was written since, by whoever writes. */
  async read(): Promise<void> {
    if (this.writer || this.closed) return;
    try {
      this.tail = await readLog(this.file, this.tail.end, this.tail.lines, this.sink);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  /** Writes and flushes; null when this window does not write the log. */
  append(records: readonly LogRecord[]): readonly Place[] | null {
    return this.writer?.append(records) ?? null;
  }

  /** The text of a record as it stands in the file. */
  textAt(place: Place): string {
    if (this.writer) return this.writer.read(place);
    const fd = openSync(this.file, 'r');
    try {
      return readPlace(fd, place);
    } finally {
      closeSync(fd);
    }
  }

  close(): void {
    this.closed = true;
    this.writer?.close();
    this.writer = null;
    this.lock?.release();
    this.lock = null;
  }
}
