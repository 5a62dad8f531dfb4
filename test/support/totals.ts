import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Counts of one run of tests. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Counts tests; a file that could not be run, and an error outside of any test, counts as one that failed. */
function count(modules: readonly TestModule[], strayErrors: number): Totals {
  let [passed, failed, skipped] = [0, strayErrors, 0];
  for (const module of modules) {
    const states = [...module.children.allTests()].map((test) => test.result().state);
    passed += states.filter((state) => state === 'passed').length;
    skipped += states.filter((state) => state === 'skipped').length;
    const failures = states.filter((state) => state === 'failed' || state === 'pending').length;
    failed += failures || (module.ok() ? 0 : 1);
  }
  return { passed, failed, skipped };
}

/** Closes a run with "N passed, N failed"; when TEST_TOTALS names a file, writes the counts there instead. */
export default class TotalsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const totals = count(modules, errors.length);
    const file = process.env['TEST_TOTALS'];
    if (file) writeFileSync(file, JSON.stringify(totals));
    else process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
  }
}
