import type { Decision } from '../engine/projection/decision';
import { parseOptions } from '../engine/projection/options';
import type { ProjectionOptions } from '../engine/projection/options';
import type { Directive } from '../engine/rows/row';
import type { Standing } from '../protocol/view';
import type { PolicyChoice } from './policyChoice';
import type { InspectedSession, LaneReader } from './inspected';
import type { Decided, Figures, Pause, Projector, Relation, Stretch } from './projector';
import type { Listing } from './listing';

/** What the last finished computation came to. */
export interface Outcome {
  readonly decided: Decided;
  readonly figures: Figures;
  readonly relation: Relation;
  readonly prefix_hash: string;
  readonly standing: Standing;
  /** For a turn gone by whose projection was recorded: does it hash to what was recorded? */
  readonly verified: boolean | null;
}

/** What is looked at. */
export interface Subject {
  readonly inspected: InspectedSession;
  readonly reader: LaneReader;
  readonly projector: Projector;
  readonly choice: PolicyChoice;
  /** Null: the present. */
  readonly turn: number | null;
}

/** The messages that the request of a turn was built from; null: the next request. */
function stretchOf(reader: LaneReader, turn: number | null): Stretch {
  const end = turn === null ? reader.messages : Math.min(reader.turns.at(turn - 1), reader.messages);
  const offset = turn === null ? reader.context_start : reader.contextStartAt(end);
  return { offset: Math.min(offset, end), end };
}

function isWaiting({ state, mode }: Directive): boolean {
  return (state === 'queued' || state === 'pending') && mode !== 'audit_only';
}

/** What the rows show of a session as it is now, with a decision that was made about it. */
export function listingOf(
  { inspected, reader, turn }: Pick<Subject, 'inspected' | 'reader' | 'turn'>,
  epoch: number,
  decision: Decision | null,
): Listing {
  const { session, own } = inspected;
  const { offset, end } = stretchOf(reader, turn);
  let byId: ReadonlyMap<string, Directive> | null = null;
  return {
    reader,
    epoch,
    entries: turn === null || end >= reader.messages ? reader.length : reader.entryOf(end),
    messages: end,
    offset,
    decision,
    pending: turn === null ? session.directives().filter(isWaiting) : [],
    envelopeOf: (message) => {
      const ids = own ? session.envelopeAt(message) : null;
      if (!ids) return null;
      byId ??= new Map(session.directives().map((directive) => [directive.reminder_id, directive]));
      return ids.flatMap((id) => byId?.get(id) ?? []);
    },
  };
}

/** What the request before that of a turn sent; null when there was none. */
async function previousOf(
  { reader, projector, choice }: Subject,
  turn: number,
  options: ProjectionOptions,
  pause: Pause,
): Promise<Decided | null> {
  if (turn <= 1) return null;
  const stretch = stretchOf(reader, turn - 1);
  await projector.load(stretch, pause);
  const recorded = choice.recorded(turn - 1);
  return projector.decide(stretch, recorded ? parseOptions(recorded.options) : options, null);
}

/**
 * Projects what is looked at, in slices; `onDecided` is called as soon as the rows can be shown, before the hash.
 * Rejects with a `ProjectionError` for options that were recorded wrong.
 */
export async function computeOutcome(
  subject: Subject,
  onDecided: (decision: Decision) => void,
  pause: Pause,
): Promise<Outcome> {
  const { inspected, reader, projector, choice, turn } = subject;
  const { session, own } = inspected;
  const { chosen } = choice;
  const recorded = choice.recorded(turn);
  const options = parseOptions(choice.given(turn));
  const summary = own ? (session.state.compactions.last?.summary ?? null) : null;
  const stretch = stretchOf(reader, turn);
  await projector.load(stretch, pause);
  const decided = projector.decide(stretch, options, summary);
  const figures = projector.figures(decided);
  const previous = await previousOf(subject, turn ?? reader.turns.length + 1, options, pause);
  const relation = projector.relate(previous, decided);
  onDecided(decided.decision);
  const prefix_hash = await projector.hash(decided, pause);
  const asRecorded = recorded !== null && chosen === null;
  return {
    decided,
    figures,
    relation,
    prefix_hash,
    standing: asRecorded ? 'as_sent' : own && chosen === null && turn === null ? 'applied' : 'preview',
    verified: asRecorded && recorded.prefix_hash !== null ? recorded.prefix_hash === prefix_hash : null,
  };
}
