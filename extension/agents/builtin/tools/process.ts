import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { OUTPUT_CHARACTERS, cutStart, cutText } from './text';
import { ToolFault } from './fault';

export interface ProcessOptions {
  readonly cwd: string;
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
}

export interface ProcessOutcome {
  /** What was printed, both streams in the order of arrival; the middle is left out where it is too long. */
  readonly output: string;
  readonly truncated: boolean;
  /** Null: a signal ended it. */
  readonly exit_code: number | null;
  readonly ended_by: string | null;
  readonly timed_out: boolean;
}

/** How long a process may take to end after it was asked to, and its output to arrive after it ended, in milliseconds. */
const GRACE_MS = 1000;

/**
 * Runs a shell command and waits for it. On a stop, after the time limit and when it ends, its whole process group is
 * ended too. Rejects with the signal's reason when it was stopped.
 */
export async function runProcess(command: string, options: ProcessOptions): Promise<ProcessOutcome> {
  options.signal.throwIfAborted();
  const child = spawn(command, {
    cwd: options.cwd,
    shell: true,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: ownEnvironment(process.env),
    windowsHide: true,
  });
  const output = collect(child);
  let timedOut = false;
  let force: NodeJS.Timeout | undefined;
  const end = (): void => {
    endGroup(child, 'SIGTERM');
    force ??= setTimeout(() => endGroup(child, 'SIGKILL'), GRACE_MS);
  };
  const limit = setTimeout(() => {
    timedOut = true;
    end();
  }, options.timeout_ms);
  options.signal.addEventListener('abort', end, { once: true });
  try {
    const [exitCode, endedBy] = await ended(child);
    endGroup(child, 'SIGKILL');
    await closed(child);
    options.signal.throwIfAborted();
    return { ...output(), exit_code: timedOut ? null : exitCode, ended_by: endedBy, timed_out: timedOut };
  } finally {
    clearTimeout(limit);
    clearTimeout(force);
    options.signal.removeEventListener('abort', end);
  }
}

function ended(child: ChildProcess): Promise<[number | null, string | null]> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => resolve([code, signal]));
    child.once('error', (error) => reject(new ToolFault(`The command could not be started: ${error.message}`)));
  });
}

/** Waits for the rest of the output; a process that left the group may hold the pipes, so not for ever. */
function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const streams = [child.stdout, child.stderr].filter((stream) => stream !== null && !stream.closed);
    let open = streams.length;
    if (open === 0) return resolve();
    const timer = setTimeout(() => {
      for (const stream of streams) stream?.destroy();
      resolve();
    }, GRACE_MS);
    for (const stream of streams) {
      stream?.once('close', () => {
        open -= 1;
        if (open > 0) return;
        clearTimeout(timer);
        resolve();
      });
    }
  });
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    if (child.exitCode === null) spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    // Nobody is left in the group, or only what may not be signalled.
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Keeps the beginning and the end; decodes each stream by itself, so that no character is cut by a chunk. */
function collect(child: ChildProcess): () => { output: string; truncated: boolean } {
  const half = OUTPUT_CHARACTERS / 2;
  let head = '';
  let tail = '';
  let left = 0;
  const add = (text: string): void => {
    const room = half - head.length;
    const first = room > 0 && tail === '' ? cutText(text, room) : '';
    head += first;
    tail += text.slice(first.length);
    if (tail.length > 2 * half) {
      const kept = cutStart(tail, half);
      left += tail.length - kept.length;
      tail = kept;
    }
  };
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder('utf8');
    stream?.on('data', (chunk: Buffer) => add(decoder.write(chunk)));
    stream?.on('end', () => add(decoder.end()));
  }
  return () => {
    const kept = cutStart(tail, half);
    const missing = left + tail.length - kept.length;
    if (missing === 0) return { output: head + tail, truncated: false };
    return { output: `${head}\n[… ${missing} characters left out …]\n${kept}`, truncated: true };
  };
}

/** The person's environment without what the editor set for itself. */
function ownEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(VSCODE_|ELECTRON_|CODE_SERVER_)/.test(name)),
  );
}
