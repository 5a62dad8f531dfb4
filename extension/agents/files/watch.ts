import { isAbsolute, join, relative, sep } from 'node:path';
import type { FileEvent as Change, FileOptions } from '../../engine/reminders/fileChanges';
import { decideFileEvents, decideFileSeen } from '../../engine/reminders/fileChanges';
import type { Disposable, Listen } from '../../session/disposable';
import type { Session } from '../../session/session';
import type { OnDisk } from './disk';
import { ABSENT, hashOf, lookAt } from './disk';

/** A hint that something may have happened to a file; it may be wrong, come late, or never. */
export interface FileEvent {
  /** Absolute. */
  readonly path: string;
  readonly kind: 'created' | 'changed' | 'deleted' | 'renamed';
  /** Absolute; where it was renamed to. */
  readonly to?: string;
}

/** A file that an agent used, as told by its tool calls. */
export interface FileUse {
  /** Absolute, or from the workspace folder. */
  readonly path: string;
  /** Rises with each use of this file, such as the number of the message. */
  readonly use: number;
  /** When, in milliseconds since the epoch; null: not known. */
  readonly time_ms: number | null;
}

export interface WatchOptions {
  readonly session: Session;
  /** The workspace folder by its real path, then by any other by which events may name it; none: nothing is watched. */
  readonly roots: readonly string[];
  readonly events: Listen<FileEvent>;
  /** The person came back to the window. */
  readonly focus?: Listen<void>;
  /** Paths that are never named to a model; from the workspace folder, with forward slashes. */
  readonly denied: (path: string) => boolean;
  /** Paths that are watched though the agent has not used them. */
  readonly widened?: (path: string) => boolean;
  /** False: nothing is reported. */
  readonly enabled?: () => boolean;
  /** Calls back soon, so that events that come together are taken together. */
  readonly later?: (work: () => void) => Disposable;
  readonly onError: (error: unknown) => void;
}

/** Events that come within this time are taken together, in milliseconds. */
const TOGETHER_MS = 15;

/** From so many hints on every known file is looked at: where many come, some are lost. */
const BURST = 8;

/** Most new files that are remembered as what a vanished one may have been renamed to. */
const NEW_FILES = 256;

/**
 * Knows by which content the agent last saw each file of a session, and says into the session when it is another one.
 * It looks at the files themselves, one thing after the other; events only say when.
 */
export class FileWatch implements Disposable {
  private readonly hints = new Map<string, FileEvent>();
  private readonly seen = new Map<string, OnDisk>();
  private readonly uses = new Map<string, number>();
  private readonly listening: readonly Disposable[];
  private line: Promise<unknown> = Promise.resolve();
  private timer: Disposable | null = null;
  private disposed = false;

  constructor(private readonly options: WatchOptions) {
    const listening = [options.events((event) => this.hint(event))];
    if (options.focus !== undefined) listening.push(options.focus(() => this.background(this.look())));
    this.listening = listening;
  }

  /** Looks at every file that the agent knows, and reports. */
  look(): Promise<void> {
    return this.inLine(() => this.examine(true));
  }

  /** Resolves when every hint so far was looked into. */
  settled(): Promise<void> {
    return this.inLine(async () => {
      if (this.hints.size > 0) await this.examine(false);
    });
  }

  /** The agent was shown this content. `path` is absolute; `mtime_ms` was taken before the content. */
  read(path: string, content: Uint8Array, mtime_ms: number | null): void {
    this.note(path, { hash: hashOf(content), size: content.byteLength, mtime_ms });
  }

  /** The agent made this the content. */
  wrote(path: string, content: Uint8Array): void {
    this.note(path, { hash: hashOf(content), size: content.byteLength, mtime_ms: null });
  }

  /** The agent was told that there is no such file. */
  missed(path: string): void {
    this.note(path, ABSENT);
  }

  /** Nothing is looked at while this goes on. */
  hold<T>(action: () => Promise<T>): Promise<T> {
    return this.inLine(action);
  }

  /**
   * Runs something of the agent's that may write any file. What changed meanwhile is taken for the agent's own doing;
   * what had changed before was reported first.
   */
  during<T>(action: () => Promise<T>): Promise<T> {
    return this.inLine(async () => {
      await this.examine(true);
      const before = new Map(await this.lookAtAll());
      try {
        return await action();
      } finally {
        for (const [path, now] of await this.lookAtAll()) {
          if (now.hash !== before.get(path)?.hash) this.noteRelative(path, now);
        }
      }
    });
  }

  /** Takes over the files that the agent of a followed session used; each use says that it knows the file as it is. */
  track(uses: readonly FileUse[]): Promise<void> {
    return this.inLine(async () => {
      for (const use of uses) await this.trackUse(use);
    });
  }

  dispose(): void {
    this.disposed = true;
    this.timer?.dispose();
    for (const listener of this.listening) listener.dispose();
  }

  private get quiet(): boolean {
    const { session, enabled, roots } = this.options;
    return this.disposed || roots.length === 0 || session.readOnly !== null || enabled?.() === false;
  }

  private get files(): Session['state']['files'] {
    return this.options.session.state.files;
  }

  private hint(event: FileEvent): void {
    const path = this.relativeOf(event.path);
    if (path === null) return;
    const known = this.files.has(path) || this.options.widened?.(path) === true;
    if (!known && (event.kind !== 'created' || this.hints.size >= NEW_FILES)) return;
    this.hints.set(path, event);
    this.timer ??= (this.options.later ?? soon)(() => {
      this.timer = null;
      this.background(this.settled());
    });
  }

