import type { Cause } from '../projection/decision';
import type { RowCause } from './row';

const quoted = (names: readonly string[]): string => {
  const shown = names.slice(0, 3).map((name) => `\`${name}\``);
  const more = names.length - shown.length;
  const last = more > 0 ? `${more} more` : (shown.pop() ?? '');
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
};

/**
 * Why the model's side of a message differs from the raw one (or does not, where one would expect it), in words.
 * @param index the message's own number within the projection.
 * @param offset number, in the lane, of the first message of the projection.
 */
export function wordCause(cause: Cause, index: number, offset: number): RowCause | null {
  switch (cause.kind) {
    case 'repaired': {
      const tools = [...new Set(cause.repairs.map((repair) => repair.tool))];
      const at = cause.repairs[0]?.at;
      const text = `${quoted(tools)} failed here and succeeded later`;
      return { text, message: at === undefined ? null : at + offset };
    }
    case 'only_failed_calls':
      return { text: 'Nothing came of this turn but failed calls', message: null };
    case 'with_call':
      return { text: 'Hidden with its call', message: cause.at + offset };
    case 'summarized':
      return { text: 'Summarized', message: null };
    case 'projector':
      return { text: 'Left out by the custom policy', message: null };
    case 'unreachable':
      return { text: 'Nothing recent refers to this result', message: null };
    case 'signed_turn':
      return {
        text: 'Kept, because the reasoning of this turn is signed',
        message: cause.at === index ? null : cause.at + offset,
      };
    case 'blocked':
      return cause.at === index
        ? { text: 'Its signed reasoning would go, so the policy changed nothing', message: null }
        : null;
  }
}

/** What compaction took out of the context. */
export const archivedCause = (summary: number): RowCause => ({ text: 'Archived by compaction', message: summary });

/** Results whose text micro-compaction took out of the context. */
export const clearedCause: RowCause = { text: 'Cleared by micro-compaction', message: null };

/** Records that an agent keeps beside its messages. */
export const recordCause: RowCause = { text: 'A record of the agent, no message', message: null };
