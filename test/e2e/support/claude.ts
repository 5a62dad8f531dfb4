import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** What one record of a Claude Code session file adds to those before it. */
export type Record =
  | { readonly user: string }
  | { readonly assistant: string; readonly tokens?: number }
  | { readonly call: string; readonly input: object; readonly id: string }
  | { readonly result: string; readonly id: string; readonly failed?: boolean };

/** Writes Claude Code session files, as Claude Code does: one record a line, each naming the one before it. */
export class ClaudeWriter {
  private parent: string | null = null;
  private count = 0;

  private constructor(
    /** Set as CLAUDE_CONFIG_DIR. */
    readonly configDir: string,
    readonly file: string,
    readonly id: string,
    private readonly workspace: string,
  ) {}

  /** A session file for a workspace folder, in a configuration folder of its own that goes with the test. */
  static async begin(workspace: string, id = '5b0f1c9e-7d51-4f0e-9d5c-6a2f9f0f7b11'): Promise<ClaudeWriter> {
    const configDir = await mkdtemp(join(tmpdir(), 'transcript-inspector-claude-'));
    onTestFinished(() => rm(configDir, { recursive: true, force: true }));
    const folder = join(configDir, 'projects', workspace.replace(/[^A-Za-z0-9]/g, '-'));
    await mkdir(folder, { recursive: true });
    const writer = new ClaudeWriter(configDir, join(folder, `${id}.jsonl`), id, workspace);
    await writeFile(writer.file, '');
    return writer;
  }

  /** Adds records, in one write, at the time given. */
  async add(...records: readonly Record[]): Promise<void> {
    await appendFile(this.file, this.lines(records).join(''));
  }

  /** Writes the session of a sub-agent, in a file of its own beside this one. */
  async addAgent(agent: string, ...records: readonly Record[]): Promise<void> {
    const folder = join(this.file.replace(/\.jsonl$/, ''), 'subagents');
    await mkdir(folder, { recursive: true });
    const file = join(folder, `agent-${agent}.jsonl`);
    const lines = new ClaudeWriter(this.configDir, file, this.id, this.workspace).lines(records);
    const ofAgent = lines.map((line) => ({ ...(JSON.parse(line) as object), isSidechain: true, agentId: agent }));
    await writeFile(file, ofAgent.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }

  /** The lines that `add` would write. */
  lines(records: readonly Record[]): string[] {
    return records.map((record) => `${JSON.stringify(this.recordOf(record))}\n`);
  }

  private recordOf(record: Record): object {
    const number = ++this.count;
    const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const common = {
      parentUuid: this.parent,
      isSidechain: false,
      userType: 'external',
      cwd: this.workspace,
      sessionId: this.id,
      version: '2.1.37',
      gitBranch: 'main',
      uuid,
      timestamp: new Date(Date.now() - 60_000 + number).toISOString(),
    };
    this.parent = uuid;
    if ('user' in record) return { ...common, type: 'user', message: { role: 'user', content: record.user } };
    if ('result' in record) {
      const block = {
        type: 'tool_result',
        tool_use_id: record.id,
        content: record.result,
        is_error: record.failed === true,
      };
      return { ...common, type: 'user', message: { role: 'user', content: [block] }, toolUseResult: record.result };
    }
    const content =
      'call' in record
        ? [{ type: 'tool_use', id: record.id, name: record.call, input: record.input }]
        : [{ type: 'text', text: record.assistant }];
    const tokens = 'tokens' in record ? record.tokens : 1000 + number;
    const message = {
      id: `msg_${number}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-5',
      content,
      stop_reason: 'call' in record ? 'tool_use' : 'end_turn',
      usage: { input_tokens: 4, cache_creation_input_tokens: 0, cache_read_input_tokens: tokens, output_tokens: 12 },
    };
    return { ...common, type: 'assistant', requestId: `req_${number}`, message };
  }
}
