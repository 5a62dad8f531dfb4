import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { workspace } from 'vscode';
import { FileWatch } from '../agents/files/watch';
import type { ClaudeSessionFile } from '../agents/claudeCode/sessionFile';
import type { Disposable } from '../session/disposable';
import { Attachments } from './attachments';
import type { FileRules } from './fileRules';
import type { Report } from './log';
import type { OpenSession, Sessions } from './sessions';
import { setting } from './settings';
import type { ClaudeOpener } from './sources/openClaude';
import type { Watcher } from './watcher';

export interface FollowedFilesParts {
  readonly sessions: Sessions;
  readonly watcher: Watcher;
  readonly opener: ClaudeOpener;
  readonly rules: FileRules;
  readonly report: Report;
}

/**
 * Watches the folders that open sessions work in, and for followed sessions the files that their agents used. What
 * has changed is kept as a pending directive until there is a way into the agent.
 */
export class FollowedFiles implements Disposable {
  private readonly attachments: Attachments;

  constructor(private readonly parts: FollowedFilesParts) {
    this.attachments = new Attachments(parts.sessions, (session) => this.attach(session), parts.report);
  }

  /** Begins anew, after a setting changed or the workspace was trusted. */
  renew(): void {
    this.parts.rules.renew();
    this.attachments.renew();
  }

  dispose(): void {
    this.attachments.dispose();
  }

  private attach({ inspected }: OpenSession): Disposable {
    const root = inspected.session.about.workspace;
    // A session file may come from another machine, whose folder is not here.
    const isHere = root !== null && existsSync(root);
    if (!isHere || !workspace.isTrusted || !setting('fileChanges.enabled')) return { dispose: () => undefined };
    const watching = this.parts.watcher.watch(root);
    const file = this.parts.opener.fileOf(inspected);
    // Our own agent's sessions look after their files themselves; they only need the hints.
    if (!file) return watching;
    const following = new Following(root, file, inspected, this.parts);
    return {
      dispose: () => {
        following.dispose();
        watching.dispose();
      },
    };
  }
}

/** The files of one followed session. */
class Following implements Disposable {
  private watch: FileWatch | null = null;
  private readonly listening: Disposable;
  private disposed = false;

  constructor(
    root: string,
    private readonly file: ClaudeSessionFile,
    private readonly inspected: OpenSession['inspected'],
    private readonly parts: FollowedFilesParts,
  ) {
    this.listening = file.onDidChange((change) => {
      if (change.kind === 'files') this.track();
    });
    const begin = async (): Promise<void> => {
      const roots = [await realpath(root), root];
      await file.indexed;
      if (this.disposed) return;
      this.watch = this.begin([...new Set(roots)]);
      this.track();
    };
    begin().catch((error: unknown) => this.parts.report.quietly(error, 'watch the files of a session'));
  }

  dispose(): void {
    this.disposed = true;
    this.listening.dispose();
    this.watch?.dispose();
  }

  private begin(roots: readonly string[]): FileWatch {
    const { watcher, rules, report } = this.parts;
    return new FileWatch({
      session: this.inspected.session,
      roots,
      events: watcher.onDidHear,
      focus: watcher.onDidFocus,
      denied: rules.denies,
      widened: rules.includes,
      enabled: rules.enabled,
      onError: (error) => report.quietly(error, 'look at a file that the agent has read'),
    });
  }

  private track(): void {
    const uses = this.file.files().map(({ path, message, time_ms }) => ({ path, use: message, time_ms }));
    this.watch
      ?.track(uses)
      .catch((error: unknown) => this.parts.report.quietly(error, 'look at the files of a session'));
  }
}
