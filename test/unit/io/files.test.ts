import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileError, fileError } from '../../../extension/io/fileError';
import { OpenFile, readChunks } from '../../../extension/io/readFile';
import { followFile, type Follower, type TailEvent } from '../../../extension/io/tail';

let folder: string;
let file: string;
const disposals: (() => void)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'transcript-inspector-io-'));
  file = join(folder, 'log.jsonl');
});

afterEach(() => {
  for (const dispose of disposals.splice(0)) dispose();
  rmSync(folder, { recursive: true, force: true });
});

function refusal(work: () => unknown): FileError {
  try {
    work();
  } catch (error) {
    if (error instanceof FileError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('reading', () => {
  const ranges = [
    { start: 0, end: 3, text: 'abc' },
    { start: 3, end: 100, text: 'defghij' },
    { start: 8, end: 8, text: '' },
    { start: 50, end: 60, text: '' },
    { start: 5, end: 2, text: '' },
  ];
  it.each(ranges)('bytes $start to $end', ({ start, end, text }) => {
    writeFileSync(file, 'abcdefghij');
    const open = OpenFile.open(file);
    expect(open.read(start, end).toString()).toBe(text);
    open.close();
  });

  it('chunks, until the end or until told to stop', () => {
    writeFileSync(file, 'abcdefghij');
    const open = OpenFile.open(file);
    disposals.push(() => open.close());
    const chunks: string[] = [];
    expect(readChunks(open, 1, 4, (chunk) => chunks.push(chunk.toString()) > 0)).toBe(10);
    expect(chunks).toEqual(['bcde', 'fghi', 'j']);
    expect(readChunks(open, 0, 4, () => false)).toBe(4);
  });

  const refused = [
    { name: 'a missing file', path: () => join(folder, 'none'), code: 'missing', says: 'no such file' },
    { name: 'a folder', path: () => folder, code: 'folder', says: 'a folder' },
    { name: 'a file as a folder', path: () => join(file, 'x'), code: 'not_a_folder', says: 'not a folder' },
    { name: 'a device', path: () => '/dev/null', code: 'failed', says: 'device' },
    { name: 'a pipe that nobody writes to', path: () => join(folder, 'pipe'), code: 'failed', says: 'a pipe' },
    { name: 'links in a circle', path: () => join(folder, 'circle'), code: 'loop', says: 'in a circle' },
  ];
  it.each(refused)('$name is refused with what to do', ({ path, code, says }) => {
    writeFileSync(file, '');
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    symlinkSync('circle', join(folder, 'circle'));
    const error = refusal(() => OpenFile.open(path()));
    expect(error.code).toBe(code);
    expect(error.message).toContain(says);
    expect(error.message).toContain(path());
    expect(error.message.endsWith(error.advice)).toBe(true);
  });

  it('what is no fault of a file is thrown on', () => {
    expect(() => fileError(new TypeError('ours'), file)).toThrow('ours');
  });
});

/** Follows the file; only what is asked for with `check` counts, so that each step is one report. */
function following(known = true): { events: TailEvent[]; follower: Follower } {
  const events: TailEvent[] = [];
  let identity = null;
  if (known) {
    const open = OpenFile.open(file);
    identity = open.identity();
    open.close();
  }
  const follower = followFile(file, identity, (event) => events.push(event), { every_ms: 0 });
  disposals.push(() => follower.dispose());
  return { events, follower };
}

describe('following', () => {
  const rows: { name: string; change: () => void; kinds: string[] }[] = [
    { name: 'nothing', change: () => undefined, kinds: [] },
    { name: 'growth', change: () => appendFileSync(file, 'more'), kinds: ['grew'] },
    { name: 'a cut', change: () => truncateSync(file, 2), kinds: ['reset truncated'] },
    {
      name: 'a replacement',
      change: () => {
        writeFileSync(`${file}.new`, 'another, longer one');
        renameSync(`${file}.new`, file);
      },
      kinds: ['reset replaced'],
    },
    { name: 'a deletion', change: () => rmSync(file), kinds: ['gone'] },
  ];
  it.each(rows)('$name', async ({ change, kinds }) => {
    writeFileSync(file, 'start');
    const { events, follower } = following();
    change();
    await follower.check();
    await follower.check();
    expect(events.map((event) => (event.kind === 'reset' ? `reset ${event.reason}` : event.kind))).toEqual(kinds);
  });

  it('deletion and return', async () => {
    writeFileSync(file, 'start');
    const { events, follower } = following();
    rmSync(file);
    await follower.check();
    writeFileSync(file, 'again');
    await follower.check();
    expect(events).toEqual([{ kind: 'gone' }, { kind: 'reset', reason: 'created', size: 5 }]);
  });

  it('a file that comes later', async () => {
    const { events, follower } = following(false);
    await follower.check();
    expect(events).toEqual([]);
    writeFileSync(file, 'here');
    await follower.check();
    expect(events).toEqual([{ kind: 'reset', reason: 'created', size: 4 }]);
  });

  it('is told by the system, and many quick writes come in order and add up', async () => {
    writeFileSync(file, '');
    const { events, follower } = following();
    const done = new Promise<void>((resolve) => {
      const watched = followFile(file, null, (event) => {
        if (event.kind !== 'gone' && event.kind !== 'error' && event.size === 500) resolve();
      });
      disposals.push(() => watched.dispose());
    });
    for (let i = 0; i < 100; i++) appendFileSync(file, 'fives');
    await done;
    await follower.check();
    let at = 0;
    for (const event of events) {
      if (event.kind !== 'grew') throw new Error(event.kind);
      expect(event.from).toBe(at);
      at = event.size;
    }
    expect(at).toBe(500);
  });

  it('is silent once it is disposed', async () => {
    writeFileSync(file, '');
    const { events, follower } = following();
    follower.dispose();
    appendFileSync(file, 'x');
    await follower.check();
    expect(events).toEqual([]);
  });
});
