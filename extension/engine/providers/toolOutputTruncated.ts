import type { ReminderProvider } from './provider';
import { clipLine, code, objectIn, textIn } from './wording';

/** Tells a model that a tool's output was cut or compacted before it saw it. */
export const toolOutputTruncated: ReminderProvider = {
  id: 'tool_output_truncated',
  subscribes_to: ['post_tool_use'],
  evaluate: ({ payload }) => {
    const result = objectIn(payload['result']);
    const flags = [payload['truncated'], payload['compacted'], result['truncated'], result['compacted']];
    if (!flags.includes(true)) return null;
    const tool = clipLine(textIn(payload['tool_name']) ?? '', 120) || 'unknown';
    return {
      body: `The output of ${tool === 'unknown' ? 'a tool' : code(tool)} was cut before it got here: what is missing may matter. If it does, ask again for less at a time (a range, a filter, one file).`,
      tags: ['truncation'],
      dedupe_key: `tool_output_truncated:${tool}`,
      ttl_turns: 1,
      propagate: 'none',
    };
  },
};
