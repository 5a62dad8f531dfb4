import type { Memento } from 'vscode';
import type { KeptPerspective } from '../session/perspective';

const viewsKey = 'views';

/** For how many sessions it is remembered what was looked at. */
const most = 100;

/** What a person chose to look at in each session, kept while the window is reloaded. */
export class KeptViews {
  constructor(
    private readonly memento: Memento,
    private readonly onError: (error: unknown) => void,
  ) {}

  readonly recall = (session_id: string): KeptPerspective | null =>
    this.views.find(([id]) => id === session_id)?.[1] ?? null;

  readonly keep = (session_id: string, kept: KeptPerspective): void => {
    const others = this.views.filter(([id]) => id !== session_id);
    this.memento
      .update(viewsKey, [...others, [session_id, kept]].slice(-most))
      .then(undefined, (error: unknown) => this.onError(error));
  };

  private get views(): readonly (readonly [string, KeptPerspective])[] {
    return this.memento.get<readonly (readonly [string, KeptPerspective])[]>(viewsKey, []);
  }
}
