import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cause } from '../../../../extension/engine/projection/decision';
import { causeOf, stateOf } from '../../../../extension/engine/projection/decision';
import { decide } from '../../../../extension/engine/projection/decide';
import { ProjectionError } from '../../../../extension/engine/projection/error';
import { parseOptions } from '../../../../extension/engine/projection/options';
import { inputOf, projectTranscript } from '../../../../extension/engine/projection/project';
import { fromRanges, readIndices, toRanges } from '../../../../extension/engine/projection/ranges';
import { replayProjection } from '../../../../extension/engine/projection/replay';
import type { Json, Message } from '../../../../extension/engine/transcript/message';
import { createSha256 } from '../../../../extension/io/hash';
import { randomMessages, randomOptions } from './randomTranscripts';

const SEED = 20260104;
const deps = { createHash: createSha256, newId: () => 'id' };

const say = (content: string): Message => ({ role: 'user', content });
const done: Message = { role: 'assistant', content: 'Done.' };
const call = (id: string, name = 'run', signed = false): Message => ({
  role: 'assistant',
  content: [
    ...(signed ? [{ type: 'thinking', thinking: 'hm', signature: 'sig' }] : []),
    { type: 'tool_use', id, name, input: {} },
  ],
});
const answer = (id: string, content: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
});
const repaired = [say('go'), call('a'), answer('a', 'Error: x'), call('b'), answer('b', 'ok'), done];
const signed = [say('go'), call('a', 'run', true), answer('a', 'Error: x'), call('b'), answer('b', 'ok'), done];
const stale = [call('a'), answer('a', ' x'.repeat(300)), done, say('go')];

describe('states and causes', () => {
  test.each<
    [
      string,
      readonly Message[],
      Readonly<Record<string, unknown>>,
      Readonly<Record<number, [string, Partial<Cause> | null]>>,
    ]
  >([
    [
      'a repaired turn',
      repaired,
      { policy: 'clean_tool_repair' },
      {
        0: ['kept', null],
        1: ['hidden', { kind: 'repaired', repairs: [{ tool: 'run', at: 4 }] }],
        2: ['hidden', { kind: 'with_call', at: 1 }],
        4: ['kept', null],
      },
    ],
    [
      'only failed calls',
      repaired,
      { policy: 'squash_failed_calls' },
      { 1: ['hidden', { kind: 'only_failed_calls' }], 2: ['hidden', { kind: 'with_call', at: 1 }] },
    ],
    [
      'blocked: the message that blocks says so',
      signed,
      { policy: 'clean_tool_repair' },
      { 1: ['kept', { kind: 'blocked', at: 1 }], 2: ['kept', null] },
    ],
    [
      'per turn: what is spared, and for which message',
      signed,
      { policy: 'clean_tool_repair', respect_provider_signatures: 'per_turn' },
      { 1: ['kept', { kind: 'signed_turn', at: 1 }], 2: ['kept', { kind: 'signed_turn', at: 1 }], 3: ['kept', null] },
    ],
    [
      'a summary with a spared turn',
      signed,
      { policy: 'summary_prefix', respect_provider_signatures: 'per_turn', keep_last: 1 },
      {
        0: ['hidden', { kind: 'summarized' }],
        2: ['kept', { kind: 'signed_turn', at: 1 }],
        4: ['hidden', { kind: 'summarized' }],
        5: ['kept', null],
      },
    ],
    [
      'a pointer',
      stale,
      { policy: 'reachability_gc', root_window: 1 },
      {
        0: ['kept', null],
        1: ['redacted', { kind: 'unreachable', pointers: [expect.objectContaining({ source_index: 1 })] as never }],
      },
    ],
    [
      'a projector',
      repaired,
      { policy: 'custom', projector: (messages: readonly Message[]) => messages.slice(1) },
      { 0: ['hidden', { kind: 'projector' }], 1: ['kept', null] },
    ],
  ])('%s', (_, messages, options, expected) => {
    const decision = decide(inputOf(messages, null), parseOptions(options), createSha256);
    for (const [index, [state, cause]] of Object.entries(expected)) {
      expect([index, stateOf(decision, Number(index)), causeOf(decision, Number(index))]).toEqual([
        index,
        state,
        cause,
      ]);
    }
  });

  test('blocked_by is the first signed message that would have gone', () => {
    const decision = decide(inputOf(signed, null), parseOptions('clean_tool_repair'), createSha256);
    expect(decision.blocked_by).toBe(1);
  });
});

