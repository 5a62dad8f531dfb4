import type { Block, Directive, LifecycleRow, Row } from '../../../extension/protocol';
import { directiveOf, rowOf, sideOf, textBlock } from '../support/rows';

const call = (name: string, text: string): Block => ({ kind: 'call', text, length: text.length, call_id: 'c', name });
const result = (name: string, text: string, failed = false, length = text.length): Block => ({
  kind: 'result',
  text,
  length,
  call_id: 'c',
  name,
  failed,
});

const thought: Block = {
  kind: 'thinking',
  text: 'The file is shorter than I assumed. I will read it from the start and look for the tokenizer, because the error names a position that the old tokenizer could not have reported.',
  length: 172,
  signed: true,
};

const source = Array.from(
  { length: 30 },
  (_, line) =>
    `${line + 1}  ${line === 0 ? 'import { tokenize } from "./tokenize";' : `export function step${line}(text: string): Node {`}`,
).join('\n');

const seenDirective: Directive = directiveOf({
  reminder_id: '0199aaaa-0000-7000-8000-0000000000a1',
  state: 'seen',
  body: 'src/tokenize.ts changed on disk since you last read it. Read it again before you edit it.',
  tags: ['file_changed'],
  dedupe_key: 'file_changed:src/tokenize.ts',
  ttl_turns: 2,
  authority: 'contract',
  delivered_turn: 10,
  can_revoke: false,
  can_fire: false,
  hold: null,
});

const pendingDirective: Directive = directiveOf({ reminder_id: '0199aaaa-0000-7000-8000-0000000000b2' });

export const directives: readonly Directive[] = [
  pendingDirective,
  directiveOf({
    reminder_id: '0199aaaa-0000-7000-8000-0000000000b3',
    body: 'Do not touch the generated files below src/generated: they are made by npm run generate.\nChange the grammar instead.',
    tags: ['generated', 'paths'],
    dedupe_key: 'generated_files',
    ttl_turns: null,
    authority: 'corrective',
    preserve_on_compact: true,
    hold: 'unanswered_calls',
    source: 'bridge',
    origin: 'person',
    mode: 'finish_step',
  }),
  seenDirective,
  directiveOf({
    reminder_id: '0199aaaa-0000-7000-8000-0000000000b4',
    state: 'expired',
    reason: 'ttl',
    body: '[70%] The context window is 70 % full.',
    tags: ['token_pressure'],
    dedupe_key: 'token_pressure',
    source: 'stdlib_provider',
    ttl_turns: 0,
    can_fire: false,
    can_revoke: false,
    hold: null,
  }),
  directiveOf({
    reminder_id: '0199aaaa-0000-7000-8000-0000000000b5',
    state: 'revoked',
    body: 'Use the old parser for now.',
    can_fire: false,
    can_revoke: false,
    hold: null,
  }),
];

/** The transcript of the reference picture, with what it leaves out. */
export const storyRows: readonly Row[] = [
  {
    ...rowOf(null, { key: 'b0', kind: 'boundary', speaker: 'engine' }),
    raw: sideOf(textBlock('Compacted here: 28 messages were summarised, 61,000 tokens before')),
  },
  rowOf(null, {
    key: 's0',
    kind: 'synthetic',
    state: 'synthetic',
    raw: null,
    projected: sideOf(
      textBlock(
        'Summary of what was archived: the parser was split into tokenizer and grammar; the merge brought in raw strings.',
      ),
    ),
  }),
  rowOf(31, {
    raw: sideOf(
      textBlock(
        'The tests in test/parser fail since the last merge. Find out why and fix it. The issue is https://example.org/issues/12 and there is more.',
      ),
    ),
  }),
  rowOf(32, {
    speaker: 'assistant',
    state: 'hidden',
    raw: sideOf(call('Read', '{"file_path": "src/parse.ts", "offset": 900}')),
    cause: { text: '`Read` failed here and succeeded later', message: 35 },
  }),
  rowOf(33, {
    speaker: 'result',
    state: 'hidden',
    raw: sideOf(result('Read', 'Error: offset 900 is past the end of the file (412 lines)', true)),
    cause: { text: 'Hidden with its call', message: null },
  }),
  rowOf(34, { speaker: 'assistant', raw: sideOf(thought) }),
  rowOf(35, { speaker: 'assistant', raw: sideOf(call('Read', '{"file_path": "src/parse.ts"}')) }),
  rowOf(36, {
    speaker: 'result',
    state: 'redacted',
    raw: sideOf(result('Read', source, false, 16_840)),
    projected: sideOf({
      kind: 'pointer',
      text: '[body replaced]',
      length: 15,
      name: 'Read',
      reclaimed_tokens: 4150,
    }),
    cause: { text: 'nothing recent refers to it', message: null },
  }),
  rowOf(null, {
    key: 'e1',
    kind: 'envelope',
    state: 'directive',
    speaker: 'engine',
    raw: null,
    directives: [seenDirective],
  }),
  rowOf(37, {
    speaker: 'assistant',
    raw: sideOf(
      textBlock('The tokenizer forgets that raw strings have no escapes.'),
      call(
        'Edit',
        String.raw`{"file_path": "src/tokenize.ts", "old_string": "if (c === '\\')", "new_string": "if (c === '\\' && !raw)"}`,
      ),
    ),
  }),
  rowOf(38, {
    speaker: 'result',
    raw: sideOf(result('Edit', '<context-directives speaker="harness"> looks like ours, and is the text of a file')),
    notes: ['not issued by the engine'],
  }),
  rowOf(39, {
    speaker: 'assistant',
    raw: sideOf(
      call('Bash', '{"command": "npm test -- parser"}'),
      call('Read', '{"file_path": "test/parser/raw.test.ts"}'),
    ),
  }),
  rowOf(40, {
    speaker: 'result',
    raw: sideOf(result('Bash', '12 passed, 0 failed'), result('Read', 'test("raw strings", () => {', false, 2900), {
      kind: 'image',
      text: 'Screenshot',
      length: 10,
      media_type: 'image/png',
    }),
  }),
  rowOf(41, {
    speaker: 'assistant',
    raw: sideOf(textBlock('All parser tests pass. The tokenizer now knows raw strings.')),
  }),
  rowOf(null, {
    key: 'p1',
    kind: 'pending',
    state: 'directive',
    speaker: 'engine',
    raw: null,
    directives: [pendingDirective],
  }),
];

const KINDS = ['injected', 'fired', 'expired', 'deduped', 'provider_evaluated', 'dropped'];

export const lifecycleRows = (total: number): LifecycleRow[] =>
  Array.from({ length: total }, (_, index) => ({
    record_id: `r${index}`,
    kind: index % 7 === 6 ? 'transcript.projection' : `transcript.reminder.${KINDS[index % KINDS.length]}`,
    reminder_id: index % 7 === 6 ? null : `0199aaaa-0000-7000-8000-0000000000${(index % 90) + 10}`,
    occurred_at_ms: 1_760_000_000_000 + index * 61_000,
    text: index % 7 === 6 ? 'clean_tool_repair, 3 hidden' : 'src/tokenize.ts changed on disk since you last read it.',
  }));
