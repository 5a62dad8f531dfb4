import { ClaudeCodeReader } from './claudeCode/reader';
import { CodexReader } from './codex/reader';
import type { FormatName } from './facts';
import { GeminiReader } from './gemini/reader';
import { HarnReader } from './harn/reader';
import type { Lent, LogReader } from './reader';

/** A format of session logs. */
export interface Format {
  readonly name: FormatName;
  /** What people call it. */
  readonly title: string;
  /** A reader for one log; null where the format is recognised but not read yet. */
  readonly createReader: ((lent: Lent) => LogReader) | null;
}

/** Every format that is recognised. */
export const formats: readonly Format[] = [
  { name: 'claude-code', title: 'Claude Code', createReader: (lent) => new ClaudeCodeReader(lent) },
  { name: 'codex', title: 'Codex', createReader: (lent) => new CodexReader(lent, 'codex') },
  { name: 'codex-old', title: 'Codex (old shape)', createReader: (lent) => new CodexReader(lent, 'codex-old') },
  { name: 'gemini', title: 'Gemini CLI', createReader: (lent) => new GeminiReader(lent) },
  { name: 'opencode', title: 'opencode', createReader: null },
  { name: 'qwen', title: 'Qwen Code', createReader: null },
  { name: 'pi', title: 'pi', createReader: null },
  { name: 'harn', title: 'Transcript Inspector', createReader: (lent) => new HarnReader(lent) },
];

/** The entry of a format. */
export function formatNamed(name: FormatName): Format {
  return formats.find((format) => format.name === name)!;
}
