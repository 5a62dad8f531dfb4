import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { Uri, window, workspace } from 'vscode';
import type { AgentLoop } from '../agents/builtin/loop';
import { noFolder, noModelChosen, noOwnSession, notTrusted } from './errors';
import type { Inspector } from './inspector';
import { scripted } from './models';
import type { ModelChoice, Models } from './models';
import type { OpenSession, Sessions } from './sessions';
import { setting } from './settings';
import { claudeKey } from './sources/claude';
import { fileKey } from './sources/files';
import type { FilesSource } from './sources/files';
import type { OwnSource } from './sources/own';

/** What people start and end: sessions of our own agent, and files of others. */
export class Work {
  constructor(
    private readonly sessions: Sessions,
    private readonly inspector: Inspector,
    private readonly own: OwnSource,
    private readonly files: FilesSource,
    private readonly models: Models,
    private readonly sample: { readonly from: string; readonly to: string },
  ) {}

  /** Begins a session of our own agent and shows it; with a scenario set, the scripted model plays it. */
  async newSession(): Promise<OpenSession> {
    const folder = await this.folder();
    const scenario = setting('scenario');
    const played = scenario === '' ? null : await scripted(scenario, folder);
    const choice: ModelChoice | null = played ? { kind: 'scripted', scenario } : null;
    return this.begin(null, folder, choice, played?.model ?? null);
  }

  /**
   * Starts the session that needs no model: the workspace's own scenario where the settings name one, else the sample
   * that comes with the extension, in a folder of its own.
   */
  async startSample(): Promise<OpenSession> {
    if (!workspace.isTrusted) throw notTrusted();
    const named = setting('scenario');
    const folder = named === '' ? await this.copySample() : await this.folder();
    const scenario = named === '' ? join(folder, 'scenario.json') : named;
    const played = await scripted(scenario, folder);
    const { name, opening } = played.scenario;
    // Without a first message there is nothing else to name the session by.
    const title = opening === undefined ? name : null;
    const session = await this.begin(title, folder, { kind: 'scripted', scenario }, played.model);
    const loop = this.loopOf(session);
    if (opening !== undefined) await loop.send(opening);
    return session;
  }

  /** A session for a chat: the one it used before, or a new one. It is selected and its loop is handed out. */
  async openForChat(id: string | null): Promise<{ session: OpenSession; loop: AgentLoop }> {
    if (!workspace.isTrusted) throw notTrusted();
    const known =
      id === null ? undefined : this.sessions.entries.find((entry) => entry.group === 'own' && entry.id === id);
    const session = known
      ? await this.sessions.select(known.key)
      : await this.begin(null, await this.folder(), null, null, false);
    return { session, loop: this.loopOf(session) };
  }

  /** Gives the loop a model where it has none, by asking the person. */
  readonly ensureModel = async (session: { readonly id: string }, loop: AgentLoop): Promise<void> => {
    if (loop.view.model !== null) return;
    const chosen = await this.models.choose();
    if (!chosen) throw noModelChosen();
    await this.models.remember(session.id, chosen.choice);
    loop.setModel(chosen.model);
  };

  async chooseModel(session: OpenSession): Promise<void> {
    const loop = this.loopOf(session);
    const chosen = await this.models.choose();
    if (!chosen) return;
    await this.models.remember(session.inspected.id, chosen.choice);
    loop.setModel(chosen.model);
  }

  /** Opens session files, and shows the last one. One that is in the list already is only selected. */
  async openFiles(files: readonly string[]): Promise<void> {
    const last = files.at(-1);
    if (last === undefined) return;
    const isListed = (file: string): boolean => this.sessions.entry(claudeKey(file)) !== undefined;
    const added = files.filter((file) => !isListed(file));
    const kept = this.files.add(added);
    // VS Code takes its time to build a page, so it begins before the file is looked at.
    this.inspector.open({ waits: true });
    try {
      for (const file of added) this.sessions.include(await this.files.entry(file));
      await this.sessions.select(isListed(last) ? claudeKey(last) : fileKey(last));
    } finally {
      this.inspector.showSelected();
      await kept;
    }
  }

  async forgetFile(key: string, file: string): Promise<void> {
    await this.sessions.close(key);
    await this.files.forget(file);
    await this.sessions.refresh();
  }

  async deleteSession(key: string, id: string, file: string): Promise<void> {
    await this.sessions.close(key);
    await this.own.remove(id);
    try {
      await workspace.fs.delete(Uri.file(`${file}.removed`), { useTrash: true });
    } catch (error) {
      // No trash here (a server has none): the log stays beside, out of the list.
      if (!(error instanceof Error)) throw error;
    }
    await this.sessions.refresh();
  }

  private async begin(
    title: string | null,
    folder: string,
    choice: ModelChoice | null,
    model: Parameters<OwnSource['create']>[3],
    show = true,
  ): Promise<OpenSession> {
    const key = await this.own.create(title, folder, choice, model);
    await this.sessions.refresh();
    if (show) this.inspector.open();
    return this.sessions.select(key);
  }

  private loopOf(session: OpenSession): AgentLoop {
    const loop = this.own.loopOf(session.inspected);
    if (!loop) throw noOwnSession();
    return loop;
  }

  private async folder(): Promise<string> {
    if (!workspace.isTrusted) throw notTrusted();
    const folders = workspace.workspaceFolders ?? [];
    const [only] = folders;
    if (!only) throw noFolder();
    const folder =
      folders.length === 1
        ? only
        : await window.showWorkspaceFolderPick({ placeHolder: 'The folder in which the agent works' });
    if (!folder) throw noFolder();
    return folder.uri.fsPath;
  }

  /** The sample is copied for each session anew, since its agent changes files. */
  private async copySample(): Promise<string> {
    const folder = join(this.sample.to, `sample-${Date.now().toString(36)}`);
    await cp(this.sample.from, folder, { recursive: true });
    return folder;
  }
}
