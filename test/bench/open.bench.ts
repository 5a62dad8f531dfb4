import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClaudeSession } from '../../extension/agents/claudeCode/sessionFile';
import { buildChild } from '../support/child';
import { writeSession } from '../support/generate';
import { ratioOf, type Bench } from './bench';

const BYTES = 200e6;

/** Runs `work` with a generated session of 200 MB, which is removed again. */
async function withSession<T>(work: (file: string, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'transcript-inspector-bench-'));
  try {
    const file = join(folder, 'session.jsonl');
    writeSession(file, { seed: 7, bytes: BYTES });
    return await work(file, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What everything is measured against: reading the file and parsing each of its lines. */
function parseAll(file: string): number {
  const bytes = readFileSync(file);
  let records = 0;
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    if (end > start && JSON.parse(bytes.toString('utf8', start, end)) !== null) records++;
    start = end + 1;
  }
  return records;
}

async function openLastPage(file: string): Promise<void> {
  const session = await openClaudeSession(file, { follow: false });
  session.dispose();
}

async function index(file: string): Promise<void> {
  const session = await openClaudeSession(file, { follow: false });
  await session.indexed;
  session.dispose();
}

/** Peak memory with the session over that with a tiny one, as a share of 150 MB. */
async function measureMemory(): Promise<number> {
  const child = buildChild('test/bench/open.child.ts');
  try {
    return await withSession(async (file, folder) => {
      const tiny = join(folder, 'tiny.jsonl');
      writeSession(tiny, { seed: 7, turns: 2 });
      const peak = async (path: string): Promise<number> => {
        const { code, stdout, stderr } = await child.run([path]);
        if (code !== 0) throw new Error(stderr);
        return Number(stdout);
      };
      return ((await peak(file)) - (await peak(tiny))) / 150e6;
    });
  } finally {
    child.dispose();
  }
}

export const benches: readonly Bench[] = [
  {
    name: 'first page of a 200 MB session over reading and parsing every line',
    limit: 0.1,
    run: () =>
      withSession((file) =>
        ratioOf(
          () => openLastPage(file),
          () => parseAll(file),
          3,
        ),
      ),
  },
  {
    name: 'full index of a 200 MB session over reading and parsing every line',
    limit: 0.5,
    run: () =>
      withSession((file) =>
        ratioOf(
          () => index(file),
          () => parseAll(file),
          5,
        ),
      ),
  },
  {
    name: 'peak memory of the reader of a 200 MB session, over idle, as a share of 150 MB',
    limit: 1,
    run: measureMemory,
  },
];
