import type { Cause, MessageState } from '../projection/decision';
import { findLookAlikes } from '../reminders/guard';
import { charsOf, tokensOf } from '../transcript/estimate';
import type { Message } from '../transcript/message';
import { archivedCause, clearedCause, recordCause, wordCause } from './cause';
import type { NameOf, Part } from './parts';
import { partsOf } from './parts';
import { previewMessage, previewParts } from './preview';
import type { Directive, Row, RowState, Side, Speaker } from './row';

/** What is known of a message beside its text. */
export interface MessageAbout {
  readonly key: string;
  /** Number in the lane. */
  readonly message: number;
  readonly time_ms: number | null;
  readonly notes: readonly string[];
  /** Ids of calls whose results micro-compaction cleared. */
  readonly cleared: readonly string[];
  /** Directives, when the message is an envelope that the engine issued; else null. */
  readonly directives: readonly Directive[] | null;
}

/** What became of a message: the projection's decision, or that compaction archived it. */
export type Fate =
  | { readonly kind: 'archived'; readonly context_start: number }
  /** Not decided yet. */
  | { readonly kind: 'undecided' }
  | {
      readonly kind: 'decided';
      readonly state: MessageState;
      readonly cause: Cause | null;
      /** The message as it is sent, when its state is `redacted`. */
      readonly projected: Message | null;
      /** Number, in the lane, of the first message of the projection. */
      readonly offset: number;
    };

/** Who speaks in a message: `result` when it carries results and nothing else but blank text. */
export function speakerOf(message: Message, parts: readonly Part[] = partsOf(message)): Speaker {
  switch (message['role']) {
    case 'assistant':
    case 'model':
      return 'assistant';
    case 'system':
    case 'developer':
      return 'system';
    case 'tool':
    case 'tool_result':
    case 'function':
      return 'result';
    default: {
      const isResult = ({ block }: Part): boolean => block.kind === 'result' || block.kind === 'pointer';
      const said = parts.filter((part) => part.block.kind !== 'text' || part.text().trim() !== '');
      return said.length > 0 && said.every(isResult) ? 'result' : 'user';
    }
  }
}

function sideOf(message: Message, parts: readonly Part[]): Side {
  return { blocks: previewParts(parts), tokens: tokensOf(charsOf(message)) };
}

/** The parts of a message as the model sees them after micro-compaction; null when nothing of it was cleared. */
export function clearedParts(parts: readonly Part[], cleared: readonly string[]): readonly Part[] | null {
  if (cleared.length === 0) return null;
  let any = false;
  const shown = parts.map((part): Part => {
    const { block } = part;
    if (block.kind !== 'result' || block.call_id === null || !cleared.includes(block.call_id)) return part;
    any = true;
    const tokens = tokensOf(charsOf(part.text()));
    const pointer = { kind: 'pointer', name: block.name, reclaimed_tokens: tokens, text: '', length: 0 } as const;
    return { block: pointer, text: () => 'The agent cleared this result from what the model sees.' };
  });
  return any ? shown : null;
}

function stateOfFate(fate: Fate, isEnvelope: boolean, isCleared: boolean): RowState {
  if (fate.kind === 'archived') return 'hidden';
  if (fate.kind === 'decided' && fate.state !== 'kept') return fate.state;
  if (isEnvelope) return 'directive';
  return isCleared ? 'redacted' : 'kept';
}

const NOT_ISSUED = 'not issued by the engine';

/** The row of one message. */
export function messageRow(message: Message, about: MessageAbout, fate: Fate, nameOf?: NameOf): Row {
  const parts = partsOf(message, nameOf);
  const cleared = clearedParts(parts, about.cleared);
  const isEnvelope = about.directives !== null;
  const state = stateOfFate(fate, isEnvelope, cleared !== null);
  const notes = [...about.notes];
  if (!isEnvelope && findLookAlikes(message).length > 0) notes.push(NOT_ISSUED);
  const raw = sideOf(message, parts);
  let projected: Side | null = null;
  let cause = fate.kind === 'archived' ? archivedCause(fate.context_start) : null;
  if (fate.kind === 'decided') {
    if (fate.cause) cause = wordCause(fate.cause, about.message - fate.offset, fate.offset);
    if (fate.projected) projected = sideOf(fate.projected, partsOf(fate.projected, nameOf));
  }
  if (state === 'redacted' && projected === null && cleared) {
    const blocks = previewParts(cleared);
    const saved = blocks.reduce((sum, block) => sum + (block.kind === 'pointer' ? block.reclaimed_tokens : 0), 0);
    projected = { blocks, tokens: Math.max(0, (raw.tokens ?? 0) - saved) };
    cause = clearedCause;
  }
  return {
    key: about.key,
    kind: isEnvelope ? 'envelope' : 'message',
    state,
    speaker: isEnvelope ? 'engine' : speakerOf(message, parts),
    message: about.message,
    raw,
    projected,
    cause,
    notes,
    directives: about.directives ?? [],
    time_ms: about.time_ms,
  };
}

const textSide = (text: string): Side => ({ blocks: previewMessage({ role: 'system', content: text }), tokens: null });

const plainRow = { speaker: 'system', message: null, projected: null, cause: null, notes: [], directives: [] } as const;

/** A message that the policy put in: it stands on the model's side only. */
export function syntheticRow(key: string, message: Message): Row {
  const projected = sideOf(message, partsOf(message));
  return {
    ...plainRow,
    key,
    kind: 'synthetic',
    state: 'synthetic',
    speaker: 'engine',
    raw: null,
    projected,
    time_ms: null,
  };
}

/** What is pending: all of it goes into the one envelope of the next prompt that can take it. */
export function pendingRow(key: string, directives: readonly Directive[]): Row {
  return {
    ...plainRow,
    key,
    kind: 'pending',
    state: 'directive',
    speaker: 'engine',
    raw: null,
    directives,
    time_ms: null,
  };
}

/** A compaction or micro-compaction: the context begins anew, or gets shorter, here. */
export function boundaryRow(key: string, text: string, time_ms: number | null): Row {
  return { ...plainRow, key, kind: 'boundary', state: 'kept', raw: textSide(text), time_ms };
}

/** Another record of the agent that is worth a row. */
export function recordRow(key: string, name: string, text: string, time_ms: number | null): Row {
  const block = { kind: 'other', name } as const;
  const raw = { blocks: previewParts([{ block: { ...block, text: '', length: 0 }, text: () => text }]), tokens: null };
  return { ...plainRow, key, kind: 'record', state: 'hidden', raw, cause: recordCause, time_ms };
}
