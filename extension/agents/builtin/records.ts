import type { EventDraft } from '../../engine/state/record';
import type { JsonObject } from '../../engine/transcript/message';

/** What the loop records beside what the engine decides; each has a `text` for people. */
export type LoopRecord = 'run.ended' | 'model.failed' | 'session.repaired' | 'permission.answered';

export function loopDraft(kind: LoopRecord, payload: JsonObject & { readonly text: string }): EventDraft {
  return { kind, payload, headers: { topic: 'session.loop' } };
}
