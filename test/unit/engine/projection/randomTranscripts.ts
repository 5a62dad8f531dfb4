import fc from 'fast-check';
import type { Json, Message } from '../../../../extension/engine/transcript/message';

const TOOLS = ['run', 'read_file', 'grep', 'src/odd'];
const IDS = ['a', 'b', 'call_1', ''];
const WORDS = [
  'src/a.rs',
  'src/b.rs',
  'parseFile',
  'read_file',
  'widget',
  '#12',
  'the',
  'a::b',
  'deadbeef',
  '😀',
  '\ud83d',
];

const id = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...IDS) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);
const tool = fc.constantFrom(...TOOLS);
const toolOrNone = fc.oneof({ weight: 6, arbitrary: tool }, { weight: 1, arbitrary: fc.constant(undefined) });
const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((list) => list.join(' '));
const callArguments = fc.oneof(
  fc.record({ path: words, n: fc.integer({ min: 0, max: 12 }) }),
  words.map((path) => JSON.stringify({ path })),
  words,
);

/** A result's text: failed or good, short or long enough to be replaced. */
const body = fc
  .tuple(fc.constantFrom('', 'Error: ', 'ok '), words, fc.constantFrom('', 'x '.repeat(160), 'x '.repeat(160)))
  .map((parts) => parts.join(''));

const flags = fc.constantFrom<Readonly<Record<string, Json>>[]>(
  {},
  {},
  { is_error: true },
  { is_error: false },
  { status: 'failed' },
  { data: { object_id: 'widget' } },
);

const blank = fc.constantFrom<Json>({ type: 'text', text: ' ' }, { type: 'text', text: '' });
const said = words.map((text): Json => ({ type: 'text', text }));
const thinking = fc.constantFrom<Json>(
  { type: 'thinking', thinking: 'hm' },
  { type: 'thinking', thinking: 'hm', signature: 'sig' },
  { type: 'redacted_thinking', data: 'xx' },
);
const rarely = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Value[]>([]) },
    { weight: 1, arbitrary: fc.array(arbitrary, { minLength: 1, maxLength: 2 }) },
  );

const chatCall = fc
  .tuple(id, toolOrNone, callArguments, fc.boolean())
  .map(([callId, name, args, nested]): Json =>
    nested
      ? { id: callId, type: 'function', function: { name, arguments: args } }
      : { id: callId, name, arguments: args },
  );
const blockCall = fc
  .tuple(id, toolOrNone, callArguments)
  .map(([callId, name, input]): Json => ({ type: 'tool_use', id: callId, name, input }));
const partCall = fc.tuple(id, tool, callArguments, fc.boolean()).map(([callId, name, args, signed]): Json => ({
  functionCall: { id: callId, name, args },
  ...(signed && callId === 'b' ? { thoughtSignature: 'sig' } : {}),
}));

const blockResult = fc.tuple(id, body, flags, fc.boolean()).map(([callId, text, more, list]): Json => ({
  type: 'tool_result',
  tool_use_id: callId,
  content: list ? [{ type: 'text', text }] : text,
  ...more,
}));
const partResult = fc.tuple(id, tool, body, flags).map(([callId, name, output, more]): Json => ({
  functionResponse: { id: callId, name, response: { output } },
  ...more,
}));

const calls = { minLength: 0, maxLength: 3 };
const message: fc.Arbitrary<Message> = fc.oneof(
  words.map((content) => ({ role: 'user', content })),
  fc.oneof(words, fc.constant('')).map((content) => ({ role: 'assistant', content })),
  fc
    .tuple(fc.constantFrom('', '', 'I try.'), fc.array(chatCall, calls))
    .map(([content, list]) => ({ role: 'assistant', content, tool_calls: list })),
  fc
    .tuple(rarely(thinking), rarely(fc.oneof(blank, said)), fc.array(blockCall, calls))
    .map((content) => ({ role: 'assistant', content: content.flat() })),
  fc.tuple(rarely(said), fc.array(partCall, calls)).map((parts) => ({ role: 'model', parts: parts.flat() })),
  fc.tuple(fc.array(chatCall, calls), fc.array(blockCall, calls)).map(([list, content]) => ({
    role: 'assistant',
    content,
    tool_calls: list,
  })),
  fc
    .tuple(id, toolOrNone, body, flags, fc.constantFrom('tool', 'tool_result'))
    .map(([callId, name, content, more, role]) => ({ role, tool_call_id: callId, name, content, ...more })),
  fc
    .tuple(fc.array(blockResult, calls), rarely(fc.oneof(blank, said, thinking)))
    .map((content) => ({ role: 'user', content: content.flat() })),
  fc.array(partResult, calls).map((parts) => ({ role: 'user', parts })),
);

