import { commandsOf, type Command } from './commandLine';
import { outputKinds as kinds, type Check, type OutputKind } from './failureLines';

/** What a program is, judged by its name and its arguments. */
type Role = Check | 'quiet' | 'other';

const everyKind: readonly OutputKind[] = Object.values(kinds);
/** Kinds whose lines cannot well be anything else, whatever a script runs. */
const sureKinds: readonly OutputKind[] = [kinds.tsc, kinds.mypy, kinds.eslint, kinds.pytest, kinds.go, kinds.runner];

/** Checking programs, all of whose runs are checks. */
const checkers: Readonly<Record<string, readonly OutputKind[]>> = {
  tsc: [kinds.tsc],
  'vue-tsc': [kinds.tsc],
  tsgo: [kinds.tsc],
  pytest: [kinds.pytest],
  'py.test': [kinds.pytest],
  unittest: [kinds.unittest],
  mypy: [kinds.mypy],
  pyright: [kinds.pyright],
  basedpyright: [kinds.pyright],
  flake8: [kinds.codes],
  pylint: [kinds.pylint],
  eslint: [kinds.eslint],
  biome: [kinds.compiler, kinds.eslint],
  prettier: [kinds.prettier],
  jest: [kinds.javascriptTests],
  vitest: [kinds.javascriptTests],
  mocha: [kinds.javascriptTests],
  ava: [kinds.javascriptTests],
  rspec: [kinds.rspec],
  gcc: [kinds.compiler],
  'g++': [kinds.compiler],
  cc: [kinds.compiler],
  'c++': [kinds.compiler],
  clang: [kinds.compiler],
  'clang++': [kinds.compiler],
  javac: [kinds.compiler],
  rustc: [kinds.cargo],
  ninja: [kinds.compiler],
  'golangci-lint': [kinds.go],
  staticcheck: [kinds.go],
  gradle: [kinds.java],
  gradlew: [kinds.java],
  mvn: [kinds.java],
  mvnw: [kinds.java],
};

/** Programs some of whose subcommands are checks. */
const subcommands: Readonly<Record<string, Readonly<Record<string, readonly OutputKind[]>>>> = {
  go: { test: [kinds.go], build: [kinds.go], vet: [kinds.go], install: [kinds.go] },
  cargo: Object.fromEntries(
    ['check', 'test', 'build', 'clippy', 'nextest', 'bench', 'doc', 'c', 't', 'b'].map((name) => [name, [kinds.cargo]]),
  ),
  harn: { lint: [kinds.compiler], check: [kinds.compiler], test: [kinds.compiler, kinds.cargo] },
  ruff: { check: [kinds.codes] },
  dotnet: { build: [kinds.dotnet], test: [kinds.dotnet] },
  swift: { build: [kinds.compiler], test: [kinds.compiler] },
  deno: { test: [kinds.javascriptTests, kinds.compiler], check: [kinds.tsc, kinds.compiler], lint: [kinds.compiler] },
  bun: { test: [kinds.javascriptTests] },
  node: { '--test': [kinds.javascriptTests] },
};

const quietPrograms = new Set(
  (
    'cd pushd popd export unset set source . : true false test [ [[ sleep wait exit return for pwd ls mkdir rmdir ' +
    'rm cp mv touch chmod ln which ulimit umask date fi done esac pip pip3 nvm fnm corepack'
  ).split(' '),
);
/** What may stand behind a check in a pipe: it prints nothing but what the check printed. */
const filters = new Set('grep egrep fgrep rg head tail tee sort uniq sed awk gawk cut tr less more nl wc'.split(' '));
const packageManagers = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const quietSubcommands: Readonly<Record<string, readonly string[]>> = {
  git: 'add branch checkout clean clone commit fetch init pull push reset restore stash status switch'.split(' '),
  npm: 'install i ci add remove rm uninstall link rebuild dedupe prune'.split(' '),
  pnpm: 'install i add remove rm uninstall link rebuild prune'.split(' '),
  yarn: 'install add remove link'.split(' '),
  bun: 'install i add remove rm link'.split(' '),
  cargo: 'add clean fetch update'.split(' '),
  go: 'clean fmt generate get mod'.split(' '),
  uv: 'add lock pip sync venv'.split(' '),
  poetry: 'add install lock'.split(' '),
  pdm: 'add install lock sync'.split(' '),
  bundle: ['install'],
};
const checkName =
  /(?:^|[:_.-])(?:tests?|lint|check|checks|typecheck|types|tsc|build|compile|verify|validate)(?:$|[:_.-])/;

