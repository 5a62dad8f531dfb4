import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checksIn } from '../../../../extension/engine/providers/review/checks';
import { commandsOf } from '../../../../extension/engine/providers/review/commandLine';
import type { Json, JsonObject } from '../../../../extension/engine/transcript/message';
import { runs, seedOf } from '../../../support/random';
import { evaluate, type Given } from './evaluate';

test.each<[string, readonly string[]]>([
  ['tsc --noEmit', ['tsc']],
  ['./node_modules/.bin/tsc -b', ['tsc']],
  ['C:\\repo\\node_modules\\.bin\\tsc.cmd', ['tsc']],
  ['npx --yes -p typescript tsc', ['tsc']],
  ['npx eslint@10.1.0 src', ['eslint']],
  ['CI=1 timeout -k 5 60 pytest -q', ['pytest']],
  ['python3.12 -u -m pytest tests', ['pytest']],
  ['coverage run -m pytest', ['pytest']],
  ['uv run pytest', ['pytest']],
  ['cargo +nightly clippy', ['cargo clippy']],
  ['go -C web test ./...', ['go test']],
  ['node --import tsx --test', ['node --test']],
  ['harn lint .', ['harn lint']],
  ['npm test', ['npm test']],
  ['npm --prefix web run type-check:tsc', ['npm run type-check:tsc']],
  ['yarn eslint .', ['yarn eslint']],
  ['make -C build -j 4 test', ['make test']],
  ['cd web && npm ci && npx tsc; pytest', ['tsc', 'pytest']],
  ['set -o pipefail; go test ./... 2>&1 | tee log | tail -20', ['go test']],
  ['pytest -q || true', ['pytest']],
  ['if ! pytest; then exit 1; fi', ['pytest']],
  ['(cd a && cargo check)', ['cargo check']],
  ['bash -lc "cd a && pytest -q"', ['pytest']],
  ['git ls-files | xargs -n 20 flake8', ['flake8']],
  ['echo "exit: $?"; pytest', ['pytest']],
  ["cat > a.py <<'EOF'\nimport os; pytest\nEOF\npytest a.py", ['pytest']],
  ['pytest \\\n  -q', ['pytest']],
  // Mentioned, and not run.
  ['rg -n pytest', []],
  ['grep -rn "tsc --noEmit" .', []],
  ["echo 'run; pytest'", []],
  ['echo hello # && pytest', []],
  ['cat <<EOF\npytest\nEOF', []],
  ['git commit -m "fix; pytest passes"', []],
  ['npm install pytest', []],
  ['npm run dev', []],
  ['make show', []],
  ['sh -c "rg pytest"', []],
  ['which pytest', []],
  // Run, but something else is shown as well, or nothing of it.
  ['pytest > log.txt 2>&1', []],
  ['pytest > log.txt; cat log.txt', []],
  ['cat notes.md && tsc', []],
  ['tsc; sed -n 1,20p src/a.ts', []],
  ['tsc | cat - notes.md', []],
  ['echo "$(cat notes.md)"; pytest', []],
  ['echo `cat notes.md`; pytest', []],
  ['git diff; pytest', []],
  ['python show.py && pytest', []],
])('checks in %s', (line, names) => {
  expect(checksIn(line).map(({ name }) => name)).toEqual(names);
});

test.each<[readonly string[], readonly string[]]>([
  [['npx', 'tsc'], ['tsc']],
  [['bash', '-lc', 'pytest -q'], ['pytest']],
  [['rg', '-n', 'pytest; tsc'], []],
  [[], []],
])('checks in %j', (argv, names) => expect(checksIn(argv).map(({ name }) => name)).toEqual(names));

/** What is found in the output of a command. */
function findings(cmd: Json, text: string, config: JsonObject = {}, result: JsonObject = {}): readonly string[] {
  const payload = { tool_name: 'shell', tool: { args: { cmd } }, result: { text, ...result } };
  return listed({ payload, config });
}

function listed(given: Given): readonly string[] {
  const { body = '' } = evaluate('grounded_review', given) ?? {};
  return body.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
}

