import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { FileError, fileError } from './fileError';
import { identityOf, isSameFile, type FileIdentity } from './readFile';

/** What happened to a file that is followed. */
export type TailEvent =
  /** More bytes came; those before `from` are as they were. */
  | { readonly kind: 'grew'; readonly from: number; readonly size: number }
  /** It is another file now, or it was cut: whatever was read of it is void. */
  | { readonly kind: 'reset'; readonly reason: 'truncated' | 'replaced' | 'created'; readonly size: number }
  | { readonly kind: 'gone' }
  | { readonly kind: 'error'; readonly error: FileError };

export interface FollowOptions {
  /** Looks at the file this often even when the system reports nothing (network folders); 0: never. Default 2000 ms. */
  readonly every_ms?: number;
}

/** A file that is followed. */
export interface Follower {
  /** Looks at the file now; settles once what there was to report has been reported. */
  check(): Promise<void>;
  dispose(): void;
}

/**
 * Follows a file by its name: reports growth, truncation, replacement, deletion and re-creation, one at a time and in
 * order; several quick writes may be one report. `known` is what the follower takes as already read; null: nothing yet.
 * The folder is watched, so that a file that is replaced is not lost.
 */
export function followFile(
  file: string,
  known: FileIdentity | null,
  onEvent: (event: TailEvent) => void,
  options: FollowOptions = {},
): Follower {
  let seen = known;
  let failed: string | null = null;
  let disposed = false;
  let running: Promise<void> | null = null;
  let again = false;
  const watchers: FSWatcher[] = [];

  const look = async (): Promise<void> => {
    let now: FileIdentity | null = null;
    let problem: FileError | null = null;
    try {
      now = identityOf(await stat(file, { bigint: true }));
    } catch (error) {
      problem = fileError(error, file);
    }
    if (disposed) return;
    if (problem) {
      if (problem.code === 'missing') {
        if (seen) onEvent({ kind: 'gone' });
        seen = null;
        failed = null;
      } else if (failed !== problem.code) {
        failed = problem.code;
        onEvent({ kind: 'error', error: problem });
      }
      return;
    }
    failed = null;
    const before = seen;
    seen = now;
    if (!now) return;
    if (!before) onEvent({ kind: 'reset', reason: 'created', size: now.size });
    else if (!isSameFile(before, now)) onEvent({ kind: 'reset', reason: 'replaced', size: now.size });
    else if (now.size < before.size) onEvent({ kind: 'reset', reason: 'truncated', size: now.size });
    else if (now.size > before.size) onEvent({ kind: 'grew', from: before.size, size: now.size });
  };

  const check = (): Promise<void> => {
    if (disposed) return Promise.resolve();
    if (running) {
      again = true;
      return running;
    }
    running = (async () => {
      do {
        again = false;
        await look();
      } while (again && !disposed);
    })().finally(() => {
      running = null;
    });
    return running;
  };
  const checkSoon = (): void => {
    check().catch((error: unknown) => {
      if (!disposed) onEvent({ kind: 'error', error: new FileError('failed', file, undefined, String(error)) });
    });
  };

  const name = basename(file);
  const follow = (path: string, concerns: (changed: string | null) => boolean): void => {
    try {
      const watcher = watch(path, { persistent: false }, (_, changed) => {
        if (concerns(changed)) checkSoon();
      });
      watcher.on('error', checkSoon);
      watchers.push(watcher);
    } catch (error) {
      const problem = fileError(error, path);
      if (problem.code !== 'missing') onEvent({ kind: 'error', error: problem });
    }
  };
  follow(dirname(file), (changed) => changed === null || changed === name);

  const every = options.every_ms ?? 2000;
  const timer = every > 0 ? setInterval(checkSoon, every) : null;
  timer?.unref();

  return {
    check,
    dispose() {
      disposed = true;
      if (timer) clearInterval(timer);
      for (const watcher of watchers) watcher.close();
      watchers.length = 0;
    },
  };
}