/**
 * The checks whose output a command line shows. None when it may show anything else, such as the text of a file: what
 * a checker printed some other day is no evidence.
 */
export function checksIn(commandLine: string | readonly string[]): readonly Check[] {
  const found: Check[] = [];
  const commands =
    typeof commandLine === 'string'
      ? commandsOf(commandLine)
      : [{ argv: commandLine, isRedirected: false, isPiped: false }];
  return collect(commands, found, 0) ? found : [];
}

const deepest = 3;

/** Collects the checks; false when something else may be shown. */
function collect(commands: readonly Command[], found: Check[], depth: number): boolean {
  let pipeline: Command[] = [];
  for (const command of commands) {
    pipeline.push(command);
    if (command.isPiped) continue;
    if (!collectPipeline(pipeline, found, depth)) return false;
    pipeline = [];
  }
  return pipeline.length === 0 || collectPipeline(pipeline, found, depth);
}

function collectPipeline(pipeline: readonly Command[], found: Check[], depth: number): boolean {
  if (pipeline.at(-1)?.isRedirected === true) return true;
  let end = pipeline.length - 1;
  while (end > 0 && isFilter(pipeline[end]?.argv ?? [])) end--;
  const shown = pipeline[end];
  if (shown === undefined || shown.isRedirected) return shown !== undefined;
  const argv = unwrap(shown.argv);
  const inner = shellScript(argv);
  if (inner !== null) return depth < deepest && collect(commandsOf(inner), found, depth + 1);
  const role = roleOf(argv);
  if (typeof role === 'object') found.push(role);
  return typeof role === 'object' || role === 'quiet';
}

function isFilter(argv: readonly string[]): boolean {
  const program = nameOf(argv[0] ?? '');
  return filters.has(program) || (program === 'cat' && argv.slice(1).every((word) => word.startsWith('-')));
}

function roleOf(argv: readonly string[]): Role {
  const [path, ...args] = argv;
  if (path === undefined) return 'quiet';
  const program = nameOf(path);
  const own = entryOf(checkers, program);
  if (own !== undefined) return { name: program, kinds: own };
  const words = positionals(args);
  const subs = entryOf(subcommands, program) ?? {};
  for (const name of [words[0] ?? '', ...args.filter((word) => word.startsWith('--'))]) {
    const kindsOfSub = entryOf(subs, name);
    if (kindsOfSub !== undefined) return { name: `${program} ${name}`, kinds: kindsOfSub };
  }
  if (entryOf(quietSubcommands, program)?.includes(words[0] ?? '') === true) return 'quiet';
  if (packageManagers.has(program)) return roleOfScript(program, words);
  if (program === 'make' || program === 'just') return roleOfTargets(program, words);
  if (program === 'tox' || program === 'nox') return scriptCheck(program);
  if (program === 'echo' || program === 'printf') return args.every(isPlain) ? 'quiet' : 'other';
  return quietPrograms.has(program) ? 'quiet' : 'other';
}

function scriptCheck(name: string): Check {
  return { name, kinds: sureKinds, kindsIfFailed: everyKind };
}

function roleOfScript(program: string, words: readonly string[]): Role {
  const [first = '', second = ''] = words;
  const isRun = first === 'run' || first === 'run-script';
  const script = isRun ? second : first === 't' ? 'test' : first;
  if (script === '') return program === 'yarn' ? 'quiet' : 'other';
  const name = `${program} ${isRun ? 'run ' : ''}${script}`;
  const isScript = isRun || program !== 'npm' || script === 'test';
  if (isScript && checkName.test(script)) return scriptCheck(name);
  const own = isScript ? entryOf(checkers, script) : undefined;
  return own === undefined ? 'other' : { name, kinds: own };
}

