import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Facts } from '../extension/formats/facts';
import { FileError, fileError } from '../extension/io/fileError';
import { OpenFile } from '../extension/io/readFile';
import { NoSessionLog, readLog } from '../extension/io/readLog';

const FACTS = 'facts.json';
const ENDINGS: readonly string[] = ['.jsonl', '.json'];
const USAGE = 'Use: npm run transcripts -- DIR';

type Expected = Readonly<Record<string, Readonly<Partial<Record<keyof Facts, unknown>>>>>;

/** Reads every session log below a folder and lists what is not as expected; gives the exit code: 1 when a log could not be read or has other facts than expected. */
export function checkTranscripts(args: readonly string[], out: (line: string) => void): number {
  const [folder] = args;
  if (folder === undefined || args.length > 1) {
    out(folder === undefined ? `No folder was named. ${USAGE}` : `One folder at a time. ${USAGE}`);
    return 1;
  }
  let files: string[];
  let expected: Expected | null;
  try {
    files = filesBelow(folder);
    expected = expectedOf(folder, files);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    out(error.message);
    return 1;
  }
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const seen = new Set<string>();
  for (const file of files) {
    const name = relative(folder, file).split(sep).join('/');
    if (name === FACTS) continue;
    const facts = expected?.[name];
    seen.add(name);
    const { result, lines } = check(file, facts ?? null);
    counts[result]++;
    for (const line of lines)
      out(`${result === 'passed' ? 'ok  ' : result === 'failed' ? 'FAIL' : 'skip'} ${name}${line}`);
  }
  for (const name of Object.keys(expected ?? {})) {
    if (seen.has(name)) continue;
    counts.failed++;
    out(`FAIL ${name}: ${FACTS} names it, but there is no such file`);
  }
  if (counts.passed + counts.failed + counts.skipped === 0) out(`There is no session log below ${folder}.`);
  const { passed, failed, skipped } = counts;
  if (skipped > 0) out(`${skipped} skipped`);
  out(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

interface Outcome {
  readonly result: 'passed' | 'failed' | 'skipped';
  /** What is printed after the file's name. */
  readonly lines: readonly string[];
}

function check(file: string, expected: Expected[string] | null): Outcome {
  let open: OpenFile | null = null;
  try {
    open = OpenFile.open(file);
    const facts = readLog(open).facts();
    const differences = expected ? differencesOf(facts, expected) : [];
    if (differences.length > 0) return { result: 'failed', lines: differences };
    return { result: 'passed', lines: [` (${facts.format}, ${facts.messages} messages)`] };
  } catch (error) {
    if (error instanceof NoSessionLog) {
      // What is not expected to be a session log may lie beside them.
      const isSkipped = error.reason === 'not_read_yet' || expected === null;
      return { result: isSkipped ? 'skipped' : 'failed', lines: [`: ${error.message}`] };
    }
    if (error instanceof FileError) return { result: 'failed', lines: [`: ${error.message}`] };
    throw error;
  } finally {
    open?.close();
  }
}

function differencesOf(facts: Facts, expected: Expected[string]): string[] {
  const lines: string[] = [];
  for (const [key, value] of Object.entries(expected)) {
    const found = facts[key as keyof Facts];
    if (JSON.stringify(found) !== JSON.stringify(value)) {
      lines.push(`: ${key} is ${JSON.stringify(found)}, expected ${JSON.stringify(value)}`);
    }
  }
  return lines;
}

function filesBelow(folder: string): string[] {
  const files: string[] = [];
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw fileError(error, folder);
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...filesBelow(path));
    else if (ENDINGS.some((ending) => entry.name.endsWith(ending))) files.push(path);
  }
  return files;
}

function expectedOf(folder: string, files: readonly string[]): Expected | null {
  const path = join(folder, FACTS);
  if (!files.includes(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Expected;
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new FileError('failed', path, 'Mend it or move it away.', `This is not JSON (${error.message})`);
    }
    throw fileError(error, path);
  }
}
