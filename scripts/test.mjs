// `npm test`: everything, one stage after the other; a stage that fails does not keep the next from running.
// `npm test -- --only unit,lint`: some stages. `--list`: their names. `npm run test:long`: random tests run longer, from a new seed.
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { ensureDependencies } from './dependencies.mjs';
import { main, root, runInteractive, say, UserError } from './project.mjs';

const bin = (name, file = `bin/${name}.js`) => join(root, 'node_modules', name, file);

/** A check that is one test: it passes when every one of its programs does. */
const check = (...programs) => ({ programs });
/** A project of vitest.config.ts, whose tests are counted. */
const tests = (project, ...more) => ({
  programs: [[bin('vitest', 'vitest.mjs'), 'run', '--project', project, ...more]],
  project,
});

const stages = {
  types: check([bin('typescript', 'bin/tsc'), '-b', '--pretty']),
  lint: check(
    [bin('eslint'), '.', '--max-warnings', '0'],
    [bin('prettier', 'bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
  ),
  unit: tests('unit'),
  vectors: tests('vectors'),
  webview: tests('webview'),
  package: tests('package'),
  server: tests('server'),
  e2e: tests('e2e'),
};

const usage = `Usage: npm test [-- --only STAGE,…]   or   npm run test:long [-- --only STAGE,…]
Stages: ${Object.keys(stages).join(', ')}`;

await main(async () => {
  const args = process.argv.slice(2);
  if (args.length === 1 && args[0] === '--list') {
    process.stdout.write(`${Object.keys(stages).join('\n')}\n`);
    return 0;
  }
  const { chosen, long } = parseArguments(args);
  await ensureDependencies();
  mkdirSync(join(root, '.build'), { recursive: true });
  const extra = long ? { TEST_LONG: '20', TEST_SEED: process.env.TEST_SEED ?? String(randomInt(2 ** 31)) } : {};
  if (long) say(`Random tests run 20 times as long, with TEST_SEED=${extra.TEST_SEED}`);
  const results = [];
  for (const name of chosen) {
    say(`\n━━ ${name}`);
    const begin = performance.now();
    const totals = await runStage(name, stages[name], extra);
    results.push({ name, ...totals, seconds: (performance.now() - begin) / 1000 });
  }
  return summarize(results);
});

function parseArguments(args) {
  const names = Object.keys(stages);
  const rest = args.filter((arg) => arg !== '--long');
  const long = rest.length < args.length;
  if (rest.length === 0) return { chosen: names, long };
  const [flag, ...values] = rest.flatMap((arg) => arg.split(/[=,]/)).filter(Boolean);
  if (flag !== '--only' || values.length === 0 || !values.every((name) => names.includes(name)))
    throw new UserError(usage);
  return { chosen: names.filter((name) => values.includes(name)), long };
}

async function runStage(name, { programs, project }, extra) {
  const file = join(root, '.build', `totals-${name}-${process.pid}.json`);
  const env = { ...process.env, ...extra, ...(project && { TEST_TOTALS: file }) };
  let ok = true;
  for (const args of programs) ok = (await runInteractive(process.execPath, args, { env })) === 0 && ok;
  if (!project) return ok ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
  const totals = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: 0, skipped: 0 };
  rmSync(file, { force: true });
  // A run that ended badly without a failed test (it crashed, or found no tests) is a failure all the same.
  return ok || totals.failed > 0 ? totals : { ...totals, failed: 1 };
}

function summarize(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(sum);
  const line = (result) =>
    [
      `  ${result.failed > 0 ? '✗' : '✓'} ${result.name.padEnd(9)}`,
      `${String(result.passed).padStart(5)} passed`,
      `${String(result.failed).padStart(4)} failed`,
      ...(result.skipped > 0 ? [`${result.skipped} skipped`] : []),
      `(${result.seconds.toFixed(0)} s)`,
    ].join('  ');
  process.stdout.write(`\n${results.map(line).join('\n')}\n`);
  if (skipped > 0) process.stdout.write(`\n${skipped} skipped; the reasons are above.\n`);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed > 0 ? 1 : 0;
}
