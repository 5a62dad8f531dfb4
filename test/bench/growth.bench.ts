import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClaudeSession, type ClaudeSessionFile } from '../../extension/agents/claudeCode/sessionFile';
import { writeSession } from '../support/generate';
import { answer, call, fileOf, result, text } from '../support/claudeLines';
import { median, timeOf, type Bench } from './bench';

const ROUNDS = 120;

/** A followed session whose readers look at all that its window shows of it whenever it changes. */
class Followed {
  private turn = 0;
  private parent: string;

  private constructor(
    private readonly session: ClaudeSessionFile,
    private readonly file: string,
  ) {
    this.parent = lastUuid(file);
    session.onDidChange((change) => {
      if (change.kind === 'files') session.files();
      else if (change.kind === 'lane') void [session.lanes(), session.title(), session.state(0), session.facts()];
    });
  }

  static async open(file: string): Promise<Followed> {
    const session = await openClaudeSession(file);
    await session.check();
    return new Followed(session, file);
  }

  /** Milliseconds from a request, with a call and its result, being in the file until it is shown. */
  async grow(): Promise<number> {
    const n = `${this.file}-${this.turn++}`;
    const lines = [
      answer(`a${n}`, this.parent, `m${n}`, text('I read the file.')),
      answer(`b${n}`, `a${n}`, `m${n}`, call(`c${n}`)),
      result(`r${n}`, `b${n}`, `c${n}`, 'export {};'),
    ];
    this.parent = `r${n}`;
    appendFileSync(this.file, fileOf(...lines));
    return timeOf(() => this.session.check());
  }

  dispose(): void {
    this.session.dispose();
  }
}

function lastUuid(file: string): string {
  const ids = [...readFileSync(file, 'latin1').matchAll(/"isSidechain":false[^\n]*"uuid":"([^"]+)","timestamp"/g)];
  return ids.at(-1)?.[1] ?? '';
}

async function measure(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'transcript-inspector-bench-'));
  try {
    const open = (name: string, turns: number): Promise<Followed> => {
      const file = join(folder, `${name}.jsonl`);
      writeSession(file, { seed: 7, turns });
      return Followed.open(file);
    };
    const short = await open('short', 170);
    const long = await open('long', 21_500);
    const times: { short: number[]; long: number[] } = { short: [], long: [] };
    for (let round = 0; round < ROUNDS; round++) {
      times.short.push(await short.grow());
      times.long.push(await long.grow());
    }
    short.dispose();
    long.dispose();
    return median(times.long.slice(20)) / median(times.short.slice(20));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const benches: readonly Bench[] = [
  {
    name: 'growth of a followed session of 100,000 records over that of one of 1,000',
    limit: 2,
    run: measure,
  },
];
