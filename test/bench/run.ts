// `npm run bench [-- --only NAME]`: every measurement below this folder, as a ratio with its limit.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/project.mjs';
import type { Bench } from './bench';

/** What a file NAME.bench.ts exports. */
interface BenchFile {
  readonly benches: readonly Bench[];
}

const usage =
  'Usage: npm run bench [-- --only NAME]\nNAME is a file of test/bench/ (without .bench.ts) or part of the name of a measurement.';

/** The names of the files of measurements. */
function listFiles(): string[] {
  const ending = '.bench.ts';
  const all = readdirSync(join(root, 'test', 'bench')).filter((name) => name.endsWith(ending));
  return all.map((name) => name.slice(0, -ending.length)).sort();
}

async function collect(only: string | undefined): Promise<Bench[]> {
  const chosen: Bench[] = [];
  for (const file of listFiles()) {
    const { benches } = (await import(`./${file}.bench.ts`)) as BenchFile;
    chosen.push(...benches.filter(({ name }) => only === undefined || file === only || name.includes(only)));
  }
  return chosen;
}

/** Measures one and prints its line. Gives whether it keeps its limit. */
async function measure(bench: Bench): Promise<boolean> {
  process.stdout.write(`${bench.name}: `);
  const ratio = await bench.run().catch((error: unknown) => {
    process.stdout.write(`could not be measured\n${error instanceof Error ? error.stack : String(error)}\n`);
    return undefined;
  });
  if (ratio === undefined) return false;
  const kept = ratio <= bench.limit;
  process.stdout.write(`${ratio.toPrecision(3)} (at most ${bench.limit})${kept ? '' : ' — ABOVE ITS LIMIT'}\n`);
  return kept;
}

async function main(args: readonly string[]): Promise<number> {
  const [flag, only, ...rest] = args;
  if (flag !== undefined && (flag !== '--only' || !only || rest.length > 0)) {
    process.stderr.write(`${usage}\n`);
    return 1;
  }
  const benches = await collect(only);
  if (benches.length === 0) {
    process.stderr.write(`No measurement is named ${only ?? ''}. Files: ${listFiles().join(', ')}\n`);
    return 1;
  }
  let passed = 0;
  for (const bench of benches) if (await measure(bench)) passed++;
  process.stdout.write(`${passed} passed, ${benches.length - passed} failed\n`);
  return passed === benches.length ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
