import type { SessionStatus } from '../protocol/view';
import type { Disposable, Listen } from '../session/disposable';
import type { InspectedSession } from '../session/inspected';

/** The groups of the *Sessions* view, in its order. */
export const groups = ['own', 'claude', 'files'] as const;
export type Group = (typeof groups)[number];

/** A session as the list knows it, before it is opened. */
export interface SessionEntry {
  /** Stable over reloads; begins with the group. */
  readonly key: string;
  readonly group: Group;
  /** The agent's own id of the session. */
  readonly id: string;
  readonly file: string;
  readonly title: string;
  readonly status: SessionStatus | null;
  readonly modified_ms: number | null;
  /** Key of the session whose sub-agent this is. */
  readonly parent: string | null;
  /** Why it cannot be opened, and what to do. */
  readonly problem: string | null;
}

/** A place where sessions come from. */
export interface Source extends Disposable {
  readonly group: Group;
  /** Looks again. What could not be read is an entry with a problem, or in `problems`. */
  list(): Promise<Listing>;
  open(entry: SessionEntry): Promise<InspectedSession>;
  /** Something may be different: time to list again. */
  readonly onDidChange: Listen<void>;
}

export interface Listing {
  readonly entries: readonly SessionEntry[];
  /** Places that could not be looked into, each in a sentence. */
  readonly problems: readonly string[];
  /** Where it was looked, for the empty view. */
  readonly where: readonly string[];
}
