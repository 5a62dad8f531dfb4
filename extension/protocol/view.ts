import type { RowState, Speaker } from '../engine/rows/row';

/** How the right column came about; the three must never look alike. */
export type Standing = 'as_sent' | 'applied' | 'preview';

export type SessionStatus = 'running' | 'idle' | 'ended' | 'failed';

export interface SessionView {
  readonly id: string;
  readonly title: string;
  /** For example "Own agent" or "Claude Code 2.1.37". */
  readonly agent: string;
  readonly status: SessionStatus;
  /** How faithful the raw side is, in a sentence. */
  readonly fidelity: string;
  /** True while the session's source is watched; false for a file opened by hand that does not grow. */
  readonly live: boolean;
  /** Why directives cannot be delivered into this session; null: they can. */
  readonly no_route: string | null;
  /** Null: the person can write to the agent; else why not. */
  readonly no_composer: string | null;
  /** The model in use; null where it is not known. */
  readonly model: string | null;
}

/** A way through the transcript: the active branch, an abandoned one, or a sub-agent's own chain. */
export interface LaneView {
  readonly id: string;
  readonly label: string;
  readonly kind: 'active' | 'branch' | 'sidechain';
  /** Null: not counted yet, for a sub-agent whose own file has not been opened. */
  readonly messages: number | null;
}

export interface PolicyView {
  readonly name: string;
  /** One sentence: what it hides or replaces. */
  readonly description: string;
  readonly options: readonly OptionView[];
}

export interface OptionView {
  readonly key: string;
  readonly type: 'boolean' | 'integer' | 'text' | 'choice';
  readonly default: boolean | number | string | null;
  readonly choices: readonly string[];
  readonly description: string;
}

export type OptionValue = boolean | number | string | null;

export interface ProjectionView {
  readonly policy: string;
  /** Only what differs from the defaults. */
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly standing: Standing;
  /** True: *Apply* would make this the session's; false with the reason in `no_apply`. */
  readonly can_apply: boolean;
  readonly no_apply: string | null;
  readonly reason: string;
  /** True while the figures below are being computed; those shown belong to the projection before. */
  readonly computing: boolean;
  readonly kept: number;
  readonly hidden: number;
  readonly redacted: number;
  readonly synthetic: number;
  /** Messages that compaction archived before this projection ran. */
  readonly archived: number;
  readonly reclaimed_tokens: number;
  readonly reread_tokens: number;
  /** `sha256:…`; null while computing. */
  readonly prefix_hash: string | null;
  readonly relation: 'initial' | 'append_only' | 'diverged' | null;
  /** First raw message at which this request differs from the one before. */
  readonly diverged_at: number | null;
  readonly diverged_how: 'changed' | 'moved' | 'vanished' | null;
  /** Messages that the policy would have hidden, kept because the reasoning of their turn is signed. */
  readonly spared: number;
  /** Number of the signed message that made the policy fall back to raw. */
  readonly blocked_by: number | null;
  /** What is wrong with the policy or its options; the projection before stays. */
  readonly error: string | null;
}

export interface TurnBar {
  /** Tokens in the request of this turn, as reported, else estimated. */
  readonly tokens: number;
  /** The prefix broke here. */
  readonly diverged: boolean;
}

export interface TurnView {
  readonly count: number;
  /** 1 to `count`; null: the present. */
  readonly shown: number | null;
  /** For a turn gone by: does the rebuilt pair hash to what was recorded? Null where nothing was recorded. */
  readonly verified: boolean | null;
  /** The last turns, at most 40, oldest first; `first` is the number of the first one. */
  readonly first: number;
  readonly bars: readonly TurnBar[];
}

export interface UsageView {
  readonly tokens: number;
  readonly window: number | null;
  /** Whose figure it is. */
  readonly source: 'reported' | 'estimated';
}

export interface FilterView {
  /** Empty: all. */
  readonly speakers: readonly Speaker[];
  /** Empty: all. */
  readonly states: readonly RowState[];
}

export interface IssueView {
  readonly line: number | null;
  readonly kind: string;
  readonly text: string;
}

export interface PermissionView {
  readonly id: string;
  readonly tool: string;
  /** What it wants to do, in a line. */
  readonly title: string;
  /** The whole input, pretty-printed, masked. */
  readonly detail: string;
}

/** What stands above and below the rows. Small: it is sent whole whenever something changed. */
export interface InspectorView {
  /** Rises with every change; answers carry the revision that they belong to. */
  readonly revision: number;
  /** Null: no session is selected. */
  readonly session: SessionView | null;
  readonly lanes: readonly LaneView[];
  readonly lane: string | null;
  readonly policies: readonly PolicyView[];
  readonly projection: ProjectionView;
  readonly turn: TurnView;
  readonly usage: UsageView | null;
  /** Rows after filtering; `total` before it. Rows are only ever numbered among the filtered ones. */
  readonly rows: { readonly count: number; readonly total: number };
  readonly messages: { readonly raw: number; readonly projected: number };
  readonly filter: FilterView;
  readonly directives: { readonly pending: number; readonly total: number };
  readonly lifecycle: { readonly total: number };
  /** The first of what could not be read, and how many there are. */
  readonly issues: { readonly total: number; readonly first: readonly IssueView[] };
  /** Reading or indexing still goes on: 0 to 1; null: done. */
  readonly progress: number | null;
  readonly permissions: readonly PermissionView[];
  /** What went wrong and what to do, standing until it is mended or closed. */
  readonly error: string | null;
}
