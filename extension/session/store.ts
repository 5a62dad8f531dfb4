import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileHandle } from 'node:fs/promises';
import type { LogRecord } from '../engine/state/record';
import type { SessionAbout, SessionDeps } from './deps';
import { takeLock } from './lock';
import { fileError } from '../io/fileError';
import { parseLine } from './log';
import { fileNameOf, idOfFileName } from './logNames';
import { Session } from './session';

/** What is told of a session without opening it, from the first and the last records of its log. */
export interface StoredSession {
  readonly id: string;
  readonly file: string;
  readonly title: string;
  readonly agent: string;
  readonly own: boolean;
  readonly workspace: string | null;
  readonly source: string | null;
  readonly created_ms: number;
  readonly changed_ms: number;
  readonly bytes: number;
  /** Turns so far; null where the end of the log does not say. */
  readonly turns: number | null;
  /** Why it cannot be opened, and what to do; null: it can. */
  readonly problem: string | null;
}

/** How much of each end of a log is read to list it. */
const END = 65_536;

const NEWLINE = 0x0a;

/** The sessions of one storage folder. */
export class SessionStore {
  private readonly opened = new Map<string, Promise<Session>>();

  constructor(
    private readonly folder: string,
    private readonly deps: SessionDeps,
  ) {}

  /** All sessions, the one that changed last first. Reads the ends of each file only. */
  async list(): Promise<readonly StoredSession[]> {
    let names: readonly string[];
    try {
      names = await readdir(this.folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw fileError(error, this.folder);
    }
    const found: StoredSession[] = [];
    for (const name of names) {
      const id = idOfFileName(name);
      if (id === null) continue;
      const summary = await summarize(join(this.folder, name), id);
      if (summary) found.push(summary);
    }
    return found.sort((a, b) => b.changed_ms - a.changed_ms || (a.id < b.id ? 1 : -1));
  }

  /** A new session with a fresh id. */
  create(about: SessionAbout): Promise<Session> {
    return this.openFor(this.deps.newId(), about);
  }

  /** An existing session; rejects when there is none of that id. */
  async open(id: string): Promise<Session> {
    if (!this.opened.has(id) && !(await exists(fileNameOf(this.folder, id)))) {
      throw new Error('This session is not there any more. Choose another one in the Sessions view.');
    }
    return this.openFor(id);
  }

  /**
   * The log of a session by its id, begun with `about` when there is none: our own record of a session that somebody
   * else's agent runs (`claude-code:<id>`). While it is open everyone gets the same object; each disposes it once.
   */
  async openFor(id: string, about?: SessionAbout): Promise<Session> {
    const known = this.opened.get(id);
    if (known) {
      const session = await known;
      if (this.opened.get(id) === known) return session.retain();
      return this.openFor(id, about);
    }
    const opening = this.begin(id, about);
    this.opened.set(id, opening);
    const forget = (): void => {
      if (this.opened.get(id) === opening) this.opened.delete(id);
    };
    try {
      const session = await opening;
      session.onDidClose(forget);
      return session;
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Moves a session's log aside, to `<file>.removed`; refused while it is open here or in another window. */
  async remove(id: string): Promise<void> {
    const file = fileNameOf(this.folder, id);
    if (this.opened.has(id)) throw new Error('This session is open. Close its inspector first, then remove it.');
    const locking = takeLock(`${file}.lock`, this.deps.newId());
    if (!locking.lock) throw new Error('This session is open in another window. Close it there first, then remove it.');
    try {
      await rename(file, `${file}.removed`);
      await rm(`${file}.torn`, { force: true });
    } finally {
      locking.lock.release();
    }
  }

  private async begin(id: string, about?: SessionAbout): Promise<Session> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw fileError(error, this.folder);
    }
    return Session.open(this.folder, id, this.deps, about);
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function readEnd(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  const { bytesRead } = await handle.read(bytes, 0, length, start);
  return bytes.subarray(0, bytesRead);
}

function recordsOf(bytes: Buffer): LogRecord[] {
  const records: LogRecord[] = [];
  for (let start = 0, end = bytes.indexOf(NEWLINE); end >= 0; start = end + 1, end = bytes.indexOf(NEWLINE, start)) {
    const parsed = parseLine(bytes.subarray(start, end));
    if ('event' in parsed) records.push(parsed);
  }
  return records;
}

async function summarize(file: string, id: string): Promise<StoredSession | null> {
  let bytes = 0;
  let changed = 0;
  try {
    const handle = await open(file, 'r');
    try {
      const info = await handle.stat();
      if (!info.isFile()) return null;
      bytes = info.size;
      changed = info.mtimeMs;
      const head = recordsOf(await readEnd(handle, 0, END));
      const tail = bytes > END ? recordsOf(await readEnd(handle, Math.max(END, bytes - END), END)) : [];
      return describe(file, id, bytes, changed, [...head, ...tail]);
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return null;
    const problem =
      code === 'EACCES' || code === 'EPERM'
        ? `There is no permission to read ${file}. Give yourself access to it, then refresh.`
        : `${file} could not be read (${error instanceof Error ? error.message : String(error)}).`;
    return { ...describe(file, id, bytes, changed, []), problem };
  }
}

function describe(
  file: string,
  id: string,
  bytes: number,
  changed: number,
  records: readonly LogRecord[],
): StoredSession {
  const opened = records.find((record) => record.event.kind === 'session.opened');
  const about = opened?.event.payload ?? {};
  const lastText = (kind: string, key: string): string | null => {
    const value = records.findLast((record) => record.event.kind === kind)?.event.payload[key];
    return typeof value === 'string' ? value : null;
  };
  const turns = records.findLast((record) => typeof record.event.payload['turn_number'] === 'number');
  const text = (key: string): string | null => (typeof about[key] === 'string' ? about[key] : null);
  const own = about['own'] === true;
  return {
    id: opened?.event.headers['session_id'] ?? id,
    file,
    title: lastText('session.titled', 'title') ?? text('title') ?? id,
    agent: text('agent') ?? '',
    own,
    workspace: text('workspace'),
    source: text('source'),
    created_ms: opened?.event.occurred_at_ms ?? changed,
    changed_ms: records.at(-1)?.event.occurred_at_ms ?? changed,
    bytes,
    turns: own && turns ? (turns.event.payload['turn_number'] as number) : null,
    problem: records.length === 0 && bytes > 0 ? `${file} holds no record of a session at its ends.` : null,
  };
}
