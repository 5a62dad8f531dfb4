import type { CreateHash } from '../engine/transcript/hash';

/** What a session needs of the outside. */
export interface SessionDeps {
  /** Milliseconds since the epoch. */
  now(): number;
  /** A fresh UUID v7. */
  newId(): string;
  readonly createHash: CreateHash;
  /** Something of ours failed where nobody waits for an answer. */
  readonly onError: (error: unknown) => void;
  /** Whether each append is flushed to the disk before it counts; true unless said otherwise. */
  readonly flush?: boolean;
  /** What prompts are projected by while a session has no policy of its own: the settings. */
  readonly defaults?: { readonly policy: string; readonly respect_provider_signatures: true | false | 'per_turn' };
}

/** What a session's first record says of it. */
export interface SessionAbout {
  readonly title: string;
  /** For example "Own agent" or "Claude Code 2.1.37". */
  readonly agent: string;
  /** Our own loop builds its requests. */
  readonly own: boolean;
  /** Folder that the agent works in. */
  readonly workspace: string | null;
  /** Where the agent itself keeps the session. */
  readonly source: string | null;
  /** False: there is no way to hand a directive to this agent. */
  readonly deliverable?: boolean;
}

/** Another window writes this session's log; the message says so and what to do. */
export class ReadOnlySession extends Error {
  override readonly name = 'ReadOnlySession';
}
