// `npm test`: everything, one stage after the other; a stage that fails does not keep the next from running.
// `npm test -- --only unit,lint`: some stages. `npm test -- --list`: their names.
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

await main(async () => {
  const chosen = parseArguments(process.argv.slice(2));
  if (!chosen) {
    process.stdout.write(`${Object.keys(stages).join('\n')}\n`);
    return 0;
  }
  await ensureDependencies();
  mkdirSync(join(root, '.build'), { recursive: true });
  const results = [];
  for (const name of chosen) {
    say(`\n━━ ${name}`);
    const begin = performance.now();
    const totals = await runStage(name, stages[name]);
    results.push({ name, ...totals, seconds: (performance.now() - begin) / 1000 });
  }
  return summarize(results);
});

function parseArguments(args) {
  const names = Object.keys(stages);
  if (args.length === 0) return names;
  if (args.length === 1 && args[0] === '--list') return undefined;
  const chosen = /^--only(?:=|$)/.test(args[0])
    ? args
        .join(' ')
        .replace(/^--only[= ]?/, '')
        .split(/[ ,]+/)
        .filter(Boolean)
    : [];
  if (chosen.length === 0 || !chosen.every((name) => names.includes(name))) {
    throw new UserError(`Usage: npm test [-- --only STAGE,… | --list]\nStages: ${names.join(', ')}`);
  }
  return names.filter((name) => chosen.includes(name));
}

async function runStage(name, { programs, project }) {
  const file = join(root, '.build', `totals-${name}-${process.pid}.json`);
  const env = { ...process.env, ...(project && { TEST_TOTALS: file }) };
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
