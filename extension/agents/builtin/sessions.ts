import { realpath } from 'node:fs/promises';
import type { LaneView, SessionStatus, SessionView } from '../../protocol/view';
import type { Disposable, Listen } from '../../session/disposable';
import { Emitter } from '../../session/disposable';
import type { InspectedSession, LaneReader, SessionChange } from '../../session/inspected';
import type { OwnLoop } from '../../session/ownSession';
import { inspectOwn } from '../../session/ownSession';
import type { Session } from '../../session/session';
import type { SessionStore, StoredSession } from '../../session/store';
import type { FileEvent } from '../files/watch';
import { FileWatch } from '../files/watch';
import { AgentLoop, UNTITLED } from './loop';
import type { ModelClient } from './model';
import { repairSession } from './repair';
import { ToolFault } from './tools/fault';
import type { Workspace } from './tools/workspace';
import { openWorkspace } from './tools/workspace';

export interface BuiltinOptions {
  readonly store: SessionStore;
  /** The model of a session for which none was set; null: a person must choose one. */
  readonly models: () => ModelClient | null;
  /** What may have happened to files of the workspace. */
  readonly fileEvents: Listen<FileEvent>;
  /** The person came back to the window. */
  readonly focus?: Listen<void>;
  /** Paths that are never named to a model; from the workspace folder, with forward slashes. */
  readonly denied: (path: string) => boolean;
  readonly widened?: (path: string) => boolean;
  /** False: file changes are not reported. */
  readonly fileChanges?: () => boolean;
  readonly onError: (error: unknown) => void;
  /** Most answers in a row. */
  readonly limit?: number;
}

/** A session of our own agent: what the inspector shows of it, and its loop. Dispose it once for each time it was opened. */
export class BuiltinSession implements InspectedSession {
  readonly onDidChange: Listen<SessionChange>;
  private uses = 1;

  constructor(
    private readonly inspected: InspectedSession,
    readonly session: Session,
    readonly loop: AgentLoop,
    readonly files: FileWatch,
    private readonly closed: () => void,
  ) {
    this.onDidChange = inspected.onDidChange;
  }

  get id(): string {
    return this.session.id;
  }

  get view(): SessionView {
    return this.inspected.view;
  }

  get lanes(): readonly LaneView[] {
    return this.inspected.lanes;
  }

  get issues(): InspectedSession['issues'] {
    return this.inspected.issues;
  }

  get progress(): number | null {
    return this.inspected.progress;
  }

  get window(): number | null {
    return this.inspected.window;
  }

  get own(): boolean {
    return true;
  }

  reader(lane: string): LaneReader | undefined {
    return this.inspected.reader(lane);
  }

  retain(): this {
    this.uses += 1;
    return this;
  }

  /** The last user lets go of it: it is closed once its loop is idle, so that closing a panel stops no agent. */
  dispose(): void {
    this.uses -= 1;
    if (this.uses === 0) void this.loop.settled().then(() => this.closeUnused());
  }

  /** Stops the loop and closes the session, whoever uses it. */
  async close(): Promise<void> {
    this.uses = 0;
    await this.loop.stop();
    this.closeUnused();
  }

  private closeUnused(): void {
    if (this.uses !== 0) return;
    this.uses = -1;
    this.files.dispose();
    this.loop.dispose();
    this.inspected.dispose();
    this.session.dispose();
    this.closed();
  }
}

/** The sessions of our own agent. */
export class BuiltinSessions implements Disposable {
  private readonly opened = new Map<string, Promise<BuiltinSession>>();

  constructor(private readonly options: BuiltinOptions) {}

  /** Begins a session in a workspace folder. Its first message gives it its title where none is given. */
  async create(about: {
    readonly workspace: string;
    readonly title?: string;
    readonly model?: ModelClient | null;
  }): Promise<BuiltinSession> {
    const session = await this.options.store.create({
      title: about.title ?? UNTITLED,
      agent: 'Own agent',
      own: true,
      workspace: about.workspace,
      source: null,
    });
    const opened = await this.keep(session.id, this.begin(session));
    if (about.model !== undefined) opened.loop.setModel(about.model);
    return opened;
  }

