// The bundles: the extension, the webview, and the command-line programs.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureDependencies } from './dependencies.mjs';
import { main, root, say, step, UserError } from './project.mjs';

/** The command-line programs and where each begins. */
export const programs = {
  inspect: 'scripts/inspect.ts',
  transcripts: 'scripts/transcripts.ts',
  vectors: 'test/vectors/run.ts',
  bench: 'test/bench/run.ts',
};

/** What the extension consists of: dist/main.cjs and dist/webview/. With `debug`, source maps are part of them. */
export async function buildExtension({ debug = false } = {}) {
  const sourcemap = debug && 'inline';
  await emit(
    await bundle({
      entryPoints: ['extension/main.ts'],
      outfile: 'dist/main.cjs',
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      external: ['vscode'],
      minifySyntax: true,
      sourcemap,
    }),
  );
  await emit(
    await bundle({
      entryPoints: { main: 'webview/main.tsx' },
      outdir: 'dist/webview',
      platform: 'browser',
      format: 'iife',
      target: 'chrome128',
      minify: true,
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
      loader: { '.ttf': 'file', '.svg': 'file' },
      assetNames: '[name]',
      sourcemap,
    }),
  );
}

/** Our own scripts find things by where they are, so programs import them from there. */
const scriptsStay = {
  name: 'scripts-stay',
  setup(build) {
    build.onResolve({ filter: /\/scripts\/\w+\.mjs$/ }, ({ path }) => ({
      path: `../../scripts/${basename(path)}`,
      external: true,
    }));
  },
};

/** One command-line program: dist/cli/NAME.mjs. @returns {Promise<string>} its path */
export async function buildProgram(name) {
  const outfile = join('dist', 'cli', `${name}.mjs`);
  await emit(
    await bundle({
      entryPoints: [programs[name]],
      outfile,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'external',
      jsx: 'automatic',
      plugins: [scriptsStay],
    }),
  );
  return join(root, outfile);
}

/** Runs esbuild, and leaves no process of it behind. */
async function bundle(options) {
  const { build, stop } = await import('esbuild');
  const shared = { absWorkingDir: root, bundle: true, write: false, logLevel: 'warning', legalComments: 'none' };
  try {
    return await build({ ...shared, ...options });
  } catch (error) {
    // Where and why is on the screen already.
    throw error.errors ? new UserError(error.message) : error;
  } finally {
    await stop();
  }
}

/** Writes each file whole and only when it differs, so that a program that is just being started never sees half a bundle. */
async function emit({ outputFiles }) {
  for (const file of outputFiles) {
    if (existsSync(file.path) && Buffer.compare(await readFile(file.path), file.contents) === 0) continue;
    await mkdir(dirname(file.path), { recursive: true });
    const partial = `${file.path}.${process.pid}.partial`;
    await writeFile(partial, file.contents);
    await rename(partial, file.path);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await ensureDependencies();
    const debug = process.argv.includes('--debug');
    await step('Building the extension', () => buildExtension({ debug }));
    for (const name of Object.keys(programs))
      await step(`Building ${relative(root, join(root, programs[name]))}`, () => buildProgram(name));
    say('Built into dist/.');
  });
}
