import { inspectClaude } from '../../agents/claudeCode/inspected';
import { openClaudeSession } from '../../agents/claudeCode/sessionFile';
import type { ClaudeSessionFile } from '../../agents/claudeCode/sessionFile';
import type { InspectedSession } from '../../session/inspected';
import type { SessionStore } from '../../session/store';
import { recognize } from './recognize';

/** Opens Claude Code's session files and follows them, each with our own log about it beside. */
export class ClaudeOpener {
  private readonly files = new WeakMap<InspectedSession, ClaudeSessionFile>();

  constructor(
    private readonly store: SessionStore,
    private readonly now: () => number,
    /** Size of the context window where the session does not say it; null: not known. */
    private readonly window: () => number | null,
  ) {}

  /** The file behind a session that was opened here. */
  fileOf(session: InspectedSession): ClaudeSessionFile | null {
    return this.files.get(session) ?? null;
  }

  readonly open = async (path: string): Promise<InspectedSession> => {
    recognize(path);
    const file = await openClaudeSession(path);
    try {
      const id = file.sessionId() ?? path;
      const session = await this.store.openFor(`claude-code:${id}`, {
        title: file.title() ?? id,
        agent: 'Claude Code',
        own: false,
        workspace: file.cwd(),
        source: path,
        deliverable: false,
      });
      const inspected = inspectClaude(file, session, { now: this.now, window: this.window() });
      this.files.set(inspected, file);
      return inspected;
    } catch (error) {
      file.dispose();
      throw error;
    }
  };
}
