import fc from 'fast-check';
import { expect, test } from 'vitest';
import { causeOf, stateOf } from '../../../../extension/engine/projection/decision';
import { decide } from '../../../../extension/engine/projection/decide';
import type { GrowingProjectionDeps } from '../../../../extension/engine/projection/growing/projection';
import { createProjection } from '../../../../extension/engine/projection/growing/projection';
import { parseOptions } from '../../../../extension/engine/projection/options';
import { inputOf, projectTranscript } from '../../../../extension/engine/projection/project';
import type { Message } from '../../../../extension/engine/transcript/message';
import { createSha256 } from '../../../../extension/io/hash';
import { randomMessages, randomOptions } from './randomTranscripts';

const SEED = 20260101;
const deps = { createHash: createSha256, newId: () => 'id' };

/** Everything a person can see of a decision. */
function seen(decision: Parameters<typeof stateOf>[0]) {
  return Array.from({ length: decision.length }, (_, index) => ({
    state: stateOf(decision, index),
    cause: causeOf(decision, index),
  }));
}

/** Appends the messages piece by piece and compares with the pure function after each. */
function checkGrowth(
  messages: readonly Message[],
  options: Readonly<Record<string, unknown>>,
  cuts: readonly number[],
  summary: string | null,
  more: (appended: readonly Message[]) => Partial<GrowingProjectionDeps>,
): void {
  const appended: Message[] = [];
  const projection = createProjection(options, { ...deps, summary, ...more(appended) });
  let start = 0;
  for (const end of [...cuts, messages.length]) {
    const totals = projection.append(messages.slice(start, end));
    appended.push(...messages.slice(start, end));
    start = end;
    const pure = projectTranscript({ messages: messages.slice(0, end), summary }, options, deps);
    expect(pure).toMatchObject(totals);
    expect(projection.result()).toEqual(pure);
    const input = inputOf(messages.slice(0, end), summary);
    expect(seen(projection.decision)).toEqual(seen(decide(input, parseOptions(options), createSha256)));
  }
}

const cuts = fc.array(fc.nat(24), { maxLength: 24 });
const cutsBelow = (length: number, list: readonly number[]) =>
  list.map((cut) => Math.min(cut, length)).sort((a, b) => a - b);

test('a growing projection is the pure one after every append, whatever the split', () => {
  fc.assert(
    fc.property(randomMessages, randomOptions, cuts, fc.constantFrom(null, 'old'), (messages, options, list, summary) =>
      checkGrowth(messages, options, cutsBelow(messages.length, list), summary, () => ({})),
    ),
    { seed: SEED, numRuns: 400 },
  );
});

test('message by message, with messages that are read again and not kept', () => {
  fc.assert(
    fc.property(randomMessages, randomOptions, (messages, options) =>
      checkGrowth(
        messages,
        options,
        messages.map((_, index) => index),
        null,
        (appended) => ({ message: (index) => JSON.parse(JSON.stringify(appended[index])) as Message }),
      ),
    ),
    { seed: SEED, numRuns: 200 },
  );
});

const call = (id: string, signed = false, path = ''): Message => ({
  role: 'assistant',
  content: [
    ...(signed ? [{ type: 'thinking', thinking: 'hm', signature: 'sig' }] : []),
    { type: 'tool_use', id, name: 'run', input: { path } },
  ],
});
const answer = (id: string, content: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
});
const say = (content: string): Message => ({ role: 'user', content });
const long = ' x'.repeat(300);

test.each<[string, Readonly<Record<string, unknown>>, readonly Message[]]>([
  [
    'a signed turn that blocks brings back what was hidden long before',
    { policy: 'squash_failed_calls' },
    [call('a'), answer('a', 'Error: 1'), say('on'), call('b', true), answer('b', 'Error: 2'), call('c'), say('end')],
  ],
  [
    'a late success hides what failed long before',
    { policy: 'clean_tool_repair' },
    [call('a'), answer('a', 'Error: 1'), ...Array.from({ length: 60 }, () => say('on')), call('b'), answer('b', 'ok')],
  ],
  [
    'a body comes back when it is spoken of again, and goes again',
    { policy: 'reachability_gc', root_window: 1 },
    [
      call('a', false, 'src/a.rs'),
      answer('a', long),
      call('b'),
      say('src/a.rs'),
      say('on'),
      say('src/a.rs'),
      say('on'),
    ],
  ],
  [
    'an unanswered result is a root only until it is answered',
    { policy: 'reachability_gc', root_window: 2 },
    [
      call('a', false, 'src/a.rs'),
      answer('a', long),
      call('b'),
      answer('b', 'src/a.rs'),
      say('on'),
      say('on'),
      call('c'),
      answer('c', 'src/a.rs'),
      say('on'),
      say('src/a.rs'),
      call('d'),
      say('src/a.rs'),
    ],
  ],
])('%s', (_, options, messages) => {
  checkGrowth(
    messages,
    options,
    messages.map((_message, index) => index),
    null,
    () => ({}),
  );
});

test('custom projections grow too', () => {
  const options = { policy: 'custom', projector: (messages: readonly Message[]) => messages.slice(1) };
  fc.assert(
    fc.property(randomMessages, cuts, (messages, list) =>
      checkGrowth(messages, options, cutsBelow(messages.length, list), null, () => ({})),
    ),
    { seed: SEED, numRuns: 50 },
  );
});
