import type { PermissionView } from '../../protocol/view';

/** `asking`: a person's permission is waited for. */
export type LoopStatus = 'idle' | 'running' | 'asking' | 'stopping';

/** How the loop stands; replaced as a whole with every change. */
export interface LoopView {
  readonly status: LoopStatus;
  /** Number of the turn that runs, from 1; null: idle. */
  readonly turn: number | null;
  /** Name of the model in use; null: none is chosen. */
  readonly model: string | null;
  readonly permissions: readonly PermissionView[];
  /** Text of the answer that is arriving and is not in the log yet. */
  readonly streaming: string;
  /** Messages of the person that wait for the next seam. */
  readonly queued: number;
  /** Why the last run ended badly and what to do; null: it did not. */
  readonly error: string | null;
}

/** A run as it happens, for whoever shows it elsewhere. */
export type LoopPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'call';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly title: string;
    }
  | {
      readonly type: 'result';
      readonly id: string;
      readonly name: string;
      readonly failed: boolean;
      readonly text: string;
    }
  | { readonly type: 'directives'; readonly reminder_ids: readonly string[] };

export interface RunOutcome {
  /** `limit`: it was cut off after too many answers in a row. */
  readonly reason: 'finished' | 'stopped' | 'failed' | 'limit';
  readonly error: string | null;
}

/** What *Fire now* does, or would do. */
export interface Firing {
  /** The turn that it is for. */
  readonly turn: number;
  readonly starts_turn: boolean;
  /** How many other directives go along. */
  readonly others: number;
}
