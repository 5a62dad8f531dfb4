import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/project.mjs';

/** One of the project's commands, as a process of its own. */
export class Command {
  out = '';
  err = '';
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  private readonly child: ChildProcess;
  private readonly listeners = new Set<() => void>();

  /** Runs `node scripts/SCRIPT ARGUMENTS…`. */
  constructor(script: string, args: readonly string[] = [], env: Readonly<Record<string, string | undefined>> = {}) {
    const child = spawn(process.execPath, [join(root, 'scripts', script), ...args], {
      cwd: root,
      env: { ...process.env, INIT_CWD: undefined, VSCODE_IPC_HOOK_CLI: undefined, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    const changed = () => this.listeners.forEach((listener) => listener());
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      this.out += chunk;
      changed();
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.err += chunk;
      changed();
    });
    this.ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown')));
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('The command did not start');
    return this.child.pid;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Waits for something on stdout. Fails when the command ends first. */
  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    const found = new Promise<RegExpExecArray>((resolve) => {
      const look = () => {
        const match = pattern.exec(this.out);
        if (!match) return;
        this.listeners.delete(look);
        resolve(match);
      };
      this.listeners.add(look);
      look();
    });
    const early = this.ended.then((how) => {
      throw new Error(`The command ended (${how}) before it printed ${String(pattern)}:\n${this.out}${this.err}`);
    });
    return Promise.race([found, early]);
  }
}
