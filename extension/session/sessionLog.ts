import { closeSync, openSync } from 'node:fs';
import type { LogRecord } from '../engine/state/record';
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
  private closed = false;

  private constructor(
    readonly file: string,
    private readonly options: LogOptions,
    private readonly sink: LogSink,
  ) {}

  /** Opens the log, takes the lock when it is free, and hands every record to the sink. A missing file is an empty log. */
  static async open(file: string, options: LogOptions, sink: LogSink): Promise<SessionLog> {
    const opened = new SessionLog(file, options, sink);
    try {
      if (!(await opened.claim())) await opened.read();
    } catch (error) {
      opened.close();
      throw error;
    }
    return opened;
  }

  /** Process that writes this log when it is not us; null: we do. */
  get heldBy(): number | null {
    return this.writer ? null : this.holder;
  }

  /** Takes the lock if it is free by now, reads what came meanwhile, and opens the log to write. */
  async claim(): Promise<boolean> {
    if (this.writer) return true;
    if (this.closed || this.lock) return false;
    const locking = takeLock(`${this.file}.lock`, this.options.token);
    if (!locking.lock) {
      this.holder = locking.held_by;
      return false;
    }
    this.lock = locking.lock;
    await this.read();
    if (this.closed) return false;
    const { torn } = this.tail;
    if (torn > 0) {
      const text = `The last write was cut short, so ${torn} bytes at the end were no whole record. They are kept in ${this.file}.torn.`;
      this.sink.issue({ line: this.tail.lines + 1, kind: 'truncated', text });
    }
    this.writer = LogWriter.open(this.file, this.tail, this.options.flush);
    return true;
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
