import type { WebviewCommand } from '../protocol/messages';
import type { PermissionView } from '../protocol/view';
import type { Listen } from './disposable';
import type { InspectedSession } from './inspected';

/** What *Fire now* does or did. */
export interface Fired {
  readonly turn: number;
  readonly starts_turn: boolean;
  readonly others: number;
}

/** What can be done to a session's agent. A refusal rejects with what to do. */
export interface Actions {
  send(session: InspectedSession, text: string): Promise<void>;
  stop(session: InspectedSession): Promise<void> | void;
  permit(id: string, allow: boolean): void;
  fire(session: InspectedSession, reminder_id: string): Promise<Fired> | Fired;
  permissions(session: InspectedSession): readonly PermissionView[];
  readonly onDidChangePermissions: Listen<unknown>;
}

/** A text that is opened in an editor of its own. */
export interface Document {
  readonly name: string;
  readonly text: string;
  readonly language: 'json' | 'markdown' | 'plaintext';
}

/** What needs the editor. */
export interface InspectionHost {
  showDiff(title: string, raw: Document, projected: Document): Promise<void>;
  showText(document: Document): Promise<void>;
  copy(text: string): Promise<void>;
  /** Asks the person first. Only `http`, `https` and `mailto` addresses arrive here. */
  openLink(url: string): Promise<void>;
  run(command: WebviewCommand): Promise<void>;
}
