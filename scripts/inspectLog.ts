import { randomUUID } from 'node:crypto';
import { ProjectionError } from '../extension/engine/projection/error';
import { projectTranscript } from '../extension/engine/projection/project';
import type { ProjectionResult } from '../extension/engine/projection/result';
import type { Facts } from '../extension/formats/facts';
import { formatNamed } from '../extension/formats/formats';
import type { LogReader } from '../extension/formats/reader';
import { FileError } from '../extension/io/fileError';
import { createSha256 } from '../extension/io/hash';
import { OpenFile } from '../extension/io/readFile';
import { NoSessionLog, readLog } from '../extension/io/readLog';

const USAGE = 'Use: npm run --silent inspect -- FILE [--policy POLICY] [--options JSON] [--json]';
/** Issues that are listed where a person reads; with --json all are. */
const MOST_ISSUES = 20;

/** The caller's mistake; the message says what to do. */
class UsageError extends Error {}

interface Arguments {
  readonly file: string;
  /** Options of the projection; null: none is asked for. */
  readonly options: Readonly<Record<string, unknown>> | null;
  readonly json: boolean;
}

/** Reads a session log without an editor and prints its facts; gives the exit code. */
export function inspectLog(args: readonly string[], out: (text: string) => void, err: (text: string) => void): number {
  if (args.length === 1 && (args[0] === '--help' || args[0] === '-h')) {
    out(`${USAGE}\n`);
    return 0;
  }
  try {
    const { file, options, json } = parseArguments(args);
    const open = OpenFile.open(file);
    try {
      const reader = readLog(open);
      const projection = options && project(reader, open, options);
      out(json ? asJson(reader, projection) : asText(file, reader, projection));
      return 0;
    } finally {
      open.close();
    }
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof FileError || error instanceof NoSessionLog)) throw error;
    err(`${printable(error.message)}\n`);
    return 1;
  }
}

function parseArguments(args: readonly string[]): Arguments {
  const files: string[] = [];
  let policy: string | null = null;
  let options: Readonly<Record<string, unknown>> | null = null;
  let json = false;
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, option = word, given] = /^(--[a-z]+)=([^]*)$/.exec(word) ?? [];
    if (word === '--json') json = true;
    else if (option === '--policy') policy = valueOf(option, given ?? rest.shift());
    else if (option === '--options') options = parseOptions(valueOf(option, given ?? rest.shift()));
    else if (word === '--') files.push(...rest.splice(0));
    else if (word.startsWith('-') && word !== '-') throw new UsageError(`There is no option ${word}. ${USAGE}`);
    else files.push(word);
  }
  const [file] = files;
  if (file === undefined) throw new UsageError(`No file was named. ${USAGE}`);
  if (files.length > 1) throw new UsageError(`One file at a time: ${files.length} were named. ${USAGE}`);
  return { file, json, options: policy === null ? options : { ...options, policy } };
}

function valueOf(option: string, value: string | undefined): string {
  if (value === undefined) throw new UsageError(`${option} needs a value. ${USAGE}`);
  return value;
}

function parseOptions(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`--options is not JSON: ${error.message}. Give one object, such as '{"keep_last": 4}'.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`--options must be one JSON object, such as '{"keep_last": 4}'.`);
  }
  return value as Readonly<Record<string, unknown>>;
}

type Projection = Omit<ProjectionResult, 'messages'>;

function project(reader: LogReader, open: OpenFile, options: Readonly<Record<string, unknown>>): Projection {
  const messages = reader.context((start, end) => open.read(start, end));
  const transcript = { id: open.file, messages, events: [], metadata: {} };
  try {
    const result = projectTranscript(transcript, options, { createHash: createSha256, newId: randomUUID });
    const { messages: _, ...fields } = result;
    return fields;
  } catch (error) {
    if (error instanceof ProjectionError) throw new UsageError(`The projection was refused: ${error.message}`);
    throw error;
  }
}

function asJson(reader: LogReader, projection: Projection | null): string {
  const facts = reader.facts();
  return `${JSON.stringify({ ...facts, issues: reader.issues(), ...(projection && { projection }) }, null, 2)}\n`;
}

function asText(file: string, reader: LogReader, projection: Projection | null): string {
  const facts = reader.facts();
  const lines = [file, ...table(rowsOf(facts))];
  const issues = reader.issues();
  if (reader.issueCount > 0) {
    lines.push('', `${reader.issueCount} ${reader.issueCount === 1 ? 'issue' : 'issues'}:`);
    lines.push(...table(issues.slice(0, MOST_ISSUES).map(({ line, kind, text }) => [`line ${line}`, kind, text])));
    if (reader.issueCount > MOST_ISSUES)
      lines.push(`  … and ${reader.issueCount - MOST_ISSUES} more (--json lists them)`);
  }
  if (projection) {
    lines.push('', 'projection of the active branch:');
    lines.push(
      ...table([
        ['policy', projection.policy],
        ['reason', projection.reason],
        ['kept', String(projection.kept_count)],
        ['dropped', String(projection.dropped_count)],
        ['redacted', String(projection.redacted_count)],
        ['reclaimed', `${projection.reclaimed_tokens} tokens (estimated)`],
        ['prefix hash', projection.prefix_hash],
      ]),
    );
  }
  return `${lines.map(printable).join('\n')}\n`;
}

/** A line without what a terminal would obey: a log is anybody's text. */
function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '\ufffd');
}

function rowsOf(facts: Facts): string[][] {
  return [
    ['format', [formatNamed(facts.format).title, ...facts.versions].join(' ')],
    ['lines', facts.malformed > 0 ? `${facts.lines}, of which ${facts.malformed} malformed` : String(facts.lines)],
    ['messages', String(facts.messages)],
    ['tool calls', `${facts.tool_calls}, of which ${facts.tool_errors} failed`],
    ['signed', String(facts.signed)],
    ['compactions', `${facts.compactions}, and ${facts.microcompactions} micro-compactions`],
    ['forks', String(facts.real_forks)],
    ['sidechains', `${facts.sidechain_records} records`],
    ['last usage', facts.last_usage === null ? 'not reported' : `${facts.last_usage} tokens`],
  ];
}

/** Rows in columns that line up; the last one as long as it is. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(
    (row) => `  ${row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i]!))).join('  ')}`,
  );
}