  /** Opens a session again; the same object while it is open. One that ended in the middle of a turn is put in order. */
  async open(id: string): Promise<BuiltinSession> {
    const known = this.opened.get(id);
    if (known !== undefined) return (await known).retain();
    return this.keep(
      id,
      this.options.store.open(id).then(async (session) => {
        const opened = await this.begin(session);
        // Nobody watched the files while the session was closed.
        opened.files.look().catch((error: unknown) => this.options.onError(error));
        return opened;
      }),
    );
  }

  /** The session where it is open here, without opening it. */
  async find(id: string): Promise<BuiltinSession | null> {
    return (await this.opened.get(id)) ?? null;
  }

  /** Our own sessions, the one that changed last first. */
  async list(): Promise<readonly StoredSession[]> {
    return (await this.options.store.list()).filter((summary) => summary.own);
  }

  /** Stops every loop and closes every session; resolves when all are closed. */
  async closeAll(): Promise<void> {
    const opening = [...this.opened.values()];
    for (const one of await Promise.allSettled(opening)) {
      if (one.status === 'fulfilled') await one.value.close();
    }
  }

  dispose(): void {
    this.closeAll().catch((error: unknown) => this.options.onError(error));
  }

  private async keep(id: string, opening: Promise<BuiltinSession>): Promise<BuiltinSession> {
    this.opened.set(id, opening);
    try {
      return await opening;
    } catch (error) {
      this.opened.delete(id);
      throw error;
    }
  }

  private async begin(session: Session): Promise<BuiltinSession> {
    try {
      repairSession(session);
    } catch (error) {
      session.dispose();
      throw error;
    }
    const { workspace, problem, roots } = await workspaceOf(session);
    const { denied, widened, focus, fileChanges, onError } = this.options;
    const files = new FileWatch({
      session,
      roots,
      events: this.options.fileEvents,
      denied,
      onError,
      ...(widened === undefined ? {} : { widened }),
      ...(focus === undefined ? {} : { focus }),
      ...(fileChanges === undefined ? {} : { enabled: fileChanges }),
    });
    const { limit } = this.options;
    const loop = new AgentLoop({
      session,
      workspace,
      files,
      models: this.options.models,
      look: () => files.look(),
      onError,
      ...(limit === undefined ? {} : { limit }),
    });
    const inspected = inspectOwn(session, new LoopFace(session, loop, problem, onError), onError);
    return new BuiltinSession(inspected, session, loop, files, () => this.opened.delete(session.id));
  }
}

/** A loop as the session's view needs it. */
class LoopFace implements OwnLoop {
  readonly onDidChange: Listen<void>;

  constructor(
    private readonly session: Session,
    private readonly loop: AgentLoop,
    private readonly problem: string | null,
    onError: (error: unknown) => void,
  ) {
    const changed = new Emitter<void>(onError);
    this.onDidChange = changed.event;
    loop.onDidChange(() => changed.fire());
  }

  get status(): SessionStatus {
    return this.loop.status;
  }

  get model(): string | null {
    return this.loop.client?.name ?? null;
  }

  get window(): number | null {
    return this.loop.client?.window ?? null;
  }

  get no_composer(): string | null {
    return this.session.readOnly ?? this.problem;
  }
}

interface OpenedWorkspace {
  readonly workspace: Workspace;
  /** Why the agent cannot work there, and what to do; null: it can. */
  readonly problem: string | null;
  readonly roots: readonly string[];
}

/** The folder of a session; where it is gone the session can still be read. */
async function workspaceOf(session: Session): Promise<OpenedWorkspace> {
  const folder = session.about.workspace;
  try {
    if (folder === null) throw new ToolFault('This session has no workspace folder.');
    const workspace = await openWorkspace(folder);
    return { workspace, problem: null, roots: [await realpath(folder), folder] };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const problem = `The folder of this session (${folder ?? 'none'}) cannot be opened. Put it back, or start a new session.`;
    const refuse = (): Promise<never> => Promise.reject(new ToolFault('The workspace folder is not there any more.'));
    return { workspace: { root: folder ?? '', resolve: refuse }, problem, roots: [] };
  }
}
