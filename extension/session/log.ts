import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { isObject } from '../engine/transcript/message';
import type { LogRecord } from '../engine/state/record';
import type { IssueView } from '../protocol/view';

/** A log could not be written; the message says what to do. What was acknowledged before is safe. */
export class LogFailure extends Error {
  override readonly name = 'LogFailure';
}

/** Where a record stands in its file. */
export interface Place {
  readonly offset: number;
  readonly bytes: number;
}

/** What is read of a log: each record with its place, in order. */
export interface LogSink {
  /** `line` counts from 1. */
  record(record: LogRecord, place: Place, line: number): void;
  issue(issue: IssueView): void;
}

const CHUNK = 1 << 20;
const NEWLINE = 0x0a;

function asRecord(value: unknown): LogRecord | string {
  if (!isObject(value)) return 'is not an object';
  const { id, event } = value;
  if (typeof id !== 'string' || id === '') return 'has no id';
  if (!isObject(event)) return 'has no event';
  if (typeof event['kind'] !== 'string') return 'has no kind';
  if (!isObject(event['payload'])) return 'has no payload';
  if (typeof event['occurred_at_ms'] !== 'number') return 'has no time';
  const headers = event['headers'];
  if (!isObject(headers) || Object.values(headers).some((header) => typeof header !== 'string')) {
    return 'has no headers, or headers that are no strings';
  }
  return value as unknown as LogRecord;
}

/** One line of a log. A line that is no record gives the reason instead. */
export function parseLine(bytes: Uint8Array): LogRecord | { readonly kind: string; readonly text: string } {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'invalid-json', text: 'This line is not JSON; it was left out.' };
  }
  const record = asRecord(value);
  if (typeof record !== 'string') return record;
  return { kind: 'wrong-shape', text: `This line ${record}, so it is no record; it was left out.` };
}

/** `[place, size]` of a record that was written together with others; null: it was written alone. */
function batchOf(record: LogRecord): readonly [number, number] | null {
  const match = /^(\d+)\/(\d+)$/.exec(record.event.headers['batch'] ?? '');
  return match ? [Number(match[1]), Number(match[2])] : null;
}

/** How far a log was read. */
export interface Tail {
  /** End of the last whole record: what comes after it was cut short. */
  readonly end: number;
  readonly lines: number;
  /** Bytes after `end`. */
  readonly torn: number;
  /** Whether only the newline after the last record is missing. */
  readonly unended: boolean;
}

/**
 * Reads whole lines from `from` on, in chunks that let other work go on between them. Records of a batch are given on
 * only when the batch is complete: what was written together holds together or not at all.
 */
export async function readLog(file: string, from: number, firstLine: number, sink: LogSink): Promise<Tail> {
  const handle = await open(file, 'r');
  try {
    let at = from;
    let line = firstLine;
    let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
    let batch: { readonly record: LogRecord; readonly place: Place; readonly line: number }[] = [];
    const giveUp = (): void => {
      for (const part of batch) {
        sink.issue({
          line: part.line,
          kind: 'truncated',
          text: 'The records written with this one are missing; it was left out.',
        });
      }
      batch = [];
    };
    const take = (bytes: Buffer, offset: number): void => {
      line++;
      if (bytes.length === 0) return;
      const parsed = parseLine(bytes);
      if (!('event' in parsed)) {
        sink.issue({ line, ...parsed });
        return;
      }
      if (!isUtf8(bytes)) {
        sink.issue({ line, kind: 'invalid-utf8', text: 'Some bytes of this line are not UTF-8; they show as \uFFFD.' });
      }
      const place = { offset, bytes: bytes.length };
      const part = batchOf(parsed);
      if (part === null || part[0] === 1) giveUp();
      if (part === null) sink.record(parsed, place, line);
      else if (part[0] !== batch.length + 1) {
        giveUp();
        sink.issue({
          line,
          kind: 'truncated',
          text: 'The records written with this one are missing; it was left out.',
        });
      } else {
        batch.push({ record: parsed, place, line });
        if (part[0] === part[1]) {
          for (const each of batch) sink.record(each.record, each.place, each.line);
          batch = [];
        }
      }
    };
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const { bytesRead } = await handle.read(chunk, 0, CHUNK, at + rest.length);
      if (bytesRead === 0) break;
      const bytes =
        rest.length === 0 ? chunk.subarray(0, bytesRead) : Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE, rest.length); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        take(bytes.subarray(start, end), at + start);
        start = end + 1;
      }
      rest = Buffer.from(bytes.subarray(start));
      at += start;
    }
    const unended = rest.length > 0 && 'event' in parseLine(rest);
    if (unended) take(rest, at);
    const size = at + rest.length;
    const end = batch[0]?.place.offset ?? (unended ? size : at);
    return { end, lines: line, torn: size - end, unended: unended && end === size };
  } finally {
    await handle.close();
  }
}

