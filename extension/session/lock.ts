import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Who writes a log. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When that process started, so that a number that was given out again is not taken for it. */
  readonly started: string;
  readonly token: string;
}

/** A lock that is held; letting it go twice does nothing. */
export interface Lock {
  release(): void;
}

/** Either the lock, or who has it. */
export type Locking =
  { readonly lock: Lock; readonly held_by: null } | { readonly lock: null; readonly held_by: number };

const mine = new Set<string>();

function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${boot}:${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
  } catch {
    return '';
  }
}

function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  if (holder.pid === process.pid) return mine.has(holder.token);
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const started = startOf(holder.pid);
  return holder.started === '' || started === '' || started === holder.started;
}

/** Undefined: there is no lock file; null: there is one that says nothing, as a process leaves it that was cut short. */
function readHolder(file: string): Holder | null | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const value = JSON.parse(text) as Partial<Holder>;
    const { pid, host, started, token } = value;
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof token !== 'string') return null;
    return { pid, host, started: typeof started === 'string' ? started : '', token };
  } catch {
    return null;
  }
}

function removeIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/**
 * Takes the lock at `file`, or says which process has it. A lock whose process is gone is taken over: it is moved aside
 * first, so that of two that try this at once only one wins.
 */
export function takeLock(file: string, token: string): Locking {
  const own = `${file}.${token}`;
  const holder: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid), token };
  writeFileSync(own, JSON.stringify(holder), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      try {
        putInPlace(own, file, holder);
        mine.add(token);
        return { lock: { release: () => release(file, token) }, held_by: null };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const other = readHolder(file);
      if (other === undefined) continue;
      if (other && isAlive(other)) return { lock: null, held_by: other.pid };
      moveAside(file, `${own}.stale`, other);
    }
    return { lock: null, held_by: 0 };
  } finally {
    removeIfThere(own);
  }
}

/** By a hard link, which is whole at once; some file systems have none, and there it is written in place. */
function putInPlace(own: string, file: string, holder: Holder): void {
  try {
    linkSync(own, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(code)) throw error;
    writeFileSync(file, JSON.stringify(holder), { mode: 0o600, flag: 'wx' });
  }
}

function moveAside(file: string, aside: string, seen: Holder | null): void {
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const moved = readHolder(aside);
  if (moved && moved.token !== seen?.token) {
    try {
      linkSync(aside, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  removeIfThere(aside);
}

function release(file: string, token: string): void {
  if (!mine.delete(token)) return;
  if (readHolder(file)?.token === token) removeIfThere(file);
}
