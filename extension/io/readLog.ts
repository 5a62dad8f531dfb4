import { isUtf8 } from 'node:buffer';
import { detectFormat } from '../formats/detect';
import { formatNamed, formats } from '../formats/formats';
import type { FormatName } from '../formats/facts';
import type { Lent, LogReader } from '../formats/reader';
import type { OpenFile } from './readFile';
import { readChunks } from './readFile';

/** How much of a file's beginning is looked at to know its format, in bytes: more only while that does not tell. */
const HEADS = [1 << 16, 1 << 20, 1 << 24];
const CHUNK = 1 << 18;
const SQLITE = 'SQLite format 3\0';
const decoder = new TextDecoder();

/** What Node lends the readers of formats. */
export const lent: Lent = { decode: (bytes) => decoder.decode(bytes), isUtf8: (bytes) => isUtf8(bytes) };

/** A file that can be read and is no session log, or one that cannot be read yet. The message says what to do. */
export class NoSessionLog extends Error {
  override readonly name = 'NoSessionLog';
  constructor(
    readonly reason: 'empty' | 'unknown' | 'not_read_yet',
    readonly file: string,
    /** The format, where it is known. */
    readonly format: FormatName | null,
    message: string,
  ) {
    super(message);
  }
}

/** The format of an open file. Throws `NoSessionLog` for one that is empty or not known. */
export function formatOf(open: OpenFile): FormatName {
  const { file } = open;
  let isEmpty = true;
  for (const bytes of HEADS) {
    const head = open.read(0, bytes);
    if (head.toString('latin1', 0, SQLITE.length) === SQLITE) {
      const advice =
        'Sessions in databases, such as those of opencode, are not read yet; export the session as JSON lines.';
      throw new NoSessionLog('not_read_yet', file, null, `This is an SQLite database: ${file}. ${advice}`);
    }
    const text = head.toString('utf8');
    isEmpty &&= text.trim() === '';
    const format = detectFormat(text);
    if (format) return format;
    if (head.length < bytes || head.includes(0)) break;
  }
  if (isEmpty) {
    const advice = 'Choose a session log, or wait until the agent has written to it.';
    throw new NoSessionLog('empty', file, null, `The file is empty: ${file}. ${advice}`);
  }
  const known = formats.map(({ title }) => title).join(', ');
  const message = `This is no session log that is known here: ${file}. Choose a session file of one of these: ${known}.`;
  throw new NoSessionLog('unknown', file, null, message);
}

/**
 * Reads a whole session log of any format that is read here, in chunks.
 * @throws A `FileError` for what cannot be read, a `NoSessionLog` for what is no session log or is not read yet.
 */
export function readLog(open: OpenFile): LogReader {
  const { createReader, title } = formatNamed(formatOf(open));
  if (!createReader) {
    const format = formatOf(open);
    const message = `Sessions of ${title} are recognised but not read yet: ${open.file}.`;
    throw new NoSessionLog('not_read_yet', open.file, format, message);
  }
  const reader = createReader(lent);
  readChunks(open, 0, CHUNK, (chunk) => reader.push(chunk));
  reader.settle();
  return reader;
}
