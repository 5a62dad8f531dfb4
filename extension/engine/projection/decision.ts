import type { MessageFacts } from '../transcript/facts';
import type { JsonObject, Message } from '../transcript/message';
import type { Policy } from './options';

/** What a policy looks at. Texts are read only where they are needed. */
export interface ProjectionInput {
  /** How many messages there are. */
  readonly length: number;
  readonly facts: (index: number) => MessageFacts;
  /** Reads a message, at once. Equal indices give equal messages. */
  readonly message: (index: number) => Message;
  /** The transcript's own summary. */
  readonly summary: string | null;
}

/** Where a replaced body can be found, and what its replacement saved. Persisted. */
export interface RedactionPointer extends JsonObject {
  readonly policy: 'reachability_gc';
  /** For example `transcript.messages[2].content[0].content`. */
  readonly source: string;
  readonly source_index: number;
  readonly source_block_index: number | null;
  /** `sha256:` and hex over the text, or over the canonical form of what is no text. */
  readonly content_hash: string;
  /** Characters (code points) of the old body. */
  readonly content_chars: number;
  /** Estimated, net of the replacement. */
  readonly estimated_tokens_reclaimed: number;
  readonly tool_call_id: string | null;
  readonly tool_name: string | null;
  readonly reason: 'stale_tool_result_unreachable';
}

/** One body that is replaced. */
export interface Redaction {
  /** Which of the message's results it is, counted as in its facts. */
  readonly result: number;
  readonly pointer: RedactionPointer;
  /** Characters (code points) saved, net of the replacement. */
  readonly chars: number;
}

/** A tool that failed here and succeeded later, at the message `at`. */
export interface Repair {
  readonly tool: string;
  readonly at: number;
}

/** Why a message is shown as it is. */
export type Cause =
  /** Hidden: each tool of the turn succeeded later. */
  | { readonly kind: 'repaired'; readonly repairs: readonly Repair[] }
  /** Hidden: nothing came of the turn but failed calls. */
  | { readonly kind: 'only_failed_calls' }
  /** Hidden: a result whose call, in the message `at`, is hidden. */
  | { readonly kind: 'with_call'; readonly at: number }
  /** Hidden: the summary stands for it. */
  | { readonly kind: 'summarized' }
  /** Hidden: the projector left it out. */
  | { readonly kind: 'projector' }
  /** Replaced: nothing recent refers to these results. */
  | { readonly kind: 'unreachable'; readonly pointers: readonly RedactionPointer[] }
  /** Kept although the policy would have hidden or replaced it: its turn holds signed reasoning, in the message `at`. */
  | { readonly kind: 'signed_turn'; readonly at: number }
  /** Kept, and the reason why nothing was done at all: this message holds the signed reasoning that blocked it. */
  | { readonly kind: 'blocked'; readonly at: number };

/** How a message is shown. */
export type MessageState = 'kept' | 'hidden' | 'redacted';

/** What a policy decided, as data. Indices are those of the raw messages. */
export interface Decision {
  readonly policy: Policy;
  readonly reason: string;
  /** How many messages it is about. */
  readonly length: number;
  readonly roots_consulted: readonly string[];
  /** The first signed message that would have gone, so that nothing was done; else null. */
  readonly blocked_by: number | null;
  /** Everything before this index is hidden as summarized, but for `spared`. */
  readonly cut: number;
  /** Stands before the first message that is kept. */
  readonly synthetic: Message | null;
  /** The summary that was used, if any. */
  readonly summary: string | null;
  /** Hidden messages, but for those before the cut. */
  readonly hidden: ReadonlyMap<number, Cause>;
  /** Messages that `per_turn` kept, with the signed message that they were kept for. */
  readonly spared: ReadonlyMap<number, number>;
  readonly redactions: ReadonlyMap<number, readonly Redaction[]>;
  /** What a projector returned; null for every other policy, and when it was blocked. */
  readonly output: CustomOutput | null;
}

/** What a projector returned, judged. */
export interface CustomOutput {
  readonly messages: readonly Message[];
  readonly kept: readonly number[];
  readonly dropped: readonly number[];
}

/** How message `index` is shown. */
export function stateOf(decision: Decision, index: number): MessageState {
  if (decision.hidden.has(index) || (index < decision.cut && !decision.spared.has(index))) {
    return 'hidden';
  }
  return decision.redactions.has(index) ? 'redacted' : 'kept';
}

/** Why message `index` is shown as it is; null for a message that is kept because no policy touches it. */
export function causeOf(decision: Decision, index: number): Cause | null {
  const hidden = decision.hidden.get(index);
  if (hidden !== undefined) {
    return hidden;
  }
  const signed = decision.spared.get(index);
  if (signed !== undefined) {
    return { kind: 'signed_turn', at: signed };
  }
  if (index < decision.cut) {
    return { kind: 'summarized' };
  }
  const redactions = decision.redactions.get(index);
  if (redactions !== undefined) {
    return { kind: 'unreachable', pointers: redactions.map((redaction) => redaction.pointer) };
  }
  return decision.blocked_by === index ? { kind: 'blocked', at: index } : null;
}
