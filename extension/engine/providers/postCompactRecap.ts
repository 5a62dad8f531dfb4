import type { ReminderProvider } from './provider';
import { clip, countOf, firstNumber, textIn } from './wording';

const mostOfSummary = 4000;

/** Tells a model that older messages were archived by a compaction, with the summary if there is one. */
export const postCompactRecap: ReminderProvider = {
  id: 'post_compact_recap',
  subscribes_to: ['post_compact'],
  evaluate: ({ payload }) => {
    const archived = firstNumber([payload['archived_messages']], (value) => value >= 1);
    if (archived === null) return null;
    const count = countOf(Math.floor(archived), 'earlier message');
    const summary = clip(textIn(payload['summary']) ?? '', mostOfSummary);
    const rest =
      summary === ''
        ? 'Look up again what you need of them.'
        : `Look up again what this summary leaves out:\n${summary}`;
    return {
      body: `The conversation was compacted: ${count} left the context. ${rest}`,
      tags: ['recap'],
      dedupe_key: 'post_compact_recap',
      ttl_turns: 2,
      propagate: 'session',
    };
  },
};
