import { maskSecrets } from '../engine/rows/mask';
import { shorten } from '../engine/rows/text';
import { isObject } from '../engine/transcript/message';
import type {
  InspectorView,
  LaneView,
  PermissionView,
  PolicyView,
  ProjectionView,
  SessionView,
  TurnBar,
  TurnView,
  UsageView,
} from '../protocol/view';
import type { InspectedSession, LaneReader } from './inspected';
import { rowTotal } from './listing';
import type { Perspective } from './perspective';

/** Turns whose sizes are shown. */
const MAX_BARS = 40;

/** Lanes that are sent with a view, and characters of their labels. */
const MAX_LANES = 300;
const LABEL_CHARACTERS = 80;

/** Issues that are sent with a view. */
const MAX_ISSUES = 20;

const NO_PROJECTION: ProjectionView = {
  policy: 'raw',
  options: {},
  standing: 'preview',
  can_apply: false,
  no_apply: 'No session is selected.',
  reason: '',
  computing: false,
  kept: 0,
  hidden: 0,
  redacted: 0,
  synthetic: 0,
  archived: 0,
  reclaimed_tokens: 0,
  reread_tokens: 0,
  prefix_hash: null,
  relation: null,
  diverged_at: null,
  diverged_how: null,
  spared: 0,
  blocked_by: null,
  error: null,
};

/** What belongs to the inspector, not to the session. */
export interface Surroundings {
  readonly revision: number;
  readonly policies: readonly PolicyView[];
  readonly permissions: readonly PermissionView[];
  readonly error: string | null;
}

/** The view while no session is selected, or one that has no transcript yet. */
export function emptyView(surroundings: Surroundings, inspected: InspectedSession | null = null): InspectorView {
  const { revision, policies, permissions, error } = surroundings;
  return {
    revision,
    session: inspected && sessionView(inspected.view),
    lanes: [],
    lane: null,
    policies,
    projection: NO_PROJECTION,
    turn: { count: 0, shown: null, verified: null, first: 1, bars: [] },
    usage: null,
    rows: { count: 0, total: 0 },
    messages: { raw: 0, projected: 0 },
    filter: { speakers: [], states: [] },
    directives: { pending: 0, total: 0 },
    lifecycle: { total: 0 },
    issues: { total: 0, first: [] },
    progress: inspected?.progress ?? null,
    permissions,
    error: error ?? inspected?.problem ?? null,
  };
}

function sessionView(view: SessionView): SessionView {
  return { ...view, title: maskSecrets(view.title.slice(0, 500)) };
}

function applicable(perspective: Perspective): string | null {
  const { inspected, isChosen, turn } = perspective;
  if (!inspected.own) return 'The requests of this session are built by its own agent, so this stays a preview.';
  if (inspected.session.readOnly !== null) return inspected.session.readOnly;
  if (turn !== null) return 'A turn gone by was sent already. Go back to the present to apply a policy.';
  return !isChosen ? 'This is the policy of the session.' : null;
}

function projectionView(perspective: Perspective): ProjectionView {
  const { policy, options } = perspective.settings;
  const { outcome, isComputing } = perspective;
  const no_apply = applicable(perspective);
  const { listing } = perspective.filtered;
  const view = {
    ...NO_PROJECTION,
    policy,
    options,
    can_apply: no_apply === null,
    no_apply,
    computing: isComputing,
    archived: listing.offset,
    error: perspective.error,
  };
  if (!outcome) return view;
  const { decided, figures, relation, prefix_hash, standing } = outcome;
  const { decision } = decided;
  return {
    ...view,
    standing,
    reason: decision.reason,
    kept: figures.kept,
    hidden: figures.hidden,
    redacted: figures.redacted,
    synthetic: decision.synthetic ? 1 : 0,
    archived: decided.offset,
    reclaimed_tokens: figures.reclaimed_tokens,
    reread_tokens: relation.reread_tokens,
    prefix_hash: isComputing ? null : prefix_hash,
    relation: relation.relation,
    diverged_at: relation.at,
    diverged_how: relation.how,
    spared: decision.spared.size,
    blocked_by: decision.blocked_by === null ? null : decision.blocked_by + decided.offset,
  };
}

