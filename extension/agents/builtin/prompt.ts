import type { Message } from '../../engine/transcript/message';
import type { Session } from '../../session/session';

/** What a request is made of. */
export interface Prompt {
  /** As sent: projected, guarded, without bookkeeping. */
  readonly messages: readonly Message[];
  /** Why no request can be made, and what to do. */
  readonly error: string | null;
}

/** Commits the envelope, projects the transcript by the session's policy, and records the projection. */
export type BuildPrompt = (session: Session) => Prompt;
