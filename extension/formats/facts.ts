/** The formats of session logs that are known by name. */
export type FormatName = 'claude-code' | 'codex' | 'codex-old' | 'gemini' | 'opencode' | 'qwen' | 'pi' | 'harn';

/** The figures of a session log, over all of its branches. */
export interface Facts {
  readonly format: FormatName;
  /** Versions of the agent that wrote it, each once, in order of text. */
  readonly versions: readonly string[];
  readonly lines: number;
  /** Non-blank lines that are not one JSON object. */
  readonly malformed: number;
  /** User and assistant messages; the lines of one API message are one, tool results and sidechains count. */
  readonly messages: number;
  /** Distinct call ids. */
  readonly tool_calls: number;
  /** Results marked as failed. */
  readonly tool_errors: number;
  /** Reasoning blocks with a signature or encrypted content. */
  readonly signed: number;
  readonly compactions: number;
  readonly microcompactions: number;
  /** Parents with two or more different prompts or assistant messages as children. */
  readonly real_forks: number;
  readonly sidechain_records: number;
  /** Tokens of the last request of the main chain, cached input and output included; null where none is reported. */
  readonly last_usage: number | null;
}
