import type { Message } from '../engine/transcript/message';
import type { IssueView, LaneView, SessionView } from '../protocol/view';
import type { Listen } from './disposable';
import type { Session } from './session';

/** One thing on a lane, in order: a message, a compaction boundary, or another record that is worth a row. */
export type Entry =
  | {
      readonly kind: 'message';
      /** Number among the messages of the lane, from 0. */
      readonly message: number;
      readonly value: Message;
      readonly time_ms: number | null;
      /** Ids of calls whose results micro-compaction cleared from what the model sees. */
      readonly cleared: readonly string[];
      readonly model: string | null;
      readonly notes: readonly string[];
    }
  | {
      readonly kind: 'boundary';
      readonly boundary: 'compaction' | 'microcompaction';
      readonly text: string;
      readonly time_ms: number | null;
      readonly line: number | null;
    }
  | {
      readonly kind: 'record';
      readonly name: string;
      readonly text: string;
      readonly time_ms: number | null;
      readonly line: number | null;
    };

/** A lane of a transcript that may be far too big for memory: read by number, in pages. */
export interface LaneReader {
  readonly lane: LaneView;
  /** True while only the end of the lane is known: numbers count from there and will change. */
  readonly provisional: boolean;
  /** Entries on the lane so far. */
  readonly length: number;
  /** Messages among them. */
  readonly messages: number;
  /** First message that the model still sees: those before it were archived by compaction. */
  readonly context_start: number;
  /** Reads entries `start` to `end` (excluded); shorter where the lane ends. */
  read(start: number, end: number): Promise<readonly Entry[]>;
  /** One message, at once, for the projection engine. */
  message(index: number): Message;
  /** Entry number of a message. */
  entryOf(message: number): number;
  /** As `context_start`, when the lane ended before this message. */
  contextStartAt(message: number): number;
  /** Context size that the provider last reported at or before this message, in tokens. */
  usageAt(message: number): number | null;
  /** Numbers of the messages that close a turn (one model answer each), rising. */
  readonly turns: { readonly length: number; at(index: number): number };
}

/** A change of a session that somebody may be looking at. */
export type SessionChange =
  /** Entries came to a lane, or its last ones changed: those from these numbers on. Null: added, nothing changed. */
  | {
      readonly kind: 'grew';
      readonly from: { readonly lane: string; readonly message: number; readonly entry: number } | null;
    }
  /** Anything of a lane (null: of all) may have changed: the file was replaced, another branch became the active one. */
  | { readonly kind: 'reset'; readonly lane: string | null }
  /** Title, status, progress, issues, directives or lifecycle changed. */
  | { readonly kind: 'about' };

/** What the inspector can show: our own sessions and those of agents that people run, behind one face. */
export interface InspectedSession {
  readonly id: string;
  readonly view: SessionView;
  /** Our own log about this session: directives, lifecycle, projections, and for our own agent the messages too. */
  readonly session: Session;
  readonly lanes: readonly LaneView[];
  reader(lane: string): LaneReader | undefined;
  readonly issues: { readonly total: number; readonly first: readonly IssueView[] };
  /** 0 to 1 while it is being read for the first time; null: done. */
  readonly progress: number | null;
  /** Size of the model's context window in tokens; null: not known. */
  readonly window: number | null;
  /** Whether requests are built by us, so that a projection can be applied. */
  readonly own: boolean;
  /** Why it cannot be read on, and what to do; what was read stays. Null or absent: nothing is wrong. */
  readonly problem?: string | null;
  readonly onDidChange: Listen<SessionChange>;
  dispose(): void;
}
