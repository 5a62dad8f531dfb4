import fc from 'fast-check';

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l');

/** Records of Claude Code whose links, kinds and messages are a matter of chance. */
export const randomLinks: fc.Arbitrary<object> = fc.record(
  {
    type: fc.constantFrom('user', 'assistant', 'system', 'progress', 'attachment', 'other'),
    uuid: fc.oneof(id, fc.constant(1)),
    parentUuid: fc.oneof(id, fc.constant(null), fc.constant([])),
    isSidechain: fc.boolean(),
    agentId: fc.constantFrom('x', 'y'),
    subtype: fc.constantFrom('compact_boundary', 'microcompact_boundary', 'info'),
    logicalParentUuid: id,
    message: fc.oneof(
      fc.constant(null),
      fc.record({ id: fc.constantFrom('m', 'n'), content: fc.constantFrom('text', [], [{ type: 'text' }], 5) }),
    ),
  },
  { requiredKeys: ['type'] },
);

/**
 * Records that mostly go on where the last one was, as a session does: a fork, a late parent, an answer in several
 * records, a sub-agent among them only now and then. `back` is how far before it the parent of a record is.
 */
export const randomTurns: fc.Arbitrary<object[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom('prompt', 'answer', 'answer', 'result', 'result', 'system', 'progress', 'boundary', 'side'),
      back: fc.constantFrom(1, 1, 1, 1, 1, 2, 3, 5, -1, 0),
      message: fc.constantFrom('m', 'n', 'o', 'p'),
    }),
    { maxLength: 40 },
  )
  .map((parts) =>
    parts.map(({ kind, back, message }, i) => {
      const common = { uuid: `u${i}`, parentUuid: back === 0 ? null : `u${i - back}`, isSidechain: kind === 'side' };
      const result = { type: 'tool_result', tool_use_id: `c${i}`, content: 'r' };
      switch (kind) {
        case 'answer':
          return { ...common, type: 'assistant', message: { id: message, content: [{ type: 'text', text: 'a' }] } };
        case 'result':
          return { ...common, type: 'user', message: { content: [result] } };
        case 'boundary':
          return {
            ...common,
            type: 'system',
            subtype: 'compact_boundary',
            parentUuid: null,
            logicalParentUuid: `u${i - back}`,
          };
        case 'system':
        case 'progress':
          return { ...common, type: kind, subtype: 'info' };
        default:
          return { ...common, type: 'user', message: { content: 'p' } };
      }
    }),
  );
