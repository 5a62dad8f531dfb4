import type { VSCodePlace } from './vscode.d.mts';

/** Settings under which nothing asks, nothing pops up, and nothing calls out. */
export const quietSettings: Readonly<Record<string, unknown>>;

/** Writes the user settings of a profile that has none yet. */
export function writeUserSettings(userData: string, settings: Readonly<Record<string, unknown>>): Promise<void>;

/** Installs extensions (paths of VSIX files) into an extensions folder. */
export function installExtensions(what: {
  readonly vscode: VSCodePlace;
  readonly extensions: string;
  readonly userData: string;
  readonly files: readonly string[];
}): Promise<void>;

export interface CodeServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly pid: number;
  /** What the server itself has written so far. */
  log(): string;
  /** Settles with the reason when the server ends, asked or not. */
  readonly exited: Promise<string>;
  /** Ends the server and everything that it started. */
  stop(): Promise<void>;
}

/** Starts VS Code on a free port of 127.0.0.1; without a password it asks for none. */
export function startCodeServer(what: {
  readonly vscode: VSCodePlace;
  readonly workspace: string;
  readonly userData: string;
  readonly extensions: string;
  readonly password?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: readonly string[];
}): Promise<CodeServer>;