interface Answered {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: Json;
  /** What its result says; null: it has none. */
  readonly answer: string | null;
}

const answered: fc.Arbitrary<Answered> = fc.record({
  id,
  name: fc.constantFrom('run', 'run', 'read_file'),
  args: callArguments,
  answer: fc.oneof({ weight: 9, arbitrary: body }, { weight: 1, arbitrary: fc.constant(null) }),
});

/** A turn as agents write them: calls, and a result for nearly each of them. */
const turn: fc.Arbitrary<readonly Message[]> = fc
  .record({
    style: fc.constantFrom('chat', 'block', 'part'),
    list: fc.array(answered, { minLength: 1, maxLength: 2 }),
    thinking: fc.array(thinking, { maxLength: 1 }),
    text: rarely(fc.oneof(blank, said)),
    beside: rarely(fc.oneof(blank, said)),
    swap: fc.boolean(),
  })
  .map(({ style, list, thinking: thoughts, text, beside, swap }) => {
    const answers = list.filter(({ answer }) => answer !== null);
    const results = swap ? answers.reverse() : answers;
    if (style === 'chat') {
      const tool_calls = list.map(({ id: callId, name, args }): Json => ({ id: callId, name, arguments: args }));
      return [
        { role: 'assistant', content: [...thoughts, ...text], tool_calls },
        ...results.map(({ id: callId, name, answer }): Message => ({
          role: 'tool',
          tool_call_id: callId,
          name,
          content: answer,
        })),
      ];
    }
    if (style === 'block') {
      const uses = list.map(({ id: callId, name, args }): Json => ({
        type: 'tool_use',
        id: callId,
        name,
        input: args,
      }));
      const blocks = results.map(({ id: callId, answer }): Json => ({
        type: 'tool_result',
        tool_use_id: callId,
        content: answer,
      }));
      return [
        { role: 'assistant', content: [...thoughts, ...text, ...uses] },
        { role: 'user', content: [...blocks, ...beside] },
      ];
    }
    const parts = list.map(({ id: callId, name, args }): Json => ({ functionCall: { id: callId, name, args } }));
    const responses = results.map(({ id: callId, name, answer }): Json => ({
      functionResponse: { id: callId, name, response: { output: answer } },
    }));
    return [
      { role: 'model', parts: [...text, ...parts] },
      { role: 'user', parts: responses },
    ];
  });

/** Messages of every shape: failed and good, signed and not, with missing, empty and repeated ids. */
export const randomMessages: fc.Arbitrary<readonly Message[]> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: turn },
      { weight: 1, arbitrary: fc.array(message, { minLength: 1, maxLength: 3 }) },
    ),
    { maxLength: 9, size: 'max' },
  )
  .map((turns) => turns.flat().map((one) => JSON.parse(JSON.stringify(one)) as Message));

const respect = fc.constantFrom(true, 'per_turn', false);
const material = fc.oneof(fc.constant(null), words, fc.record({ refs: fc.array(words, { maxLength: 2 }) }));

/** Options of every policy but custom. */
export const randomOptions: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.oneof(
  fc.record({ policy: fc.constant('raw') }),
  fc.record({
    policy: fc.constantFrom('clean_tool_repair', 'squash_failed_calls'),
    respect_provider_signatures: respect,
    protect_unanswered: fc.boolean(),
    reason: fc.constantFrom(null, 'tidy'),
  }),
  fc.record({
    policy: fc.constant('summary_prefix'),
    respect_provider_signatures: respect,
    protect_unanswered: fc.boolean(),
    keep_last: fc.integer({ min: 0, max: 8 }),
    summary: fc.constantFrom(null, 's'),
  }),
  fc.record({
    policy: fc.constant('reachability_gc'),
    respect_provider_signatures: respect,
    protect_unanswered: fc.boolean(),
    root_window: fc.constantFrom(0, 1, 1, 2, 3, 6),
    min_chars: fc.constantFrom(0, 20, 300),
    clear_at_least: fc.constantFrom(0, 0, 40),
    roots: material,
    write_barrier: material,
    require_write_barrier: fc.constantFrom(false, false, true),
  }),
);
