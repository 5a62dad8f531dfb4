// Linux processes as /proc shows them.
import { readdirSync, readFileSync } from 'node:fs';

/** @returns {{pid: number, parent: number, group: number, start: string}[]} every process below one, whatever its group or session */
export function descendants(pid) {
  const all = list();
  const found = [];
  const visit = (parent) => {
    for (const child of all.filter((entry) => entry.parent === parent)) {
      found.push(child);
      visit(child.pid);
    }
  };
  visit(pid);
  return found;
}

/** Every process of one process group. */
export function members(group) {
  return list().filter((entry) => entry.group === group);
}

/** Sends a signal to a process that was seen before, unless it has ended (or its number belongs to another one now). */
export function end({ pid, start }, signal) {
  if (look(pid)?.start !== start) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function list() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => look(Number(name)) ?? []);
}

function look(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return undefined;
    return { pid, parent: Number(parent), group: Number(group), start: rest[16] };
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  }
}
