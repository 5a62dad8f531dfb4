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

  /** The text of a line of the file; empty for a line that holds no record. */
  lineText(line: number): string {
    const { records } = this;
    let low = 0;
    let high = records.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (records.line[middle]! < line) low = middle + 1;
      else high = middle;
    }
    return low < records.size && records.line[low] === line ? this.text(low) : '';
  }

  /** A record, parsed; an empty one where the file was changed under us. */
  read(record: number): JsonObject {
    return parseLine(this.text(record)) ?? {};
  }
}
