import { Draft, type Decision } from '../state/decision';
import { draftOf } from '../state/kinds';
import { pendingEntries, type SessionState } from '../state/state';
import type { JsonObject, Message } from '../transcript/message';
import { collapse } from './envelope';
import { payloadOf, type ReminderPayload } from './event';
import { dedupedDraft } from './inject';
import { lifecycleDraft } from './lifecycle';
import type { Reminder } from './spec';

interface CompactionPlan {
  readonly expired: readonly Reminder[];
  /** With their new lifetimes, in transcript order. */
  readonly survivors: readonly Reminder[];
  /** Id of each collapsed one to the id of the one that stays instead. */
  readonly replaced: ReadonlyMap<string, string>;
  /** Survivors and unseen ones that are preserved. */
  readonly kept: readonly Reminder[];
  readonly dropped: readonly Reminder[];
}

function planCompaction(state: SessionState): CompactionPlan {
  const expired: Reminder[] = [];
  const seen: Reminder[] = [];
  const unseen: Reminder[] = [];
  for (const { reminder, mode } of pendingEntries(state)) {
    const left = reminder.ttl_turns === null ? null : reminder.ttl_turns - 1;
    const aged = { ...reminder, ttl_turns: left };
    if (left !== null && left <= 0) expired.push(aged);
    else (mode === 'audit_only' ? unseen : seen).push(aged);
  }
  const { survivors, replaced } = collapse(seen);
  const left = [...survivors, ...unseen];
  return {
    expired,
    survivors,
    replaced,
    kept: left.filter((reminder) => reminder.preserve_on_compact),
    dropped: left.filter((reminder) => !reminder.preserve_on_compact),
  };
}

/** How a compaction came out. A blocked or pointless one changes nothing. */
export type CompactionOutcome = 'done' | 'blocked' | 'pointless';

/** What a compaction did. */
export interface Compacted {
  readonly changed: boolean;
  /** Messages that the new history replaced. */
  readonly archived_messages: number;
  readonly compactor_reminders: readonly ReminderPayload[];
}

/**
 * Replaces durable history by `messages`. Finite lifetimes lose one, equal reminders collapse, and only preserved ones
 * stay pending; these count as uncommitted then. The providers of `post_compact` are fired by the caller afterwards.
 */
export function decideCompact(
  state: SessionState,
  compaction: {
    readonly outcome: CompactionOutcome;
    readonly messages?: readonly Message[];
    readonly summary?: string | null;
  },
): Decision<Compacted> {
  if (compaction.outcome !== 'done' || compaction.messages === undefined) {
    return { drafts: [], answer: { changed: false, archived_messages: 0, compactor_reminders: [] } };
  }
  const { expired, survivors, replaced, kept, dropped } = planCompaction(state);
  const draft = new Draft(state);
  const ttl = { reason: 'ttl', boundary: 'compaction' };
  const compacted = { reason: 'compaction', boundary: 'compaction' };
  draft.add(
    draftOf(state, 'transcript.compaction', {
      messages: compaction.messages,
      ...(typeof compaction.summary === 'string' ? { summary: compaction.summary } : {}),
      archived_messages: state.messages.length,
      lifetimes: lifetimesOf(kept),
      removed: [
        ...expired.map(({ id }) => ({ reminder_id: id, reason: 'ttl' })),
        ...dropped.map(({ id }) => ({ reminder_id: id, reason: 'compaction' })),
        ...[...replaced].map(([id, by]) => ({ reminder_id: id, state: 'replaced', reason: by })),
      ],
    }),
  );
  for (const reminder of expired) draft.add(lifecycleDraft(state, 'transcript.reminder.expired', reminder, ttl));
  for (const reminder of dropped) draft.add(lifecycleDraft(state, 'transcript.reminder.expired', reminder, compacted));
  const groups = new Map<string, string[]>();
  for (const [id, by] of replaced) {
    const group = groups.get(by);
    if (group === undefined) groups.set(by, [id]);
    else group.push(id);
  }
  for (const survivor of survivors) {
    const ids = groups.get(survivor.id);
    if (ids !== undefined) draft.add(dedupedDraft(state, ids, survivor));
  }
  return draft.decision({
    changed: true,
    archived_messages: state.messages.length,
    compactor_reminders: survivors.map(payloadOf),
  });
}

function lifetimesOf(reminders: readonly Reminder[]): JsonObject {
  return Object.fromEntries(reminders.flatMap(({ id, ttl_turns }) => (ttl_turns === null ? [] : [[id, ttl_turns]])));
}