describe('wrong input', () => {
  test.each<[string, unknown, unknown, string, readonly string[]]>([
    ['no transcript', undefined, 'raw', 'invalid_transcript', ['transcript']],
    ['a message that is none', { messages: [{}, null] }, 'raw', 'invalid_transcript', ['messages[1]']],
    ['a list of options', { messages: [] }, ['raw'], 'invalid_options', ['string', 'object', 'a list']],
    ['a policy of another type', { messages: [] }, { policy: 5 }, 'unknown_policy', ['5', 'raw']],
    ['an unknown key that is null', { messages: [] }, { nonsense: null }, 'unknown_option', ['nonsense', 'keep_last']],
    ['a fraction', { messages: [] }, { keep_last: 1.5 }, 'invalid_option', ['keep_last', 'integer', '1.5']],
    ['a reason that is no string', { messages: [] }, { reason: 5 }, 'invalid_option', ['reason', 'string']],
    ['no projector', { messages: [] }, 'custom', 'missing_projector', ['projector']],
    [
      'a projector that fails',
      { messages: [] },
      {
        policy: 'custom',
        projector: () => {
          throw new Error('boom');
        },
      },
      'projector_failed',
      ['boom'],
    ],
    [
      'a projector that returns numbers',
      { messages: [] },
      { policy: 'custom', projector: () => [5] },
      'invalid_projection',
      ['messages'],
    ],
    [
      'a projector that returns no JSON',
      { messages: [] },
      { policy: 'custom', projector: () => [{ f: () => 1 }] },
      'invalid_projection',
      ['function'],
    ],
    [
      'a projector that returns a cycle',
      { messages: [] },
      {
        policy: 'custom',
        projector: () => {
          const cycle: Record<string, unknown> = {};
          cycle.self = cycle;
          return [cycle];
        },
      },
      'invalid_projection',
      ['nested'],
    ],
  ])('%s', (_, transcript, options, code, parts) => {
    let error: unknown;
    try {
      projectTranscript(transcript, options, deps);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ProjectionError);
    expect((error as ProjectionError).code).toBe(code);
    for (const part of parts) {
      expect((error as ProjectionError).message).toContain(part);
    }
  });

  test('whatever is given, nothing but a ProjectionError is thrown', () => {
    const value = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
    });
    const message = fc.dictionary(
      fc.constantFrom('role', 'content', 'parts', 'tool_calls', 'reasoning'),
      fc.jsonValue(),
    );
    const transcript = fc.oneof(value, fc.record({ messages: fc.oneof(value, fc.array(message)), summary: value }));
    const options = fc.oneof(
      value,
      randomOptions,
      fc.dictionary(fc.constantFrom('policy', 'keep_last', 'roots', 'reason', 'projector', 'summary', 'x'), value),
    );
    fc.assert(
      fc.property(transcript, options, (given, chosen) => {
        try {
          projectTranscript(given, chosen, deps);
        } catch (error) {
          expect(error).toBeInstanceOf(ProjectionError);
        }
      }),
      { seed: SEED, numRuns: 1000 },
    );
  });
});

test('absent, null and empty options are the same', () => {
  const plain = projectTranscript({ messages: repaired }, 'summary_prefix', deps);
  const nulls = { policy: 'summary_prefix', keep_last: null, summary: '', reason: '', root_window: null, roots: null };
  expect(projectTranscript({ messages: repaired, summary: '' }, nulls, deps)).toEqual(plain);
});

test('a message that is nested without end of patience is projected', () => {
  let deep: Json = 'leaf';
  for (let level = 0; level < 50_000; level++) {
    deep = [deep];
  }
  const messages = [
    call('a'),
    { ...answer('a', ''), content: [{ type: 'tool_result', tool_use_id: 'a', content: deep }] },
    done,
  ];
  for (const policy of ['raw', 'clean_tool_repair', 'squash_failed_calls', 'summary_prefix', 'reachability_gc']) {
    const options = policy === 'reachability_gc' ? { policy, root_window: 0, min_chars: 0 } : policy;
    expect(projectTranscript({ messages }, options, deps).policy).toBe(policy);
  }
});

