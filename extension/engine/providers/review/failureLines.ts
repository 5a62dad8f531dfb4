import { clipLine, stripTerminalCodes } from '../wording';

/** How the output of one kind of checking program is read, line by line. */
export interface OutputKind {
  /** Lines that say what is wrong. */
  readonly faults: readonly RegExp[];
  /** Lines that close a run and say whether it passed. */
  readonly closing?: readonly RegExp[];
  readonly warnings?: readonly RegExp[];
  /** A line that names the file which the faults below it are in. */
  readonly heading?: RegExp;
}

/** One run of a checking program. */
export interface Check {
  /** What it is called to a model, such as `go test`. */
  readonly name: string;
  readonly kinds: readonly OutputKind[];
  /** Kinds that count only when the run is known to have failed: nobody can tell what it runs. */
  readonly kindsIfFailed?: readonly OutputKind[];
}

/** The kinds of output that are understood. */
export const outputKinds = {
  tsc: {
    faults: [/^.+\(\d+,\d+\): error TS\d+: /, /^.+:\d+:\d+ - error TS\d+: /, /^error TS\d+: /],
    closing: [/^Found \d+ errors?\b/],
  },
  compiler: {
    faults: [
      /^[^\s].*?:\d+(?::\d+)?:? (?:- )?(?:fatal )?error\b[:[( ]/,
      /^.+\(\d+(?:,\d+)?\): (?:fatal )?error [A-Z]+\d+: /,
      /\bundefined reference to\b/,
      /^(?:collect2|ld|clang|gcc|cc1|javac): (?:fatal )?error: /,
      /^error(?:\[[\w-]+\])?: \S/,
    ],
    warnings: [/^[^\s].*?:\d+(?::\d+)?:? (?:- )?warning\b[:[( ]/, /^warning(?:\[[\w-]+\])?: \S/],
  },
  mypy: {
    faults: [/^.+?:\d+(?::\d+)?: error: /],
    closing: [/^Success: /, /^Found \d+ errors? in /],
  },
  pyright: {
    faults: [/^\s*.+?:\d+:\d+ - error: /],
    closing: [/^\d+ errors?, \d+ warnings?/],
    warnings: [/^\s*.+?:\d+:\d+ - warning: /],
  },
  codes: {
    faults: [
      /^.+?:\d+:\d+: [A-Z]{1,4}\d{3,4}:? /,
      /^[A-Z]{1,4}\d{3,4} (?:\[\*\] )?\S/,
      /^(?:invalid-syntax|SyntaxError|error): \S/,
    ],
    closing: [/^All checks passed!/, /^Found \d+ errors?\b/],
  },
  pylint: {
    faults: [/^.+?:\d+:\d+: [EF]\d{4}: /],
    warnings: [/^.+?:\d+:\d+: [WCR]\d{4}: /],
  },
  eslint: {
    faults: [/^\s*\d+:\d+\s+error\s+\S/, /^.+: line \d+, col \d+, Error - /, /^.+:\d+:\d+: .+ \[Error\/.*\]$/],
    closing: [/^\s*✖ \d+ problems?\b/, /^\s*\d+ errors?, \d+ warnings?/],
    warnings: [/^\s*\d+:\d+\s+warning\s+\S/],
    heading: /^(?:[A-Za-z]:)?[^\s:][^:]*\.\w+$/,
  },
  prettier: { faults: [/^\[(?:warn|error)\] \S/], closing: [/^All matched files use Prettier/] },
  pytest: {
    faults: [/^(?:FAILED|ERROR) \S*(?:\.py\b|::)/, /^\S+::.+ (?:FAILED|ERROR)(?:\s+\[ *\d+%\])?$/],
    closing: [
      /^(?:=+ )?\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?)(?:, \d+ \w+)*(?: in .+)?(?: =+)?$/,
    ],
  },
  unittest: { faults: [/^(?:FAIL|ERROR): \S+ \(/], closing: [/^OK(?: \(.*\))?$/, /^FAILED \(.*\)$/] },
  go: {
    faults: [/^\s*--- FAIL: /, /^(?:vet: )?[\w.][\w./\\-]*\.go:\d+:\d+: /, /^panic: /],
    closing: [/^ok\s+\S/, /^PASS$/, /^FAIL(?:\s|$)/],
  },
  cargo: {
    faults: [
      /^error(?:\[E\d+\])?: (?!could not compile|aborting due to|test failed|\d+ targets? failed)/,
      /^test .+ \.\.\. FAILED$/,
    ],
    closing: [/^test result: /, /^error: (?:could not compile|\d+ targets? failed)/],
    warnings: [/^warning: (?!.*generated \d+ warnings?)/],
  },
  javascriptTests: {
    faults: [
      /^\s*FAIL\s+\S/,
      /^\s*● (?!Console\b)\S/,
      /^\s*[✕×✗✖] (?!\d+ problems?\b)\S/,
      /^\s*not ok \d+/,
      /^\s+\d+\) \S/,
      /^\(fail\) \S/,
    ],
    closing: [
      /^\s*(?:Tests|Test Files|Test Suites|Errors):?\s+\d+ (?:passed|failed|skipped|todo|total|errors?)\b/,
      /^\s*\d+ (?:passing|failing)\b/,
      /^\s*(?:#|ℹ) fail \d+$/,
      /^\s*\d+ (?:pass|fail)$/,
    ],
  },
  rspec: { faults: [/^rspec \S+:\d+ # /], closing: [/^\d+ examples?, \d+ failures?/] },
  java: {
    faults: [
      /^\[ERROR\] .+(?::\[\d+,\d+\] |:\d+ |<<< (?:FAILURE|ERROR)!)/,
      /^.+\.(?:java|kt):\d+: error: /,
      /^e: \S/,
      /^\S.* > .+ FAILED$/,
      /^> Task \S+ FAILED$/,
    ],
    closing: [/\bBUILD (?:SUCCESS|SUCCESSFUL|FAILURE|FAILED)\b/],
  },
  dotnet: {
    faults: [/^.+\(\d+,\d+\): error [A-Z]+\d+: /, /^\s*Failed \S+ \[/],
    closing: [/^(?:Passed|Failed)!\s+-/],
  },
  runner: {
    faults: [/^make(?:\[\d+\])?: \*\*\* /],
    closing: [/^npm (?:ERR!|error) /, /\bELIFECYCLE\b/, /^error Command failed /, /^error: script .+ exited with code/],
  },
} as const satisfies Readonly<Record<string, OutputKind>>;

const nonZeroCount =
  /\b[1-9][\d,]* (?:failed|failing|failures?|errors?|fail)\b|\bfail [1-9]|\b(?:failures|errors)=[1-9]/;
const failingWord = /\bFAIL(?:ED|URE)?\b|^Failed!|^npm |ELIFECYCLE|^error\b/;

function isFailing(closing: string): boolean {
  return !/\b0 remaining\b/.test(closing) && (nonZeroCount.test(closing) || failingWord.test(closing));
}

const mostText = 100_000;
const longestLine = 500;
const lineLimit = 300;

/** The lines of an output, terminal codes taken off; of a very long one, its start and its end. */
export function linesOf(text: string): readonly string[] {
  const kept = text.length > 2 * mostText ? `${text.slice(0, mostText)}\n${text.slice(text.length - mostText)}` : text;
  return stripTerminalCodes(kept)
    .split(/[\r\n]+/)
    .map((line) => line.slice(0, longestLine).trimEnd());
}

/** How an output is read. */
export interface ReadingOptions {
  /** The tool said that the command failed. */
  readonly has_failed: boolean;
  readonly include_warnings: boolean;
}

/**
 * What a run found wrong, each thing once, in order: lines that say it, else a closing line with a count of failures.
 * A run all of whose closing lines say that it passed found nothing, whatever else was printed.
 */
export function failuresIn(lines: readonly string[], check: Check, options: ReadingOptions): readonly string[] {
  const everyKind = [...check.kinds, ...(check.kindsIfFailed ?? [])];
  const closings = lines.filter((line) => everyKind.some(({ closing }) => matches(closing, line)));
  const failing = closings.filter(isFailing);
  const hasPassed = closings.length > 0 && failing.length === 0;
  const kinds = failing.length > 0 || (options.has_failed && !hasPassed) ? everyKind : check.kinds;
  const faults = hasPassed ? [] : linesThat(lines, kinds, ({ faults: patterns }) => patterns);
  const warnings = options.include_warnings ? linesThat(lines, kinds, ({ warnings: patterns }) => patterns) : [];
  const found = faults.length > 0 ? faults : failing.slice(0, 1);
  const name = clipLine(check.name, 60);
  return [...new Set([...found, ...warnings].map((line) => `${name}: ${clipLine(line, lineLimit)}`))];
}

function linesThat(
  lines: readonly string[],
  kinds: readonly OutputKind[],
  patternsOf: (kind: OutputKind) => readonly RegExp[] | undefined,
): readonly string[] {
  const found: string[] = [];
  let heading = '';
  lines.forEach((line, index) => {
    if (kinds.some((kind) => kind.heading?.test(line) === true)) heading = line;
    const kind = kinds.find((candidate) => matches(patternsOf(candidate), line));
    if (kind === undefined) return;
    const isBelowHeading = kind.heading !== undefined && heading !== '' && /^\s/.test(line);
    const place = /^\s*--> (\S+)/.exec(lines[index + 1] ?? '')?.[1];
    found.push(`${isBelowHeading ? `${heading}:` : ''}${line.trim()}${place === undefined ? '' : ` (${place})`}`);
  });
  return found;
}

function matches(patterns: readonly RegExp[] | undefined, line: string): boolean {
  return patterns?.some((pattern) => pattern.test(line)) === true;
}
