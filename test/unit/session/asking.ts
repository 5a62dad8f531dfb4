import type { Row } from '../../../extension/engine/rows/row';
import type { Message } from '../../../extension/engine/transcript/message';
import type { Params } from '../../../extension/protocol/messages';
import type { Session } from '../../../extension/session/session';
import { followed, openInspector, readerOf } from './inspector';
import type { FakeLane, TestInspector } from './inspector';

export const call = (id: string, name = 'Read', input: object = { path: id }): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input: input as Message }],
});
export const result = (id: string, content: string, failed = false): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content, is_error: failed }],
});
export const say = (role: string, content: string): Message => ({ role, content });

/** A failure that was repaired, between words. */
export const repaired: readonly Message[] = [
  say('user', 'go'),
  call('c1'),
  result('c1', 'no such file', true),
  call('c2'),
  result('c2', 'all of it'),
  say('assistant', 'done'),
];

export const laneOf = (messages: readonly ReturnType<FakeLane['entry']>[], rest: Partial<FakeLane> = {}): FakeLane => ({
  entries: messages.length,
  entry: (index) => messages[index] ?? {},
  ...rest,
});

export async function openLane(session: Session, lane: FakeLane, inspector = openInspector()): Promise<TestInspector> {
  inspector.inspection.show(followed(session, [readerOf(lane)]));
  await inspector.inspection.settled();
  return inspector;
}

export const rowsOf = async (inspector: TestInspector, start = 0, count = 100): Promise<readonly Row[]> =>
  (await inspector.ask('rows', { start, count })).rows;

/** Each row as `kind state speaker message cause→message`. */
export const words = (rows: readonly Row[]): string[] =>
  rows.map((row) => {
    const cause = row.cause ? ` ${row.cause.text}${row.cause.message === null ? '' : ` →${row.cause.message}`}` : '';
    return `${row.kind} ${row.state} ${row.speaker} ${row.message}${cause}`;
  });

export async function setPolicy(
  inspector: TestInspector,
  policy: string,
  options: Params<'set_policy'>['options'] = {},
): Promise<void> {
  await inspector.ask('set_policy', { policy, options });
  await inspector.inspection.settled();
}
