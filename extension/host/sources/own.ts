import type { AgentLoop } from '../../agents/builtin/loop';
import type { ModelClient } from '../../agents/builtin/model';
import type { BuiltinSession, BuiltinSessions } from '../../agents/builtin/sessions';
import { Emitter } from '../../session/disposable';
import type { InspectedSession } from '../../session/inspected';
import type { SessionStore } from '../../session/store';
import type { Listing, SessionEntry, Source } from '../entry';
import type { ModelChoice, Models } from '../models';

/** Key of a session of our own agent in the list. */
export function ownKey(id: string): string {
  return `own:${id}`;
}

/** The sessions of our own agent, from their logs in the extension's storage. */
export class OwnSource implements Source {
  readonly group = 'own';
  private readonly changed: Emitter<void>;
  private readonly loops = new WeakMap<InspectedSession, AgentLoop>();
  /** Begun and not opened yet. */
  private readonly created = new Map<string, BuiltinSession>();

  constructor(
    private readonly builtin: BuiltinSessions,
    private readonly store: SessionStore,
    private readonly models: Models,
    private readonly folder: string,
    private readonly onError: (error: unknown) => void,
  ) {
    this.changed = new Emitter(onError);
  }

  get onDidChange(): Emitter<void>['event'] {
    return this.changed.event;
  }

  loopOf(session: InspectedSession): AgentLoop | null {
    return this.loops.get(session) ?? null;
  }

  async list(): Promise<Listing> {
    const summaries = await this.store.list();
    const entries = summaries
      .filter((summary) => summary.own || summary.problem !== null)
      .map((summary): SessionEntry => ({
        key: ownKey(summary.id),
        group: 'own',
        id: summary.id,
        file: summary.file,
        title: summary.title,
        status: summary.problem === null ? 'idle' : null,
        modified_ms: summary.changed_ms,
        parent: null,
        problem: summary.problem,
      }));
    return { entries, problems: [], where: [] };
  }

  async open(entry: SessionEntry): Promise<InspectedSession> {
    const created = this.created.get(entry.id);
    this.created.delete(entry.id);
    const session = created ?? (await this.builtin.open(entry.id));
    const choice = this.models.choiceOf(entry.id);
    if (choice && session.loop.view.model === null) {
      // A model that is gone is asked for again with the next message.
      const workspace = session.session.about.workspace ?? this.folder;
      session.loop.setModel(await this.models.resolve(choice, workspace).catch(this.failed));
    }
    this.loops.set(session, session.loop);
    return session;
  }

  /** Begins a session: its log is on disk when this resolves. The list opens it under the key that is returned. */
  async create(
    title: string | null,
    workspace: string,
    choice: ModelChoice | null,
    model: ModelClient | null,
  ): Promise<string> {
    const session = await this.builtin.create({ workspace, model, ...(title !== null && { title }) });
    await this.models.remember(session.id, choice);
    this.created.set(session.id, session);
    return ownKey(session.id);
  }

  /** Stops and closes a session and takes its log off the list, to `<file>.removed`. */
  async remove(id: string): Promise<void> {
    const open = await this.builtin.find(id);
    await open?.close();
    await this.store.remove(id);
    await this.models.remember(id, null);
  }

  dispose(): void {
    for (const session of this.created.values()) session.dispose();
    this.builtin.dispose();
    this.changed.dispose();
  }

  private readonly failed = (error: unknown): null => {
    this.onError(error);
    return null;
  };
}