  private async examine(all: boolean): Promise<void> {
    if (this.quiet) return;
    const hints = new Map(this.hints);
    this.hints.clear();
    const every = all || hints.size >= BURST;
    const paths = new Set(every ? this.knownPaths() : []);
    for (const path of hints.keys()) {
      if (this.files.has(path) || this.options.widened?.(path) === true) paths.add(path);
    }
    const events: Change[] = [];
    for (const path of paths) {
      const event = await this.compare(path, hints.get(path));
      if (event !== null) events.push(event);
    }
    if (events.some((event) => event.kind === 'deleted')) events.push(...(await this.arrivals(hints)));
    if (events.length === 0 || this.quiet) return;
    this.options.session.run((state, sources) => decideFileEvents(state, events, this.wording, sources));
  }

  /** What is on disk now against what the session's log says of it. */
  private async compare(path: string, hint: FileEvent | undefined): Promise<Change | null> {
    const tracked = this.files.get(path);
    const known = hint === undefined ? (this.seen.get(path) ?? tracked ?? null) : null;
    const now = await lookAt(this.absoluteOf(path), known);
    if (now === null) return null;
    const before = this.seen.get(path);
    this.seen.set(path, now);
    const file = this.files.get(path);
    const to = this.relativeOf(hint?.to ?? '');
    if (file === undefined) {
      if (hint === undefined || before?.hash === now.hash) return null;
      return { path, kind: kindOf(now.hash, hint), hash: now.hash, to };
    }
    const said = file.change === null ? file.hash : file.change.hash;
    if (now.hash === said) return null;
    const created = file.hash === null && now.hash !== null;
    return { path, kind: created ? 'created' : kindOf(now.hash, hint), hash: now.hash, to };
  }

  /** New files with their content: one of them may be what a vanished file was renamed to. */
  private async arrivals(hints: ReadonlyMap<string, FileEvent>): Promise<readonly Change[]> {
    const found: Change[] = [];
    for (const [path, hint] of hints) {
      if (hint.kind !== 'created' || this.files.has(path)) continue;
      const now = await lookAt(this.absoluteOf(path), null);
      if (now !== null && now.hash !== null) found.push({ path, kind: 'created', hash: now.hash });
    }
    return found;
  }

  private get wording(): FileOptions {
    const { denied, widened } = this.options;
    return { denied, ...(widened === undefined ? {} : { widened }) };
  }

  private knownPaths(): readonly string[] {
    return [...this.files.entries()].map(([path]) => path);
  }

  private async lookAtAll(): Promise<readonly (readonly [string, OnDisk])[]> {
    const found: (readonly [string, OnDisk])[] = [];
    for (const path of this.knownPaths()) {
      const now = await lookAt(this.absoluteOf(path), this.seen.get(path) ?? null);
      if (now === null) continue;
      this.seen.set(path, now);
      found.push([path, now]);
    }
    return found;
  }

  private async trackUse({ path: given, use, time_ms }: FileUse): Promise<void> {
    if (this.quiet) return;
    const path = isAbsolute(given) ? this.relativeOf(given) : given;
    if (path === null || path.startsWith('..')) return;
    const last = this.uses.get(path);
    if (last !== undefined && last >= use) return;
    this.uses.set(path, use);
    const now = await lookAt(this.absoluteOf(path), null);
    if (now === null) return;
    this.seen.set(path, now);
    // Known from an earlier time, and nothing says that it was used since: what is recorded stays.
    const newer = time_ms !== null && now.mtime_ms !== null && time_ms >= now.mtime_ms;
    if (last === undefined && this.files.has(path) && !newer) return;
    this.noteRelative(path, now);
  }

  private note(absolute: string, content: OnDisk): void {
    const path = this.relativeOf(absolute);
    if (path === null) return;
    if (content.mtime_ms === null) this.seen.delete(path);
    else this.seen.set(path, content);
    this.noteRelative(path, content);
  }

  private noteRelative(path: string, { hash, size, mtime_ms }: OnDisk): void {
    this.hints.delete(path);
    const file = this.files.get(path);
    if (file !== undefined && file.change === null && file.hash === hash && file.mtime_ms === mtime_ms) return;
    const seen = [{ path, hash, size, mtime_ms }];
    this.options.session.run((state, sources) => decideFileSeen(state, seen, this.wording, sources));
  }

  private relativeOf(absolute: string): string | null {
    if (!isAbsolute(absolute)) return null;
    for (const root of this.options.roots) {
      const way = relative(root, absolute);
      if (way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
        return way.split(sep).join('/');
    }
    return null;
  }

  private absoluteOf(path: string): string {
    return join(this.options.roots[0] ?? '', ...path.split('/'));
  }

  private inLine<T>(action: () => Promise<T>): Promise<T> {
    const turn = this.line.then(action);
    this.line = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }

  private background(work: Promise<void>): void {
    work.catch((error: unknown) => this.options.onError(error));
  }
}

function kindOf(hash: string | null, hint: FileEvent | undefined): Change['kind'] {
  if (hash !== null) return hint?.kind === 'created' ? 'created' : 'changed';
  return hint?.kind === 'renamed' && hint.to !== undefined ? 'renamed' : 'deleted';
}

function soon(work: () => void): Disposable {
  const timer = setTimeout(work, TOGETHER_MS);
  return { dispose: () => clearTimeout(timer) };
}
