import type { JsonObject } from '../../engine/transcript/message';
import { timeOf } from '../../formats/claudeCode/build';
import { hasText, typedText } from './title';

/** `running`: the agent is at work; `idle`: it waits for a person; `ended`: nothing has come for a long time. */
export type SessionState = 'running' | 'idle' | 'ended';

/** Silence after which a session counts as ended, in milliseconds. */
export const LONG_SILENCE = 60 * 60 * 1000;
/** Silence after which work that was never finished counts as broken off, in milliseconds. */
const BROKEN_OFF = 15 * 60 * 1000;

/** Judges a session by the last message on its active lane. `hasOpenCalls`: it calls tools that have not answered. */
export function stateOf(last: JsonObject, hasOpenCalls: boolean, nowMs: number): SessionState {
  const silence = nowMs - (timeOf(last['timestamp']) ?? nowMs);
  if (silence > LONG_SILENCE) return 'ended';
  const isWork = last['type'] === 'assistant' ? hasOpenCalls : isUnanswered(last);
  return isWork && silence <= BROKEN_OFF ? 'running' : 'idle';
}

/** A result, or a prompt that a person typed: the model's answer has not come yet. */
function isUnanswered(last: JsonObject): boolean {
  return typedText(last) !== null || !hasText(last);
}
