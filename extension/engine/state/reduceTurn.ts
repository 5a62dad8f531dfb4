import { isObject, type JsonObject } from '../transcript/message';
import { listIn, numberIn, textIn, textsIn } from './payload';
import { changeEntry, leave, lose, missFire } from './reduceReminders';
import type { SessionState } from './state';

/**
 * `turn.ended` `{turn_number, decremented: [{reminder_id, ttl_turns}], expired, lost, missed}`: lifetimes as they are
 * after the turn. The lifecycle records that follow repeat what expired.
 */
export function endTurn(state: SessionState, payload: JsonObject, at_ms: number): SessionState {
  let next = state;
  for (const item of listIn(payload, 'decremented')) {
    if (!isObject(item)) continue;
    const id = textIn(item, 'reminder_id');
    const ttl_turns = numberIn(item, 'ttl_turns');
    if (id === null || ttl_turns === null) continue;
    next = changeEntry(next, id, at_ms, (entry) => ({ reminder: { ...entry.reminder, ttl_turns } }));
  }
  for (const id of textsIn(payload, 'expired')) next = leave(next, id, { state: 'expired', reason: 'ttl', at_ms });
  for (const id of textsIn(payload, 'lost')) next = lose(next, id, at_ms);
  for (const id of textsIn(payload, 'missed')) next = missFire(next, id, at_ms);
  return { ...next, turn: (numberIn(payload, 'turn_number') ?? state.turn) + 1, turn_open: false };
}