describe('laws over random transcripts', () => {
  const law = (check: (messages: readonly Message[], options: Readonly<Record<string, unknown>>) => void) =>
    fc.assert(fc.property(randomMessages, randomOptions, check), { seed: SEED, numRuns: 400 });

  test('nothing that was given is changed', () => {
    law((messages, options) => {
      const before = structuredClone([messages, options]);
      projectTranscript({ messages }, options, deps);
      expect([messages, options]).toEqual(before);
    });
  });

  test('kept and dropped messages are all of them, and redacted ones are kept', () => {
    law((messages, options) => {
      const result = projectTranscript({ messages }, options, deps);
      const all = [...result.kept_indices, ...result.dropped_indices].sort((a, b) => a - b);
      expect(all).toEqual(messages.map((_, index) => index));
      expect(result.kept_indices).toEqual(expect.arrayContaining([...result.redacted_indices]));
    });
  });

  test('signed messages go only when that is allowed', () => {
    law((messages, options) => {
      const result = projectTranscript({ messages }, options, deps);
      const input = inputOf(messages, null);
      const gone = [...result.dropped_indices, ...result.redacted_indices].filter((index) => input.facts(index).signed);
      expect(options.respect_provider_signatures === false ? [] : gone).toEqual([]);
      expect(result.provider_safety_blocked && options.respect_provider_signatures === 'per_turn').toBe(false);
    });
  });

  test('unanswered results stay as they are while they are protected', () => {
    law((messages, options) => {
      const result = projectTranscript({ messages }, options, deps);
      const input = inputOf(messages, null);
      const last = messages.findLastIndex((_, index) => input.facts(index).assistant);
      const touched = [...result.dropped_indices, ...result.redacted_indices].filter(
        (index) => last >= 0 && index > last && input.facts(index).results.length > 0,
      );
      expect(options.protect_unanswered === false ? [] : touched).toEqual([]);
    });
  });

  test('an event replays its projection, also after the transcript grew, and from ranges', () => {
    law((messages, options) => {
      const { event, ...result } = projectTranscript({ messages, summary: 'old' }, options, deps);
      const grown = { messages: [...messages, ...messages], summary: 'new' };
      const stored = JSON.parse(JSON.stringify(event)) as unknown;
      const replay = replayProjection(grown, stored, deps);
      expect(replay.matches).toBe(true);
      expect(replay.result).toMatchObject(result);
    });
  });

  test('the prefix of the projection is that of the raw messages under raw', () => {
    law((messages) => {
      const raw = projectTranscript({ messages }, undefined, deps);
      expect(raw.messages).toEqual(messages);
      expect(raw.reclaimed_chars).toBe(0);
    });
  });
});

describe('replay', () => {
  const project = (options: unknown) => projectTranscript({ messages: repaired }, options, deps);

  test('a custom projection by its indices, also as ranges', () => {
    const { event } = project({ policy: 'custom', projector: (messages: readonly Message[]) => messages.slice(2) });
    const ranges = { ...event, metadata: { ...event.metadata, kept_indices: [[2, 5]], dropped_indices: [[0, 1]] } };
    for (const given of [event, ranges]) {
      const { result, matches } = replayProjection({ messages: repaired }, given, deps);
      expect(matches).toBe(true);
      expect(result.messages).toEqual(repaired.slice(2));
      expect(result.kept_indices).toEqual([2, 3, 4, 5]);
    }
  });

  test('a custom projection with messages of its own does not match', () => {
    const { event } = project({ policy: 'custom', projector: () => [say('new')] });
    expect(replayProjection({ messages: repaired }, event, deps).matches).toBe(false);
  });

  test('a raw message that was changed is noticed', () => {
    const { event } = project('raw');
    const changed = [say('other'), ...repaired.slice(1)];
    expect(replayProjection({ messages: changed }, event, deps).matches).toBe(false);
  });

  test.each<[string, unknown]>([
    ['no event', null],
    ['another kind', { kind: 'x', metadata: {} }],
    ['no options', { kind: 'transcript.projection', metadata: { policy: 'raw' } }],
    [
      'a longer transcript',
      { kind: 'transcript.projection', metadata: { policy: 'raw', options: {}, kept_count: 99, dropped_count: 0 } },
    ],
    ['no counts', { kind: 'transcript.projection', metadata: { policy: 'raw', options: {} } }],
    [
      'wrong indices',
      {
        kind: 'transcript.projection',
        metadata: { policy: 'custom', options: {}, kept_indices: [[0, 1e12]], dropped_indices: [] },
      },
    ],
  ])('%s is an error', (_, event) => {
    expect(() => replayProjection({ messages: repaired }, event, deps)).toThrow(ProjectionError);
  });
});

test('ranges stand for the indices they were made from', () => {
  expect(toRanges([0, 1, 2, 5, 7, 8])).toEqual([
    [0, 2],
    [5, 5],
    [7, 8],
  ]);
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(60)), (list) => {
      const indices = [...list].sort((a, b) => a - b);
      expect(fromRanges(toRanges(indices))).toEqual(indices);
      expect(readIndices(toRanges(indices), 61)).toEqual(indices);
      expect(readIndices(indices, 61)).toEqual(indices);
    }),
    { seed: SEED },
  );
  expect([[1, 0], [[2, 1]], [[0, 61]], ['0'], [-1], 5].map((value) => readIndices(value, 61))).toEqual(
    Array(6).fill(null),
  );
});