test.each<[string, string, readonly string[]]>([
  [
    'tsc --pretty',
    "src/a.ts:3:5 - error TS2304: Cannot find name 'x'.",
    ["tsc: src/a.ts:3:5 - error TS2304: Cannot find name 'x'."],
  ],
  [
    'eslint .',
    '/r/src/a.ts\n  3:5  error  Unexpected any  no-any\n  4:1  warning  Long\n✖ 2 problems (1 error, 1 warning)',
    ['eslint: /r/src/a.ts:3:5  error  Unexpected any  no-any'.replace(/ {2}/g, ' ')],
  ],
  [
    'pytest -v',
    'tests/a.py::test_x FAILED  [ 50%]\nFAILED tests/a.py::test_x - assert 0\n1 failed in 0.1s',
    ['pytest: tests/a.py::test_x FAILED [ 50%]', 'pytest: FAILED tests/a.py::test_x - assert 0'],
  ],
  ['pytest -q --tb=no', '1 failed, 3 passed in 0.12s', ['pytest: 1 failed, 3 passed in 0.12s']],
  [
    'cargo check',
    'error[E0425]: cannot find value `x`\n --> src/main.rs:3:5\nerror: could not compile `a` due to 1 previous error',
    ['cargo check: error[E0425]: cannot find value `x` (src/main.rs:3:5)'],
  ],
  [
    'cargo test',
    'test a::b ... FAILED\ntest result: FAILED. 1 passed; 1 failed; 0 ignored',
    ['cargo test: test a::b ... FAILED'],
  ],
  ['go vet ./...', '# a\n./main.go:3:5: undefined: x', ['go vet: ./main.go:3:5: undefined: x']],
  ['go test ./...', 'ok  \ta\t0.1s\nFAIL\tb [build failed]\nFAIL', ['go test: FAIL b [build failed]']],
  [
    'mypy a.py',
    'a.py:3: error: Incompatible types\na.py:3: note: here\nFound 1 error in 1 file',
    ['mypy: a.py:3: error: Incompatible types'],
  ],
  [
    'ruff check .',
    'F401 [*] `os` imported but unused\n --> a.py:1:8\nFound 1 error.',
    ['ruff check: F401 [*] `os` imported but unused (a.py:1:8)'],
  ],
  [
    'npx vitest run',
    ' FAIL  test/a.test.ts > adds\n      Tests  1 failed | 2 passed (3)',
    ['vitest: FAIL test/a.test.ts > adds'],
  ],
  ['gcc -c a.c', "a.c:3:5: error: expected ';'\na.c:4:1: warning: unused", ["gcc: a.c:3:5: error: expected ';'"]],
  ['harn lint', 'error[HARN-LNT-001]: unused import', ['harn lint: error[HARN-LNT-001]: unused import']],
  [
    'npm run check',
    "a.ts(1,1): error TS1005: ';' expected.\nnpm error code 2",
    ["npm run check: a.ts(1,1): error TS1005: ';' expected."],
  ],
  ['npm test', '  1) adds\nnpm error code 1', ['npm test: 1) adds']],
  ['make', 'make: *** [Makefile:3: all] Error 1', ['make: make: *** [Makefile:3: all] Error 1']],
  ['echo "error TS1: x" && tsc', 'error TS1: x\nerror TS2: y', ['tsc: error TS2: y']],
  [
    'tsc',
    '\u001b]0;title\u0007\u001b[1;31ma.ts(1,1): \u001b[91merror\u001b[0m TS1005: x',
    ['tsc: a.ts(1,1): error TS1005: x'],
  ],
  // Runs that passed.
  ['npx tsc --noEmit', '', []],
  ['tsc -w', 'Found 0 errors. Watching for file changes.', []],
  ['eslint .', '✖ 2 problems (0 errors, 2 warnings)', []],
  ['eslint src', '0 errors, 0 warnings', []],
  ['pytest -s', 'FAILED tests/old.py::x was seen in a log\n2 passed in 0.1s', []],
  ['pytest', '3 passed, 1 xfailed in 0.1s', []],
  ['cargo test', 'error: printed by a test\ntest error_is_told ... ok\ntest result: ok. 1 passed; 0 failed', []],
  ['go test -v ./...', '=== RUN   TestFail\n--- PASS: TestFail (0.00s)\nPASS\nok  \ta\t0.1s', []],
  ['npx vitest run', 'stdout | FAIL is printed\n FAIL  printed\n      Tests  3 passed (3)', []],
  ['ruff check --fix', 'Found 3 errors (3 fixed, 0 remaining).', []],
  ['npm run build', '  1) bundle\n● ready\nRFC2119 says\nerror: no such thing as an error', []],
  ['npm test', '# fail 0\nnot ok 1 is printed\n# pass 3', []],
  ['mypy .', 'Success: no issues found in 3 source files', []],
  ['bun test', ' 3 pass\n 0 fail', []],
  ['rspec', '3 examples, 0 failures', []],
])('%s: %j', (cmd, text, expected) => expect(findings(cmd, text)).toEqual(expected));

