import type { InspectorView, PolicyView } from '../protocol/view';
import type { Method, Params, Result, Tab, ToWebview } from '../protocol/messages';
import { maskSecrets } from '../engine/rows/mask';
import type { Actions, InspectionHost } from './actions';
import { Answers } from './answers';
import type { Selection } from './answers';
import type { Disposable } from './disposable';
import type { InspectedSession } from './inspected';
import { policyViews } from './policies';
import type { SignatureSetting } from './policies';
import { rowTotal } from './listing';
import { emptyView, viewOf } from './inspectorView';
import { Perspective } from './perspective';
import type { KeptPerspective, PerspectiveDeps } from './perspective';

export interface InspectionDeps extends Omit<PerspectiveDeps, 'changed' | 'respect_provider_signatures'> {
  readonly respect_provider_signatures: SignatureSetting;
  post(message: ToWebview): void;
  /** Calls back soon, once: many changes become one view. */
  schedule(work: () => void): Disposable;
  /** What was chosen for a session when it was last looked at. */
  recall(session_id: string): KeptPerspective | null;
  keep(session_id: string, kept: KeptPerspective): void;
  readonly actions: Actions;
  readonly host: InspectionHost;
}

/** One inspector: the session that is looked at, the view of it, and the answers to what its window asks. */
export class Inspection implements Selection, Disposable {
  private current: Perspective | null = null;
  private selected: InspectedSession | null = null;
  private changes = 1;
  private failure: string | null = null;
  private posting: Disposable | null = null;
  private isReady = false;
  private isDisposed = false;
  private readonly policies: readonly PolicyView[];
  private readonly answers: Answers;
  private readonly listening: Disposable;
  private following: Disposable | null = null;
  private latest: InspectorView | null = null;

  constructor(private readonly deps: InspectionDeps) {
    this.policies = policyViews(deps.respect_provider_signatures);
    this.answers = new Answers(this, deps);
    this.listening = deps.actions.onDidChangePermissions(() => this.changed());
  }

  get session(): InspectedSession | null {
    return this.selected;
  }

  get perspective(): Perspective | null {
    return this.current;
  }

  get revision(): number {
    return this.changes;
  }

  /** The view as it is now. */
  get view(): InspectorView {
    if (this.latest?.revision === this.revision) return this.latest;
    const { selected, perspective, revision, policies, failure } = this;
    const permissions = selected ? this.deps.actions.permissions(selected) : [];
    const masked = permissions.map((permission) => ({
      ...permission,
      title: maskSecrets(permission.title),
      detail: maskSecrets(permission.detail),
    }));
    const surroundings = { revision, policies, permissions: masked, error: failure };
    this.latest = perspective ? viewOf(perspective, surroundings) : emptyView(surroundings, selected);
    return this.latest;
  }

  /** Shows another session, or none. */
  show(session: InspectedSession | null): void {
    if (session === this.selected) return;
    this.close();
    this.failure = null;
    this.selected = session;
    if (session) {
      this.look(session);
      this.following = session.onDidChange((change) => {
        if (this.perspective) this.perspective.sessionChanged(change);
        else this.look(session);
        this.changed();
      });
    }
    this.changed();
  }

  /** Takes anything that the window posted. Never throws; what is malformed is answered with what is wrong. */
  receive(message: unknown): void {
    this.answer(message).catch((error: unknown) => this.deps.onError(error));
  }

  /** Answers a request, for the host's own commands as for the window's. */
  request<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    return this.answers.answer(method, params);
  }

  /** Something that is shown changed: the window hears of it soon. */
  readonly changed = (): void => {
    if (this.isDisposed) return;
    this.changes++;
    this.latest = null;
    this.posting ??= this.deps.schedule(() => {
      this.posting = null;
      this.postView();
    });
  };

  /** What the person chose is kept for the next time. */
  choiceChanged(): void {
    if (this.selected && this.perspective) this.deps.keep(this.selected.id, this.perspective.kept());
    this.changed();
  }

  /** Shows an error until it is mended; null takes it away. */
  fail(text: string | null): void {
    if (text === this.failure) return;
    this.failure = text;
    this.changed();
  }

  /** Scrolls the window to a message of the lane; false when it is filtered out or not there. */
  async revealMessage(message: number): Promise<boolean> {
    const { row } = await this.request('locate', { message });
    if (row === null) return false;
    this.deps.post({ type: 'tab', tab: 'transcript' });
    this.deps.post({ type: 'reveal', row });
    return true;
  }

  /** Scrolls the window to the envelope that delivered a directive, or to what is pending; else opens the list. */
  async revealDirective(reminder_id: string): Promise<void> {
    const listing = this.perspective?.filtered.listing;
    if (
      listing?.pending.some((directive) => directive.reminder_id === reminder_id) &&
      !this.perspective?.filtered.rows
    ) {
      this.deps.post({ type: 'tab', tab: 'transcript' });
      this.deps.post({ type: 'reveal', row: rowTotal(listing) - 1 });
      return;
    }
    const message = this.selected?.session.messageOfReminder(reminder_id) ?? null;
    if (message === null || !(await this.revealMessage(message))) this.openTab('directives');
  }

  openTab(tab: Tab): void {
    this.deps.post({ type: 'tab', tab });
  }

  focus(target: 'search' | 'composer' | 'policy' | 'form'): void {
    this.deps.post({ type: 'focus', target });
  }

  /** Settles when nothing is being computed. */
  async settled(): Promise<void> {
    await this.perspective?.settled();
  }

  dispose(): void {
    this.isDisposed = true;
    this.close();
    this.posting?.dispose();
    this.posting = null;
    this.listening.dispose();
  }

  /** Looks at the session's transcript, if it has one by now. */
  private look(session: InspectedSession): void {
    if (session.lanes.length > 0)
      this.current = new Perspective(session, this.perspectiveDeps(), this.deps.recall(session.id));
  }

  private perspectiveDeps(): PerspectiveDeps {
    const { createHash, onError, respect_provider_signatures, policy } = this.deps;
    const pause = (): Promise<void> => this.deps.pause();
    return { createHash, pause, onError, respect_provider_signatures, policy, changed: this.changed };
  }

  private close(): void {
    this.answers.stop();
    this.following?.dispose();
    this.following = null;
    this.perspective?.dispose();
    this.current = null;
    this.selected = null;
  }

  private postView(): void {
    if (this.isReady && !this.isDisposed) this.deps.post({ type: 'view', view: this.view });
  }

  private async answer(message: unknown): Promise<void> {
    const { checkMessage } = await import('../protocol/validate');
    const checked = checkMessage(message);
    if (this.isDisposed) return;
    switch (checked.kind) {
      case 'ready':
        this.isReady = true;
        this.postView();
        return;
      case 'failed':
        this.deps.onError(new Error(`The inspector's window failed: ${checked.message}`));
        return;
      case 'malformed':
        if (checked.id === null) this.deps.onError(new Error(checked.error));
        else this.deps.post({ type: 'failure', id: checked.id, error: checked.error });
        return;
      case 'request': {
        const { id, request } = checked;
        let reply: ToWebview;
        try {
          reply = { type: 'answer', id, result: await this.answers.answer(request.method, request.params) };
        } catch (error) {
          reply = { type: 'failure', id, error: error instanceof Error ? error.message : String(error) };
        }
        if (!this.isDisposed) this.deps.post(reply);
      }
    }
  }
}
