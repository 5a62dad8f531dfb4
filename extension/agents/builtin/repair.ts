import { decideAnswerCalls } from '../../engine/reminders/seams';
import type { Session } from '../../session/session';
import { loopDraft } from './records';

const UNKNOWN =
  'The session ended before the result of this call was recorded. It may have run, in part or not at all: look before you do it again.';

/**
 * Puts a session in order whose process ended in the middle of a turn: every call gets a result, the turn is closed, and
 * that is recorded. One that another window writes is left alone. Gives whether there was something to do.
 */
export function repairSession(session: Session): boolean {
  if (session.readOnly !== null) return false;
  const { state } = session;
  if (state.open_calls.length === 0 && state.status !== 'running') return false;
  const { answered } = session.run((now) => decideAnswerCalls(now, UNKNOWN));
  const role = state.messages.at(state.messages.length - 1)?.role;
  if (state.turn_open && (answered > 0 || role === 'assistant')) session.endTurn();
  const calls =
    answered === 0 ? '' : ` ${answered} ${answered === 1 ? 'call' : 'calls'} without a result got one that says so.`;
  const text = `The editor ended while the agent was working.${calls} Send a message to go on.`;
  session.append([loopDraft('session.repaired', { text, calls: answered })]);
  session.setStatus('idle');
  return true;
}