function ownBar(inspected: InspectedSession, turn: number): TurnBar | null {
  const { timeline, state } = inspected.session;
  const request = inspected.own ? timeline.requests[turn] : undefined;
  if (!request) return null;
  const recorded = request.projection === null ? undefined : state.projections.at(request.projection);
  const prefix = recorded?.['prefix'];
  const estimate = recorded?.['estimated_tokens'];
  return {
    tokens: request.tokens ?? (typeof estimate === 'number' ? estimate : 0),
    diverged: isObject(prefix) && prefix['relation'] === 'diverged',
  };
}

function bar(inspected: InspectedSession, reader: LaneReader, turn: number): TurnBar {
  const own = ownBar(inspected, turn);
  if (own) return own;
  const answer = reader.turns.at(turn);
  const before = turn === 0 ? null : reader.turns.at(turn - 1);
  const diverged = before !== null && reader.contextStartAt(answer) !== reader.contextStartAt(before);
  return { tokens: reader.usageAt(answer) ?? 0, diverged };
}

function turnView(perspective: Perspective): TurnView {
  const { reader, inspected, turn, outcome } = perspective;
  const count = reader.turns.length;
  const first = Math.max(1, count - MAX_BARS + 1);
  const bars: TurnBar[] = [];
  for (let index = first - 1; index < count; index++) bars.push(bar(inspected, reader, index));
  return { count, shown: turn, verified: outcome?.verified ?? null, first, bars };
}

function usageView(perspective: Perspective): UsageView | null {
  const { reader, inspected, outcome, filtered, turn } = perspective;
  const last = turn === null ? filtered.listing.messages - 1 : reader.turns.at(turn - 1);
  const reported = last < 0 ? null : reader.usageAt(last);
  if (reported !== null) return { tokens: reported, window: inspected.window, source: 'reported' };
  return outcome ? { tokens: outcome.figures.tokens, window: inspected.window, source: 'estimated' } : null;
}

/** The lanes, the first ones and in any case the one that is looked at, so that a view stays small. */
function lanesOf({ inspected, lane }: Perspective): readonly LaneView[] {
  const { lanes } = inspected;
  const shown = lanes.length <= MAX_LANES ? lanes : lanes.filter(({ id }, index) => index < MAX_LANES || id === lane);
  return shown.map((each) => ({ ...each, label: maskSecrets(shorten(each.label, LABEL_CHARACTERS)) }));
}

/** What stands above and below the rows. */
export function viewOf(perspective: Perspective, surroundings: Surroundings): InspectorView {
  const { inspected, outcome, filtered } = perspective;
  const { session } = inspected;
  const directives = session.directives();
  const listedMessages = filtered.listing.messages - filtered.listing.offset;
  const figures = outcome?.figures;
  const projected = figures
    ? figures.kept + figures.redacted + (outcome.decided.decision.synthetic ? 1 : 0)
    : listedMessages;
  return {
    ...emptyView(surroundings, inspected),
    session: sessionView(inspected.view),
    lanes: lanesOf(perspective),
    lane: perspective.lane,
    projection: projectionView(perspective),
    turn: turnView(perspective),
    usage: usageView(perspective),
    rows: { count: perspective.count, total: rowTotal(filtered.listing) },
    messages: { raw: filtered.listing.messages, projected },
    filter: perspective.filter,
    directives: {
      pending: directives.filter(({ state }) => state === 'queued' || state === 'pending').length,
      total: directives.length,
    },
    lifecycle: { total: session.lifecycleTotal },
    issues: { total: inspected.issues.total, first: inspected.issues.first.slice(0, MAX_ISSUES) },
    progress: inspected.progress,
  };
}