function roleOfTargets(program: string, words: readonly string[]): Role {
  const targets = words.filter((word) => !word.includes('=') && !/^\d+$/.test(word));
  const isCheck = targets.every((target) => target === 'all' || checkName.test(target));
  return isCheck ? scriptCheck([program, ...targets].join(' ')) : 'other';
}

const withValue = new Set(['-C', '-F', '--prefix', '--filter', '--cwd', '--manifest-path', '--directory', '--project']);

/** The arguments that are no options, nor values of those options that may stand before a subcommand. */
function positionals(args: readonly string[]): readonly string[] {
  return args.filter((word, index) => !/^[-+]/.test(word) && !withValue.has(args[index - 1] ?? ''));
}

/** True when an argument of `echo` is its own text, apart from exit codes. */
function isPlain(word: string): boolean {
  return !/[$`]/.test(word.replace(/\$(?:\?|\{PIPESTATUS\[\d\]\})/g, ''));
}

function entryOf<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The name of a program without its folder, version and ending; `python3.12` is `python`. */
function nameOf(path: string): string {
  const file = (path.split(/[\\/]/).at(-1) ?? '').toLowerCase();
  const base = file.replace(/(?<=.)@[\w.^~-]+$/, '').replace(/\.(?:exe|cmd|bat|ps1)$/, '');
  return /^python[\d.]*$/.test(base) ? 'python' : base;
}

const keywords = new Set(['if', 'then', 'else', 'elif', 'do', 'while', 'until', '!', 'time']);

/** Programs that run another one, with those of their options that take a value. */
const launchers: Readonly<Record<string, readonly string[]>> = {
  sudo: ['-u', '-g'],
  doas: ['-u'],
  env: ['-u', '-C'],
  nice: ['-n'],
  nohup: [],
  command: [],
  exec: [],
  unbuffer: [],
  'cross-env': [],
  stdbuf: ['-o', '-e', '-i'],
  timeout: ['-s', '-k'],
  xargs: ['-n', '-P', '-I', '-L', '-d', '-a', '-s'],
  npx: ['-p', '--package'],
  pnpx: [],
  bunx: [],
  uvx: ['--from', '--with'],
};
const secondWords: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx'],
  bun: ['x'],
  poetry: ['run'],
  uv: ['run'],
  pipenv: ['run'],
  pdm: ['run'],
  hatch: ['run'],
  pipx: ['run'],
  bundle: ['exec'],
};

/** The program that is run in the end, with its arguments: assignments and launchers are taken off. */
function unwrap(argv: readonly string[]): readonly string[] {
  let words = argv;
  for (let step = 0; step < 10; step++) {
    const [first = '', second = ''] = words;
    const program = nameOf(first);
    if (keywords.has(first) || /^[A-Za-z_]\w*\+?=/.test(first)) words = words.slice(1);
    else if (Object.hasOwn(launchers, program)) {
      words = withoutOptions(words.slice(1), launchers[program] ?? []);
      if (program === 'timeout') words = words.slice(1);
    } else if (Object.hasOwn(secondWords, program) && secondWords[program]?.includes(second) === true) {
      words = withoutOptions(words.slice(2), ['--with', '--package', '-p']);
    } else if (program === 'python' || program === 'coverage') {
      const module = words.indexOf('-m');
      const isModule = module > 0 && words.slice(1, module).every((word) => word.startsWith('-') || word === 'run');
      return isModule ? words.slice(module + 1) : words;
    } else break;
  }
  return words;
}

function withoutOptions(words: readonly string[], withValue: readonly string[]): readonly string[] {
  let start = 0;
  while (words[start]?.startsWith('-') === true) start += withValue.includes(words[start] ?? '') ? 2 : 1;
  return words.slice(start);
}

const shells = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'fish', 'cmd', 'powershell', 'pwsh']);

/** The command line that a shell is given to run; null for anything else. */
function shellScript(argv: readonly string[]): string | null {
  if (!shells.has(nameOf(argv[0] ?? ''))) return null;
  const option = argv.findIndex((word, index) => index > 0 && /^(?:-[a-z]*c|\/c|-command)$/i.test(word));
  return option === -1 ? null : (argv[option + 1] ?? null);
}
