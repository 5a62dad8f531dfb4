// `node scripts/program.mjs NAME ARGUMENTS…`: sets up what one of the command-line programs needs, then runs it.
import { buildProgram, programs } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { main, runInteractive, UserError } from './project.mjs';

await main(async () => {
  const [name, ...args] = process.argv.slice(2);
  if (!name || !Object.hasOwn(programs, name)) {
    throw new UserError(`Usage: node scripts/program.mjs ${Object.keys(programs).join('|')} ARGUMENTS…`);
  }
  await ensureDependencies();
  const file = await buildProgram(name);
  // npm moves to the project's folder; a relative path means the folder the person is in.
  const cwd = process.env.npm_lifecycle_event === name ? process.env.INIT_CWD : undefined;
  return runInteractive(process.execPath, [file, ...args], { cwd: cwd ?? process.cwd() });
});
