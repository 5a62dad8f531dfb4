import type { JsonObject } from '../transcript/message';
import { numberIn, textIn } from './payload';
import type { ReducedEvent } from './reduce';
import type { SessionState } from './state';

/** What goes out as `session/update`. */
export interface SessionUpdate extends JsonObject {
  readonly sessionUpdate: string;
}

/**
 * The updates that follow from one record: each `fired` is a `reminder_emitted`. `state` is the session's after the
 * record; it gives the body, which the record does not hold.
 */
export function updatesOf(state: SessionState, event: ReducedEvent): readonly SessionUpdate[] {
  if (event.kind !== 'transcript.reminder.fired') return [];
  const { payload } = event;
  const id = textIn(payload, 'reminder_id');
  const reminder = id === null ? undefined : state.reminders.get(id)?.reminder;
  if (reminder === undefined) return [];
  return [
    {
      sessionUpdate: 'reminder_emitted',
      _meta: {
        harn: {
          reminder: {
            reminderId: reminder.id,
            tags: reminder.tags,
            body: reminder.body,
            roleHint: reminder.role_hint,
            authority: reminder.authority,
            renderedRole: textIn(payload, 'rendered_role') ?? 'user',
            source: reminder.source,
            ttlTurns: numberIn(payload, 'ttl_turns'),
          },
        },
      },
    },
  ];
}