/** The writing end of a log. Every append is one write, flushed before it returns. */
export class LogWriter {
  private constructor(
    private fd: number,
    private readonly file: string,
    private end: number,
    private readonly flush: boolean,
  ) {}

  /**
   * Opens a log to write behind its last whole record. Bytes after that (a line or a batch that a crash cut short, so
   * never acknowledged) are kept in `<file>.torn` before the log is cut there.
   */
  static open(file: string, tail: Tail, flush: boolean): LogWriter {
    const fd = openSync(file, 'a+', 0o600);
    try {
      const size = fstatSync(fd).size;
      if (size > tail.end) {
        keepTorn(fd, `${file}.torn`, tail.end, size);
        ftruncateSync(fd, tail.end);
        fsyncSync(fd);
      }
      if (tail.unended) writeSync(fd, '\n');
      return new LogWriter(fd, file, fstatSync(fd).size, flush);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** End of the last acknowledged record, in bytes. */
  get size(): number {
    return this.end;
  }

  /** Writes the records and gives their places. Fails as a whole: then the log is as it was. */
  append(records: readonly LogRecord[]): readonly Place[] {
    const lines = records.map((record) => Buffer.from(JSON.stringify(record) + '\n', 'utf8'));
    const bytes = Buffer.concat(lines);
    try {
      this.checkEnd();
      for (let done = 0; done < bytes.length;) done += writeSync(this.fd, bytes, done);
      if (this.flush) fdatasyncSync(this.fd);
    } catch (error) {
      if (error instanceof LogFailure) throw error;
      const reasons = [error, ...this.undo()].map((each) => (each instanceof Error ? each.message : String(each)));
      throw new LogFailure(
        `The session's log could not be written, so nothing was changed. Make room on the disk or give access to ${this.file}, then try again. (${reasons.join('; ')})`,
      );
    }
    return lines.map((line) => {
      const place = { offset: this.end, bytes: line.length - 1 };
      this.end += line.length;
      return place;
    });
  }

  /** The text of a record. */
  read(place: Place): string {
    return readPlace(this.fd, place);
  }

  close(): void {
    closeSync(this.fd);
  }

  /** The log as it was left: what somebody else did to its file in between is mended, or told. */
  private checkEnd(): void {
    if (fstatSync(this.fd).nlink === 0) this.restore();
    const { size } = fstatSync(this.fd);
    if (size < this.end) {
      throw new LogFailure(
        `${this.file} was cut by another program, so nothing was written. Reload the window to go on from what is left of this session.`,
      );
    }
    if (size === this.end) return;
    keepTorn(this.fd, `${this.file}.torn`, this.end, size);
    ftruncateSync(this.fd, this.end);
  }

  /** Puts a file that was deleted meanwhile back in its place; as long as it is open its content is not lost. */
  private restore(): void {
    const fd = openSync(this.file, 'ax+', 0o600);
    try {
      const chunk = Buffer.allocUnsafe(CHUNK);
      for (let at = 0, count = 1; count > 0; at += count) {
        count = readSync(this.fd, chunk, 0, CHUNK, at);
        for (let done = 0; done < count;) done += writeSync(fd, chunk, done, count - done);
      }
      fsyncSync(fd);
    } catch (error) {
      closeSync(fd);
      unlinkSync(this.file);
      throw error;
    }
    closeSync(this.fd);
    this.fd = fd;
  }

  /** Cuts off what of a failed write did reach the file; gives what that ran into: then the next append does it first. */
  private undo(): readonly unknown[] {
    try {
      ftruncateSync(this.fd, this.end);
      return [];
    } catch (error) {
      return [error];
    }
  }
}

/** Reads the bytes of one record. */
export function readPlace(fd: number, place: Place): string {
  const bytes = Buffer.allocUnsafe(place.bytes);
  let done = 0;
  while (done < place.bytes) {
    const count = readSync(fd, bytes, done, place.bytes - done, place.offset + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.toString('utf8', 0, done);
}

function keepTorn(fd: number, file: string, start: number, end: number): void {
  const bytes = Buffer.allocUnsafe(end - start);
  const count = readSync(fd, bytes, 0, bytes.length, start);
  const torn = openSync(file, 'a', 0o600);
  try {
    writeSync(torn, bytes, 0, count);
    writeSync(torn, '\n');
    fsyncSync(torn);
  } finally {
    closeSync(torn);
  }
}
