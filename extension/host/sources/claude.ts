import { homedir } from 'node:os';
import { basename, sep } from 'node:path';
import { findClaudeSessions, watchClaudeSessions } from '../../agents/claudeCode/find';
import type { FoundSession } from '../../agents/claudeCode/find';
import type { FileError } from '../../io/fileError';
import type { Disposable } from '../../session/disposable';
import { Emitter } from '../../session/disposable';
import type { InspectedSession } from '../../session/inspected';
import type { Listing, SessionEntry, Source } from '../entry';

/** Opens a Claude Code session file. */
export type OpenClaude = (file: string) => Promise<InspectedSession>;

export function claudeKey(file: string): string {
  return `claude:${file}`;
}

/** Claude Code's sessions in the open workspace folders, with their sub-agents. */
export class ClaudeSource implements Source {
  readonly group = 'claude';
  private readonly changed: Emitter<void>;
  private watches: Disposable[] = [];

  constructor(
    private readonly folders: () => readonly string[],
    private readonly configDir: () => string,
    private readonly openClaude: OpenClaude,
    private readonly now: () => number,
    onError: (error: unknown) => void,
  ) {
    this.changed = new Emitter(onError);
    this.watch();
  }

  get onDidChange(): Emitter<void>['event'] {
    return this.changed.event;
  }

  /** Watches the present folders in place of those before. */
  watch(): void {
    for (const watch of this.watches) watch.dispose();
    const configDir = this.configDir();
    this.watches = this.folders().map((folder) => watchClaudeSessions(configDir, folder, () => this.changed.fire()));
    this.changed.fire();
  }

  async list(): Promise<Listing> {
    const configDir = this.configDir();
    const found = await Promise.all(this.folders().map((folder) => findClaudeSessions(configDir, folder, this.now())));
    const entries = new Map(
      found.flatMap(({ sessions }) => sessions.flatMap(entriesOf)).map((entry) => [entry.key, entry]),
    );
    const problems = found.flatMap((each) => each.problems.map(sentence));
    return {
      entries: [...entries.values()],
      problems: [...new Set(problems)],
      where: [`Claude Code’s sessions in ${shortened(configDir)}`],
    };
  }

  open(entry: SessionEntry): Promise<InspectedSession> {
    return this.openClaude(entry.file);
  }

  dispose(): void {
    for (const watch of this.watches) watch.dispose();
    this.changed.dispose();
  }
}

function entriesOf(session: FoundSession): SessionEntry[] {
  const key = claudeKey(session.file);
  const common = { group: 'claude', problem: null } as const;
  return [
    {
      ...common,
      key,
      id: session.session_id,
      file: session.file,
      title: session.title ?? session.session_id,
      status: session.state,
      modified_ms: session.modified_ms,
      parent: null,
    },
    ...session.subagents.map((agent): SessionEntry => ({
      ...common,
      key: claudeKey(agent.file),
      id: agent.agent_id,
      file: agent.file,
      title: agent.title ?? `Sub-agent ${basename(agent.file, '.jsonl').replace(/^agent-/u, '')}`,
      status: null,
      modified_ms: agent.modified_ms,
      parent: key,
    })),
  ];
}

/** With `~` for the home folder, as people write it. */
function shortened(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}

/** What happened and what to do. */
export function sentence(error: FileError): string {
  return error.message.includes(error.advice) ? error.message : `${error.message} ${error.advice}`;
}
