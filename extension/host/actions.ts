import { commands, env, Uri, window } from 'vscode';
import { decideFireNow } from '../engine/reminders/fireNow';
import type { FirePreview } from '../engine/reminders/fireNow';
import type { AgentLoop } from '../agents/builtin/loop';
import type { PermissionView } from '../protocol';
import type { Disposable } from '../session/disposable';
import { Emitter } from '../session/disposable';
import type { InspectedSession } from '../session/inspected';
import type { Actions, InspectionHost } from '../session/actions';
import type { Documents } from './documents';
import { noOwnSession, notTrusted, permissionGone } from './errors';
import type { Report } from './log';
import { commandId } from './names';

/** Makes sure that a loop has a model to talk to; throws a `UserError` where it cannot. */
export type EnsureModel = (session: InspectedSession, loop: AgentLoop) => Promise<void>;

/** What is done to the agent of a session. */
export class AgentActions implements Actions, Disposable {
  private readonly permissionsChanged: Emitter<void>;
  private readonly listening = new Map<AgentLoop, Disposable>();
  private readonly asked = new Set<string>();

  constructor(
    private readonly loopOf: (session: InspectedSession) => AgentLoop | null,
    private readonly ensureModel: EnsureModel,
    private readonly trusted: () => boolean,
    /** True: the person sees the question in the inspector already. */
    private readonly seen: () => boolean,
    private readonly report: Report,
  ) {
    this.permissionsChanged = new Emitter((error) => report.quietly(error, 'tell of a permission'));
  }

  get onDidChangePermissions(): Emitter<void>['event'] {
    return this.permissionsChanged.event;
  }

  /** Follows a loop's questions, until it is gone. */
  follow(loop: AgentLoop): Disposable {
    let before = '';
    const listening = loop.onDidChange(({ permissions }) => {
      const now = permissions.map(({ id }) => id).join(' ');
      if (now === before) return;
      before = now;
      this.permissionsChanged.fire();
      for (const permission of permissions) this.ask(loop, permission);
    });
    this.listening.set(loop, listening);
    return {
      dispose: () => {
        listening.dispose();
        this.listening.delete(loop);
      },
    };
  }

  async send(session: InspectedSession, text: string): Promise<void> {
    const loop = this.own(session);
    if (!this.trusted()) throw notTrusted();
    await this.ensureModel(session, loop);
    await loop.send(text);
  }

  async stop(session: InspectedSession): Promise<void> {
    await this.own(session).stop();
  }

  permit(id: string, allow: boolean): void {
    for (const loop of this.listening.keys()) {
      if (loop.view.permissions.some((permission) => permission.id === id)) return loop.permit(id, allow);
    }
    throw permissionGone();
  }

  async fire(session: InspectedSession, reminder_id: string): Promise<FirePreview> {
    const loop = this.loopOf(session);
    if (!loop) return session.session.decide((state) => decideFireNow(state, reminder_id));
    if (!this.trusted()) throw notTrusted();
    if (loop.firePreview(reminder_id).starts_turn) await this.ensureModel(session, loop);
    return loop.fire(reminder_id);
  }

  permissions(session: InspectedSession): readonly PermissionView[] {
    return this.loopOf(session)?.view.permissions ?? [];
  }

  dispose(): void {
    for (const listening of this.listening.values()) listening.dispose();
    this.listening.clear();
    this.permissionsChanged.dispose();
  }

  private own(session: InspectedSession): AgentLoop {
    const loop = this.loopOf(session);
    if (!loop) throw noOwnSession();
    return loop;
  }

  /** Asks with a notification where the inspector is not in sight. Answered there or here, it counts once. */
  private ask(loop: AgentLoop, permission: PermissionView): void {
    if (this.asked.has(permission.id) || this.seen()) return;
    this.asked.add(permission.id);
    void window
      .showInformationMessage(`The agent asks: ${permission.title}`, 'Allow', 'Deny', 'Show')
      .then(async (answer) => {
        this.asked.delete(permission.id);
        if (answer === undefined) return;
        if (answer === 'Show') await commands.executeCommand(commandId('openInspector'));
        else if (loop.view.permissions.some(({ id }) => id === permission.id))
          loop.permit(permission.id, answer === 'Allow');
      })
      .then(undefined, (error: unknown) => this.report(error, 'pass on your answer'));
  }
}

/** What the inspector asks of VS Code. */
export function hostOf(documents: Documents): InspectionHost {
  return {
    showDiff: (title, raw, projected) => documents.showDiff(title, raw, projected),
    showText: (document) => documents.show(document),
    copy: async (text) => {
      await env.clipboard.writeText(text);
    },
    openLink: async (url) => {
      const open = 'Open';
      const answer = await window.showWarningMessage(
        'Open a link from a transcript?',
        { modal: true, detail: `${url}\n\nTranscripts may hold links that somebody else put there.` },
        open,
      );
      if (answer === open) await env.openExternal(Uri.parse(url, true));
    },
    run: async (command) => {
      await commands.executeCommand(commandId(command));
    },
  };
}
