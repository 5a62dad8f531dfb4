import { mkdtemp, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageExtension } from '../../scripts/package.mjs';
import { root } from '../../scripts/project.mjs';
import { readArchive } from '../support/archive';

let folder: string;
let files: Map<string, Buffer>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transcript-inspector-test-'));
  files = readArchive(await packageExtension(join(folder, 'extension.vsix')));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function text(name: string): string {
  const bytes = files.get(name);
  if (!bytes) throw new Error(`The package has no ${name}`);
  return bytes.toString('utf8');
}

describe('the package', () => {
  it('holds exactly what the extension needs', () => {
    expect([...files.keys()].sort()).toEqual([
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/LICENSE.txt',
      'extension/changelog.md',
      'extension/dist/main.cjs',
      'extension/dist/webview/codicon.ttf',
      'extension/dist/webview/main.css',
      'extension/dist/webview/main.js',
      'extension/media/icon.png',
      'extension/media/inspector-dark.svg',
      'extension/media/inspector-light.svg',
      'extension/media/inspector.svg',
      'extension/media/sample/.vscode/settings.json',
      'extension/media/sample/README.md',
      'extension/media/sample/package.json',
      'extension/media/sample/scenario.json',
      'extension/media/sample/src/duration.js',
      'extension/media/sample/src/tokens.js',
      'extension/media/sample/test/duration.test.js',
      'extension/package.json',
      'extension/readme.md',
    ]);
  });

  it('needs nothing at run time but VS Code and Node', () => {
    const required = [...text('extension/dist/main.cjs').matchAll(/\brequire\("([^"]+)"\)/g)].flatMap(
      ([, name]) => name ?? [],
    );
    expect(required).toContain('vscode');
    expect(required.filter((name) => name !== 'vscode' && !isBuiltin(name))).toEqual([]);
  });

  it('names no place of the machine that packed it, and carries no source map', () => {
    const texts = [...files].filter(([name]) => /\.(js|cjs|css|json|xml|vsixmanifest)$/.test(name));
    expect(texts.filter(([, bytes]) => bytes.includes(root)).map(([name]) => name)).toEqual([]);
    expect(texts.filter(([, bytes]) => bytes.includes('sourceMappingURL=')).map(([name]) => name)).toEqual([]);
  });
});

describe('starting the extension', () => {
  it('does not load zod, which takes longer than everything else together', async () => {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: ['extension/main.ts'],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      external: ['vscode'],
      outdir: 'out',
    });
    const reached = new Set<string>();
    const visit = (path: string) => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const { path: next, kind } of metafile.inputs[path]?.imports ?? [])
        if (kind !== 'dynamic-import') visit(next);
    };
    visit('extension/main.ts');
    expect(reached.size).toBeGreaterThan(1);
    expect([...reached].filter((path) => path.startsWith('node_modules/zod/'))).toEqual([]);
  });
});
