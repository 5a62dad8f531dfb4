import { commands } from 'vscode';
import type { InspectorView } from '../protocol';
import type { Disposable } from '../session/disposable';
import { isDelivered } from './directivesTree';
import type { Inspector } from './inspector';
import type { Report } from './log';
import { contextKey, contextKeys } from './names';
import type { ContextKeys } from './names';
import type { OpenSession, Sessions } from './sessions';

/** Keeps VS Code's context keys true, so that the palette and the menus show only what can be done. */
export class Context implements Disposable {
  private readonly known = new Map<keyof ContextKeys, boolean>();
  private readonly subscriptions: readonly Disposable[];
  private view: InspectorView | null = null;

  constructor(
    private readonly sessions: Sessions,
    inspector: Inspector,
    private readonly trusted: () => boolean,
    private readonly report: Report,
  ) {
    this.subscriptions = [
      sessions.onDidSelect(() => this.update()),
      sessions.onDidChangeSelected(() => this.update()),
      sessions.onDidChangeEntries(() => this.update()),
      inspector.onDidChangeView((view) => {
        this.view = view;
        this.update();
      }),
    ];
    this.update();
  }

  /** Works the keys out again, for what is not heard of otherwise. */
  update(): void {
    const keys = keysOf(this.sessions, this.sessions.selected, this.view, this.trusted());
    for (const key of contextKeys) {
      if (this.known.get(key) === keys[key]) continue;
      this.known.set(key, keys[key]);
      commands
        .executeCommand('setContext', contextKey(key), keys[key])
        .then(undefined, (error: unknown) => this.report.quietly(error, 'tell VS Code what can be done'));
    }
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

function keysOf(
  sessions: Sessions,
  selected: OpenSession | null,
  shown: InspectorView | null,
  trusted: boolean,
): ContextKeys {
  const inspected = selected?.inspected;
  const directives = inspected?.session.directives() ?? [];
  const messages = inspected?.lanes.reduce((most, lane) => Math.max(most, lane.messages ?? 0), 0) ?? 0;
  // The panel may still show the session before; then what it says does not count.
  const view = shown && shown.session?.id === inspected?.view.id ? shown : null;
  return {
    looking: !sessions.listed,
    hasSession: inspected !== undefined,
    ownSession: inspected?.own ?? false,
    canSend: trusted && inspected !== undefined && inspected.view.no_composer === null,
    running: inspected !== undefined && inspected.own && inspected.view.status === 'running',
    canApply: view?.projection.can_apply ?? false,
    canRevoke: directives.some((directive) => directive.can_revoke),
    canFire: trusted && directives.some((directive) => directive.can_fire),
    canCorrect: directives.some(isDelivered),
    hasTurns: (view?.turn.count ?? messages) > 0,
    hasMessages: messages > 0,
    hasHash: view !== null && view.projection.prefix_hash !== null,
    hasLanes: (inspected?.lanes.length ?? 0) > 1,
    hasIssues: (inspected?.issues.total ?? 0) > 0,
  };
}
