import type { AgentLoop } from '../../agents/builtin/loop';
import type { Inspection } from '../../session/inspection';
import type { AgentActions } from '../actions';
import { noSession } from '../errors';
import type { Inspector } from '../inspector';
import type { Report } from '../log';
import type { CommandName } from '../names';
import type { OpenSession, Sessions } from '../sessions';
import type { Work } from '../work';

/** What the commands work on. */
export interface CommandParts {
  readonly sessions: Sessions;
  readonly inspector: Inspector;
  readonly actions: AgentActions;
  readonly work: Work;
  readonly loopOf: (session: OpenSession) => AgentLoop | null;
  readonly showLog: () => void;
  readonly report: Report;
}

/** Runs a command. `argument` is what a menu or a tree's line gives along, if anything. */
export type Handler = (argument: unknown) => unknown;

export type Handlers<Names extends CommandName> = Readonly<Record<Names, Handler>>;

/** The selected session; a `UserError` when there is none. */
export function selectedOf({ sessions }: CommandParts): OpenSession {
  if (!sessions.selected) throw noSession();
  return sessions.selected;
}

/** The inspector, in front, with the selected session in it. */
export function openedOf(parts: CommandParts): Inspection {
  selectedOf(parts);
  return parts.inspector.open();
}

/** A text member of whatever was given along. */
export function stringOf(argument: unknown, key: string): string | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const value: unknown = (argument as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'string' ? value : undefined;
}
