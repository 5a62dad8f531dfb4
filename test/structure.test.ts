import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { root } from '../scripts/project.mjs';

/** What is no source: installed, built, or made by a test. */
const ignored = new Set(['.git', 'node_modules', 'dist', '.build', '.tools', 'screenshots', 'coverage']);

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (ignored.has(entry.name)) return [];
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const files = filesBelow('');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const isCode = (path: string) => /\.(ts|tsx|mts|mjs)$/.test(path);
const product = files.filter((path) => /^(extension|webview|scripts)\//.test(path) && isCode(path));

/** Every import of a file, types included: a path from the root without its ending, or a package, or a module of Node. */
function importsOf(path: string): string[] {
  return ts
    .preProcessFile(read(path), true, true)
    .importedFiles.map(({ fileName }) =>
      fileName.startsWith('.') ? relative(root, join(root, dirname(path), fileName)) : fileName,
    );
}

/** The import circles among files, each as the way round it. */
function circlesAmong(paths: readonly string[]): readonly string[] {
  const endings = ['', '.ts', '.tsx', '.mts', '.mjs', '/index.ts'];
  const known = new Set(paths);
  const fileOf = (name: string) => endings.map((ending) => name + ending).find((path) => known.has(path));
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (path: string, way: readonly string[]): void => {
    const from = way.indexOf(path);
    if (from >= 0) circles.push([...way.slice(from), path].join(' -> '));
    if (from >= 0 || done.has(path)) return;
    for (const next of importsOf(path).flatMap((name) => fileOf(name) ?? [])) walk(next, [...way, path]);
    done.add(path);
  };
  for (const path of paths) walk(path, []);
  return circles;
}

/** Which of the parts below a file belongs to. */
function partOf(path: string): string {
  const parts = path.split('/');
  return parts[0] === 'extension' ? (parts[1] ?? '').replace(/^main(\.ts)?$/, 'main') : (parts[0] ?? '');
}

const pure = ['engine', 'formats', 'language', 'protocol'];
const belowAgents = [...pure, 'io', 'session'];

/** What each part may import, beside itself. */
const directions: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  formats: ['engine'],
  language: ['engine'],
  protocol: ['engine'],
  io: pure,
  session: [...pure, 'io'],
  agents: belowAgents,
  server: belowAgents,
  host: [...belowAgents, 'agents', 'server'],
  main: [...belowAgents, 'agents', 'server', 'host'],
  webview: ['protocol'],
  scripts: [...belowAgents, 'agents', 'server'],
};

describe('imports', () => {
  it.each(Object.entries(directions))('%s keeps its direction', (part, others) => {
    const wrong = product
      .filter((path) => partOf(path) === part)
      .flatMap((path) =>
        importsOf(path)
          .filter((name) => /^(extension|webview|scripts|test)\//.test(name) || name.startsWith('..'))
          .filter((name) => partOf(name) !== part && !others.includes(partOf(name)))
          .map((name) => `${path} imports ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  it('no part is without a direction', () => {
    expect([...new Set(product.map(partOf))].filter((part) => !(part in directions))).toEqual([]);
  });

  it('only host/ and main.ts know VS Code', () => {
    const importers = product.filter((path) => importsOf(path).includes('vscode')).map(partOf);
    expect([...new Set(importers)].filter((part) => !['host', 'main'].includes(part))).toEqual([]);
  });

  it('go in no circle, imports of types included', () => {
    expect(circlesAmong(product)).toEqual([]);
  });

  it('the pure folders and the webview know no Node', () => {
    const wrong = product
      .filter((path) => [...pure, 'webview'].includes(partOf(path)))
      .flatMap((path) =>
        importsOf(path)
          .filter(isBuiltin)
          .map((name) => `${path} imports ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  it('the pure folders know no clock and no chance', () => {
    const impure =
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.now\b|\bset(Timeout|Interval)\b|\brandomUUID\b/;
    expect(product.filter((path) => pure.includes(partOf(path)) && impure.test(read(path)))).toEqual([]);
  });
});

/** Every library and the one place that may import it. */
const libraries: Readonly<Record<string, RegExp>> = {
  '@tanstack/react-virtual': /^webview\/(rows|lifecycle)\//,
  '@vscode/codicons': /^webview\/ui\//,
  '@vscode/webview-ui-toolkit': /^webview\/ui\//,
  esbuild: /^scripts\/build\.mjs$/,
  minisearch: /^extension\/session\/ranker\.ts$/,
  picomatch: /^extension\/agents\/files\//,
  react: /^webview\//,
  'react-dom': /^webview\/(main\.tsx|ui\/)/,
  uuid: /^extension\/session\//,
  zod: /^extension\/(formats|language|protocol|agents|host)\//,
};

describe('libraries', () => {
  const imports = product.flatMap((path) =>
    importsOf(path)
      .filter((name) => !/^(extension|webview|scripts|test)\b/.test(name) && !isBuiltin(name) && name !== 'vscode')
      .map((name) => ({ path, library: name.split('/', name.startsWith('@') ? 2 : 1).join('/') })),
  );

  it('are imported only where they belong', () => {
    const wrong = imports.filter(({ path, library }) => !libraries[library]?.test(path));
    expect(wrong.map(({ path, library }) => `${path} imports ${library}`)).toEqual([]);
  });

  it('that the extension ships are all used, pinned, and named in the README with their reason', () => {
    const manifest = JSON.parse(read('package.json')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >;
    const used = new Set(imports.map(({ library }) => library));
    expect(Object.keys(manifest.dependencies).filter((name) => !used.has(name))).toEqual([]);
    const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    const readme = read('README.md');
    expect(all.map(([name]) => name).filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });
});

/** Longer than the others, each for a reason. */
const longer: Readonly<Record<string, string>> = {};

describe('files', () => {
  it('stay small enough to be read in one go', () => {
    const limit = (path: string) => (path.startsWith('test/') ? 500 : 300);
    const lines = (path: string) => read(path).split('\n').length - 1;
    const long = files.filter((path) => isCode(path) && !(path in longer) && lines(path) > limit(path));
    expect(long.map((path) => `${path}: ${lines(path)} lines`)).toEqual([]);
  });

  it.each(files.filter((path) => path.endsWith('package-lock.json')))('%s names no download address', (path) => {
    expect(read(path)).not.toMatch(/"resolved"/);
  });

  it('name nothing that exists only where they were written', () => {
    const words = [
      root,
      ['', 'work', 'shared'].join('/'),
      ['..', 'shared', ''].join('/'),
      ['', 'tmp', 'work'].join('/'),
    ];
    const texts = files.filter((path) => !/\.(png|ttf|vsix)$/.test(path));
    expect(texts.filter((path) => words.some((word) => read(path).includes(word)))).toEqual([]);
  });

  it('that scripts in package.json run exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = Object.values(scripts).flatMap((line) => line.match(/\b(scripts|test)\/\S+/g) ?? []);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
