// The VSIX: what VS Code installs. `npm run package [-- FILE]`.
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readFileSync } from 'node:fs';
import { buildExtension } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { main, root, run, step, UserError } from './project.mjs';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The identity of the extension in VS Code. */
export const extensionId = `${manifest.publisher}.${manifest.name}`;

/** Builds the extension and packs it. @returns {Promise<string>} the path of the VSIX */
export async function packageExtension(file = join(root, `${manifest.name}-${manifest.version}.vsix`)) {
  await buildExtension();
  await mkdir(dirname(file), { recursive: true });
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  // There is no public repository to name yet, so links in the README stay as they are.
  const output = await run(process.execPath, [
    ...[vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'],
    ...['--out', file],
  ]);
  if (/warning/i.test(output)) throw new UserError(`The packager warned:\n${output}`);
  return file;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await ensureDependencies();
    const [name] = process.argv.slice(2);
    const file = await step('Packing the extension', () =>
      packageExtension(name && resolve(process.env.INIT_CWD ?? process.cwd(), name)),
    );
    process.stdout.write(`${file}\n`);
  });
}
