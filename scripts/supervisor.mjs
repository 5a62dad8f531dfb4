// `node supervisor.mjs PROGRAM ARGUMENTS…` runs a program and, when stdin closes, ends it with everything that it started:
// also when whoever started us was killed and could tell us nothing. It is the leader of a process group of its own.
import { spawn } from 'node:child_process';
import { descendants, end, members } from './processes.mjs';

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
let family = [];

const stop = () => {
  if (family.length > 0) return;
  family = descendants(process.pid);
  child.kill('SIGTERM');
  setTimeout(() => end(family[0], 'SIGKILL'), 5_000).unref();
};

process.stdin.resume().on('end', stop).on('close', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  const left = [...family, ...descendants(process.pid), ...members(process.pid)];
  for (const entry of left) if (entry.pid !== process.pid) end(entry, 'SIGKILL');
  process.exit(family.length > 0 ? 0 : (code ?? (signal ? 1 : 0)));
});
