import { Uri, ViewColumn, window } from 'vscode';
import type { WebviewPanel, WebviewPanelSerializer } from 'vscode';
import type { InspectorView, ToWebview } from '../protocol';
import type { Disposable } from '../session/disposable';
import { Emitter } from '../session/disposable';
import type { Inspection } from '../session/inspection';
import type { Report } from './log';
import { panelType } from './names';
import { pageOf, webviewRoot } from './page';
import type { Sessions } from './sessions';

/** What a command wants shown; kept until the page is there to show it. */
type Wish = Extract<ToWebview, { readonly type: 'reveal' | 'tab' | 'focus' }>;

interface Shown {
  readonly panel: WebviewPanel;
  readonly inspection: Inspection;
  readonly subscriptions: readonly Disposable[];
  readonly wishes: Wish[];
  /** The page has said that it is there; false again while it is hidden, since VS Code lets go of it then. */
  ready: boolean;
}

/** The inspector's panel: at most one, brought back after a reload, with everything of it let go when it closes. */
export class Inspector implements WebviewPanelSerializer, Disposable {
  private shown: Shown | null = null;
  private readonly changed: Emitter<InspectorView | null>;
  private readonly subscriptions: Disposable[];

  constructor(
    private readonly extension: Uri,
    private readonly sessions: Sessions,
    private readonly inspect: (post: (message: ToWebview) => void) => Inspection,
    private readonly report: Report,
  ) {
    this.changed = new Emitter((error) => report.quietly(error, 'tell of a change of the view'));
    this.subscriptions = [
      this.changed,
      window.registerWebviewPanelSerializer(panelType, this),
      sessions.onDidSelect((session) => this.shown?.inspection.show(session?.inspected ?? null)),
    ];
  }

  /** What is shown above the rows changed; null: the panel was closed. */
  get onDidChangeView(): Emitter<InspectorView | null>['event'] {
    return this.changed.event;
  }

  get inspection(): Inspection | null {
    return this.shown?.inspection ?? null;
  }

  get visible(): boolean {
    return this.shown?.panel.visible ?? false;
  }

  /** Opens the panel, or brings it to the front. One that `waits` shows nothing before a session is selected. */
  open({ waits = false } = {}): Inspection {
    if (this.shown) {
      this.shown.panel.reveal();
      return this.shown.inspection;
    }
    const panel = window.createWebviewPanel(panelType, 'Inspector', ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [webviewRoot(this.extension)],
    });
    return this.attach(panel, waits);
  }

  /** Shows the selected session, where the panel waited for it. */
  showSelected(): void {
    this.shown?.inspection.show(this.sessions.selected?.inspected ?? null);
  }

  /** Shows a row, a tab or a field as soon as the page is there. */
  wish(wish: Wish): void {
    const { shown } = this;
    if (!shown) return;
    if (shown.ready) void shown.panel.webview.postMessage(wish);
    else shown.wishes.push(wish);
  }

  /** Says in the inspector what went wrong with the session; null: nothing any more. */
  fail(text: string | null): void {
    this.shown?.inspection.fail(text);
  }

  deserializeWebviewPanel(panel: WebviewPanel): Promise<void> {
    if (this.shown) {
      panel.dispose();
      return Promise.resolve();
    }
    panel.webview.options = { enableScripts: true, localResourceRoots: [webviewRoot(this.extension)] };
    this.attach(panel);
    return Promise.resolve();
  }

  dispose(): void {
    this.shown?.panel.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private attach(panel: WebviewPanel, waits = false): Inspection {
    const inspection = this.inspect((message) => this.post(panel, message));
    const subscriptions = [
      inspection,
      panel.webview.onDidReceiveMessage((message: unknown) => this.receive(panel, message)),
      panel.onDidChangeViewState(() => {
        if (this.shown?.panel === panel && !panel.visible) this.shown.ready = false;
      }),
    ];
    this.shown = { panel, inspection, subscriptions, wishes: [], ready: false };
    panel.onDidDispose(() => this.detach(panel));
    panel.iconPath = {
      light: Uri.joinPath(this.extension, 'media', 'inspector-light.svg'),
      dark: Uri.joinPath(this.extension, 'media', 'inspector-dark.svg'),
    };
    panel.webview.html = pageOf(panel.webview, this.extension);
    if (!waits) this.showSelected();
    return inspection;
  }

  private detach(panel: WebviewPanel): void {
    if (this.shown?.panel !== panel) return;
    const { subscriptions } = this.shown;
    this.shown = null;
    for (const subscription of subscriptions) subscription.dispose();
    this.changed.fire(null);
  }

  private receive(panel: WebviewPanel, message: unknown): void {
    const { shown } = this;
    if (shown?.panel !== panel) return;
    shown.inspection.receive(message);
    if (!isReady(message)) return;
    shown.ready = true;
    for (const wish of shown.wishes.splice(0)) void panel.webview.postMessage(wish);
  }

  private post(panel: WebviewPanel, message: ToWebview): void {
    if (message.type === 'view') {
      panel.title = message.view.session ? `Inspector: ${message.view.session.title}` : 'Inspector';
      this.changed.fire(message.view);
    }
    if (message.type === 'reveal' || message.type === 'tab' || message.type === 'focus') return this.wish(message);
    panel.webview
      .postMessage(message)
      .then(undefined, (error: unknown) => this.report.quietly(error, 'reach the inspector'));
  }
}

function isReady(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
}