const tscError = 'a.ts(1,1): error TS1005: x';

test.each<[string, readonly string[], readonly string[]]>([
  ['`text_scan` off', findings('tsc', tscError, { text_scan: false }), []],
  [
    'warnings',
    findings('gcc a.c', 'a.c:4:1: warning: unused', { include_warnings: true }),
    ['gcc: a.c:4:1: warning: unused'],
  ],
  ['a failed check says it once', findings('tsc', tscError, {}, { is_error: true }), [`tsc: ${tscError}`]],
  [
    'a failed script is read as it failed',
    findings('npm test', '  1) adds', {}, { is_error: true }),
    ['npm test: 1) adds'],
  ],
  [
    'a passing check that ended badly',
    findings('pytest', '2 passed in 0.1s\nbye', {}, { is_error: true }),
    ['`shell` failed: 2 passed in 0.1s … bye'],
  ],
  ['a command as a list', findings(['npx', 'tsc'], tscError), [`tsc: ${tscError}`]],
  [
    'a command under its other name',
    listed({ payload: { tool: { args: { command: 'tsc' } }, result: { text: tscError } } }),
    [`tsc: ${tscError}`],
  ],
  [
    'at most `limit`',
    findings('tsc', [1, 2, 3].map((n) => `error TS${String(n)}: x`).join('\n'), { limit: 1 }),
    ['tsc: error TS1: x', 'and 2 more'],
  ],
  ['a tool error without a text', listed({ payload: { result: { is_error: true } } }), ['a tool failed']],
  ['only true is an error', listed({ payload: { result: { is_error: 'true', text: 'x' } } }), []],
  [
    'refused signals',
    listed({
      event: 'post_agent_turn',
      payload: {
        verifier_signals: [
          { name: 'tests', signal: 'refused', reason: 'two\nfail' },
          { name: 'lint', signal: 'passed', reason: 'no failed line' },
          { signal: 'Rejected' },
          'refused',
        ],
      },
    }),
    ['tests: refused: two fail', 'verifier: Rejected'],
  ],
  [
    'diagnostics',
    listed({
      event: 'post_step',
      payload: {
        diagnostics: [
          { severity: 'Error', message: 'bad', path: 'a.ts', line: 3 },
          { severity: 'error', message: ' ' },
          { message: 'no severity' },
          { severity: 'info', message: '0 errors' },
        ],
      },
    }),
    ['error: a.ts:3: bad'],
  ],
  [
    'items as objects',
    listed({ payload: { result: { parse_errors: [{ message: 'm' }], undefined_names: [{ name: 'n' }, 3] } } }),
    ['parse error: m', 'undefined name: n'],
  ],
  [
    'empty lists',
    listed({ payload: { diagnostics: [], result: { parse_errors: [], undefined_names: [], diagnostics: [] } } }),
    [],
  ],
])('%s', (_, found, expected) => expect(found).toEqual(expected));

const seed = seedOf(615);

describe(`any command line (seed ${String(seed)})`, () => {
  const pieces = [
    'pytest',
    ' ',
    ' ',
    ';',
    '|',
    '&&',
    '&',
    '(',
    ')',
    '{',
    '}',
    '"',
    "'",
    '`',
    '$(',
    '\\',
    '\n',
    '>',
    '2>&1',
    '<<EOF',
    '<',
    '#',
    'cat',
    'bash -c ',
    'é',
  ];
  const line = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));

  test('is taken apart', () => {
    fc.assert(
      fc.property(line, (text) => {
        for (const { argv } of commandsOf(text)) expect(argv.length).toBeGreaterThan(0);
        checksIn(text);
      }),
      { seed, numRuns: runs(1000) },
    );
  });

  test('that is quoted is not run', () => {
    fc.assert(
      fc.property(line, (text) => {
        const quoted = `'${text.replaceAll("'", '')}'`;
        expect(commandsOf(`rg -n ${quoted}`)).toHaveLength(1);
        expect(checksIn(`rg -n ${quoted}; pytest`)).toEqual([]);
      }),
      { seed, numRuns: runs(500) },
    );
  });
});
