import type { JsonObject } from '../../../engine/transcript/message';
import type { ToolDescription } from '../model';
import type { Workspace } from './workspace';

/** What a tool gives back. The text is for the model; `truncated`: part of the output was left out, and the text says so. */
export interface ToolResult {
  readonly text: string;
  readonly failed: boolean;
  readonly truncated: boolean;
}

/** Told which files the agent knows, and by which content, so that it hears of changes and not of its own. Paths are absolute. */
export interface FileNotes {
  /** The agent was shown this content, or a part of it; `mtime_ms` was taken before it was read. */
  read(path: string, content: Uint8Array, mtime_ms: number | null): void;
  /** The agent itself made this the content. */
  wrote(path: string, content: Uint8Array): void;
  /** The agent was told that there is no such file. */
  missed(path: string): void;
  /** Runs something during which nobody looks at the files. */
  hold<T>(action: () => Promise<T>): Promise<T>;
  /** Runs something that may write any file; what changes meanwhile was changed by the agent. */
  during<T>(action: () => Promise<T>): Promise<T>;
}

export interface ToolContext {
  readonly workspace: Workspace;
  readonly files: FileNotes;
  readonly signal: AbortSignal;
}

/** One tool of our own agent. */
export interface Tool {
  readonly description: ToolDescription;
  /** True: a person is asked each time before it runs. */
  readonly asks: boolean;
  /** What a call wants to do, in one line for people. The input was checked. */
  title(input: JsonObject): string;
  /** What "always allow" covers: calls with the same text are not asked for again in this session. */
  scope(input: JsonObject): string;
  run(input: JsonObject, context: ToolContext): Promise<ToolResult>;
}

export function succeed(text: string, truncated = false): ToolResult {
  return { text, failed: false, truncated };
}

export function fail(text: string, truncated = false): ToolResult {
  return { text, failed: true, truncated };
}

/** A text member of an input that was checked before. */
export function textOf(input: JsonObject, key: string): string {
  const value = input[key];
  return typeof value === 'string' ? value : '';
}

/** An integer member of an input that was checked before; `fallback` where it is absent. */
export function integerOf(input: JsonObject, key: string, fallback: number): number {
  const value = input[key];
  return typeof value === 'number' ? value : fallback;
}
