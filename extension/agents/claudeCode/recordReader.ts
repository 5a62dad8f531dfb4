import { FileError } from '../../io/fileError';
import type { OpenFile } from '../../io/readFile';
import type { JsonObject } from '../../engine/transcript/message';
import type { RecordTable } from '../../formats/claudeCode/recordTable';
import { parseLine } from './parseLine';

/** Reads single records of an indexed file, by number. */
export class RecordReader {
  constructor(
    private readonly open: OpenFile,
    readonly records: RecordTable,
  ) {}

  /** The line of a record as text; empty where the file no longer has it. */
  text(record: number): string {
    const { start, length } = this.records;
    const from = start[record];
    if (from === undefined) return '';
    try {
      return this.open.read(from, from + length[record]!).toString('utf8');
    } catch (error) {
      if (error instanceof FileError) return '';
      throw error;
    }
  }

  /** A record, parsed; an empty one where the file was changed under us. */
  read(record: number): JsonObject {
    return parseLine(this.text(record)) ?? {};
  }
}
