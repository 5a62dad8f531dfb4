import type { Facts } from '../../extension/formats/facts';
import type { IssueKind } from '../../extension/formats/issue';
import { answer, call, fileOf, progress, prompt, result, system, text, thinking, type TestRecord } from './claudeLines';

/** A session and what a reader must find in it. */
export interface Fixture {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The facts that matter; the others are not looked at. */
  readonly facts: Partial<Facts>;
  /** Line and kind of every issue. */
  readonly issues?: readonly (readonly [number, IssueKind])[];
  /** Messages and entries of each lane, the active branch first. */
  readonly lanes: readonly { readonly messages: number; readonly entries: number }[];
  /** First message of the active branch that the model still sees. */
  readonly context_start?: number;
}

const utf8 = (content: string): Uint8Array => new TextEncoder().encode(content);
const side = (id?: string): TestRecord => ({ isSidechain: true, ...(id === undefined ? {} : { agentId: id }) });
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };
const summary = (leafUuid: string): TestRecord => ({ type: 'summary', summary: 'Weeding the garden', leafUuid });
const reminder = '<system-reminder>\nThe beds were raked.\n</system-reminder>';
const good = prompt('u1', null, 'Rake the beds');
const goodLine = JSON.stringify(good);

const pretty = JSON.stringify(answer('p1', 'u1', 'mp', text('spread out')), null, 2);

export const fixtures: readonly Fixture[] = [
  {
    name: 'a plain turn: thinking, text and a call of one answer, its result, and the last word',
    bytes: utf8(
      fileOf(
        {
          type: 'file-history-snapshot',
          messageId: 'u1',
          snapshot: { trackedFileBackups: {} },
          isSnapshotUpdate: false,
        },
        prompt('u1', null, 'What is in a.ts?'),
        answer('a1', 'u1', 'm1', thinking('I should look.')),
        answer('a2', 'a1', 'm1', text('I look.')),
        answer('a3', 'a2', 'm1', call('c1')),
        result('r1', 'a3', 'c1', 'export {};'),
        answer('a4', 'r1', 'm2', text('Nothing.')),
      ),
    ),
    facts: { lines: 7, messages: 4, tool_calls: 1, tool_errors: 0, signed: 1, last_usage: 550, versions: ['2.1.20'] },
    lanes: [{ messages: 4, entries: 4 }],
  },
  {
    name: 'parallel calls: results hang on different records of one answer, and that is no fork',
    bytes: utf8(
      fileOf(
        prompt('u1', null, 'Look at both'),
        answer('a1', 'u1', 'm1', call('c1')),
        answer('a2', 'a1', 'm1', call('c2')),
        progress('p1', 'a2'),
        result('r2', 'a2', 'c2', 'second'),
        result('r1', 'a1', 'c1', 'first', { is_error: true }),
        answer('a3', 'r2', 'm2', text('Both seen.')),
      ),
    ),
    facts: { messages: 5, tool_calls: 2, tool_errors: 1, real_forks: 0 },
    lanes: [{ messages: 5, entries: 5 }],
  },
  {
    name: 'a rewind: two prompts below one answer; the last one is the active branch',
    bytes: utf8(
      fileOf(
        prompt('u1', null, 'Begin'),
        answer('a1', 'u1', 'm1', text('Begun.')),
        system('s1', 'a1', 'turn_duration', { durationMs: 5 }),
        prompt('u2', 'a1', 'Go left'),
        answer('a2', 'u2', 'm2', text('Left.')),
        prompt('u3', 'a1', 'Go right'),
        answer('a3', 'u3', 'm3', text('Right.')),
      ),
    ),
    facts: { messages: 6, real_forks: 1 },
    lanes: [
      { messages: 4, entries: 5 },
      { messages: 4, entries: 5 },
    ],
  },
  {
    name: 'resumed after an interruption: two answers below one prompt, the second one made up by the agent',
    bytes: utf8(
      fileOf(
        prompt('u1', null, 'Begin'),
        answer('a1', 'u1', 'm1', text('')),
        prompt('i1', 'a1', [text('[Request interrupted by user]')]),
        answer('a2', 'u1', 'm2', text('No response requested.'), {
          message: {
            id: 'made-up',
            model: '<synthetic>',
            role: 'assistant',
            content: [text('No response requested.')],
            usage: { input_tokens: 0, output_tokens: 0 },
          },
        }),
        progress('p1', 'a2'),
        prompt('u2', 'p1', 'Again'),
        answer('a3', 'u2', 'm3', text('Done.')),
      ),
    ),
    facts: { messages: 6, real_forks: 1, last_usage: 550 },
    lanes: [
      { messages: 4, entries: 4 },
      { messages: 3, entries: 3 },
    ],
  },
  {
    name: 'the first prompt edited: two roots',
    bytes: utf8(
      fileOf(
        prompt('u1', null, 'One'),
        answer('a1', 'u1', 'm1', text('1')),
        prompt('u2', null, 'Two'),
        answer('a2', 'u2', 'm2', text('2')),
      ),
    ),
    facts: { messages: 4, real_forks: 0 },
    lanes: [
      { messages: 2, entries: 2 },
      { messages: 2, entries: 2 },
    ],
  },
  {
    name: 'sub-agents in the same file, without ids and with one',
    bytes: utf8(
      fileOf(
        prompt('u1', null, 'Ask two'),
        answer('a1', 'u1', 'm1', call('t1', 'Task', { prompt: 'Count the pots' })),
        prompt('x1', null, 'Count the pots', side()),
        answer('x2', 'x1', 'mx', text('Three.'), side()),
        result('r1', 'a1', 't1', 'Three.'),
        prompt('y1', null, 'Count the spades', side('b7')),
        answer('y2', 'y1', 'my', text('Two.'), side('b7')),
        prompt('z1', null, 'And again', side('b7')),
        answer('a2', 'r1', 'm2', text('Five in all.')),
      ),
    ),
    facts: { messages: 9, sidechain_records: 5, last_usage: 550, real_forks: 0 },
    lanes: [
      { messages: 4, entries: 4 },
      { messages: 2, entries: 2 },
      { messages: 3, entries: 3 },
    ],
  },
  {
    name: 'a sub-agent’s own file: everything is a sidechain, and shown as the active branch',
    bytes: utf8(fileOf(prompt('x1', null, 'Count', side('b7')), answer('x2', 'x1', 'mx', text('Three.'), side('b7')))),
    facts: { messages: 2, sidechain_records: 2, last_usage: null },
    lanes: [{ messages: 2, entries: 2 }],
  },
  {
    name: 'micro-compaction and compaction, joined by the logical parent; records before it are written again',
    bytes: utf8(
      fileOf(
        prompt('u1', null, 'Begin'),
        answer('a1', 'u1', 'm1', call('c1')),
        result('r1', 'a1', 'c1', 'a long result'),
        system('k1', 'r1', 'microcompact_boundary', {
          content: 'Context microcompacted',
          microcompactMetadata: { preTokens: 900, tokensSaved: 300, compactedToolIds: ['c1'] },
        }),
        answer('a2', 'k1', 'm2', text('On.')),
        answer('a2', 'k1', 'm2', text('On.')),
        {
          ...system('k2', null, 'compact_boundary', { compactMetadata: { trigger: 'auto', preTokens: 1000 } }),
          logicalParentUuid: 'a2',
        },
        prompt('s1', 'k2', 'What went before.', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
        answer('a3', 's1', 'm3', text('Further.')),
      ),
    ),
    facts: { messages: 6, compactions: 1, microcompactions: 1, tool_calls: 1 },
    issues: [[6, 'duplicate']],
    lanes: [{ messages: 6, entries: 8 }],
    context_start: 4,
  },
  {
    name: 'a compaction whose logical parent is not in the file still follows what was before it',
    bytes: utf8(
      fileOf(
        prompt('u1', null, 'Begin'),
        { ...system('k2', null, 'compact_boundary'), logicalParentUuid: 'elsewhere' },
        prompt('s1', 'k2', 'What went before.', { isCompactSummary: true }),
      ),
    ),
    facts: { messages: 2, compactions: 1 },
    lanes: [{ messages: 2, entries: 3 }],
    context_start: 1,
  },
  {
    name: 'images, one of them in a result and once more beside it',
    bytes: utf8(
      fileOf(
        prompt('u1', null, [image, text('What is this?')]),
        answer('a1', 'u1', 'm1', call('c1')),
        result('r1', 'a1', 'c1', [image], { toolUseResult: { type: 'image', file: { base64: PIXEL } } }),
      ),
    ),
    facts: { messages: 3, tool_calls: 1 },
    lanes: [{ messages: 3, entries: 3 }],
  },
  {
    name: 'lines of 343 KB, errors of the API, and calls without a result at the end',
    bytes: utf8(
      fileOf(
        prompt('u1', null, 'Read the book'),
        answer('a1', 'u1', 'm1', call('c1')),
        result('r1', 'a1', 'c1', [{ type: 'document', source: { type: 'base64', data: 'QUJD'.repeat(85_750) } }]),
        system('e1', 'r1', 'api_error', { error: { status: 529 }, retryAttempt: 1 }),
        system('e2', 'e1', 'api_error', { error: {}, retryAttempt: 2 }),
        answer('a2', 'e2', 'm2', call('c2')),
        answer('a3', 'a2', 'm2', call('c3')),
      ),
    ),
    facts: { messages: 4, tool_calls: 3 },
    lanes: [{ messages: 4, entries: 6 }],
  },
  {
    name: 'mostly progress, in it the messages of a sub-agent with reminders, which nobody else is shown',
    bytes: utf8(
      fileOf(
        prompt('u1', null, 'Go'),
        answer('a1', 'u1', 'm1', call('c1', 'Task', {})),
        ...Array.from({ length: 60 }, (_, i) =>
          progress(`p${i}`, i === 0 ? 'a1' : `p${i - 1}`, {
            data: {
              type: 'agent_progress',
              message: { ...prompt(`q${i}`, null, reminder), isSidechain: true, parentUuid: 'nowhere' },
              uuid: 'not-mine',
            },
          }),
        ),
        { type: 'queue-operation', operation: 'enqueue', sessionId: 's', content: reminder },
        result('r1', 'p59', 'c1', 'Done.'),
      ),
    ),
    facts: { lines: 64, messages: 3, sidechain_records: 0, tool_calls: 1 },
    lanes: [{ messages: 3, entries: 3 }],
  },
  {
    name: 'look-alikes: nested members, texts that look like records, keys in another order and with escapes',
    bytes: utf8(
      fileOf(
        prompt('u1', null, '","uuid":"fake","type":"assistant","parentUuid":"u9","isSidechain":true,"x":"'),
        '{"uuid":"a1","message":{"content":[{"input":{"type":"tool_result","tool_use_id":"no","is_error":true,"id":"no"},' +
          '"name":"Read","id":"c1","type":"tool_use"}],"id":"m1","usage":{"input_tokens":1,"output_tokens":2,"nested":' +
          '{"input_tokens":99}},"role":"assistant"},"parentUuid":"u1","type":"assistant"}\n',
        '{ "typ\\u0065" : "user" ,\t"uuid":"\\u0072\\u0031","parentUuid":"a1","message":{"role":"user","content":' +
          '[{"tool_use_id":"\\u0063\\u0031","type":"tool_result","is_error":true,"content":[{"type":"tool_use","id":"c8"}]}]}}\n',
        '{"type":"user","type":"assistant","uuid":"a2","parentUuid":"r1","message":{"id":"m2","content":[]}}\n',
      ),
    ),
    facts: { messages: 4, tool_calls: 1, tool_errors: 1, last_usage: 3, sidechain_records: 0 },
    lanes: [{ messages: 4, entries: 4 }],
  },
  {
    name: 'parents that are missing, their own, in a circle, later in the file, or of a wrong type',
    bytes: utf8(
      fileOf(
        prompt('u1', 'lost', 'One'),
        answer('a1', 'a1', 'm1', text('my own parent')),
        answer('c1', 'c2', 'm2', text('circle')),
        answer('c2', 'c1', 'm2', text('circle')),
        prompt('u2', 'u3', 'My parent comes later'),
        prompt('u3', 'a1', 'Later'),
        { ...prompt('u4', null, 'wrong'), parentUuid: [] },
        prompt('u5', 'u2', 'Last'),
      ),
    ),
    facts: { messages: 7 },
    issues: [[7, 'wrong-shape']],
    lanes: [
      { messages: 6, entries: 6 },
      { messages: 1, entries: 1 },
    ],
  },
  {
    name: 'broken lines: each is lost, says why, and costs nothing else',
    bytes: concat(
      utf8('\uFEFF' + fileOf(good)),
      utf8('\n  \r\n'),
      utf8(`${goodLine.slice(0, 90)}\n`),
      utf8('null\n42\n["no"]\n"no"\n'),
      utf8(`${pretty}\n`),
      utf8(`${JSON.stringify(answer('a1', 'u1', 'm1', text('with a carriage return')))}\r\n`),
      utf8(`${JSON.stringify({ type: 'from-tomorrow', uuid: 'f1', parentUuid: 'a1' })}\n`),
      utf8(fileOf(good)),
      utf8(`${goodLine.slice(0, -1)},}\n`),
      concat(utf8('{"type":"user","bad'), new Uint8Array([0xff, 0xfe]), utf8('":1}\n')),
      utf8(fileOf({ type: 'user', message: null, uuid: 'w1', parentUuid: 'nowhere' })),
      utf8(fileOf({ type: 'assistant', message: { content: 'a text' }, uuid: 7, parentUuid: {} })),
      utf8(
        fileOf({
          type: 'user',
          uuid: 'w2',
          parentUuid: null,
          message: { content: [null, 7, { type: 'tool_result' }, { type: 'text' }] },
        }),
      ),
      new Uint8Array([0, 0, 0, 0, 10]),
      utf8('{"value":NaN,"type":"system"}\n'),
      utf8(`${goodLine}${JSON.stringify(summary('u1'))}\n`),
      utf8(`${JSON.stringify(answer('a2', 'a1', 'm2', text('one line\u2028separator\u2029inside')))}\n`),
      utf8(`${JSON.stringify(prompt('u9', 'a2', 'and the last is cut – größer')).slice(0, -20)}`),
    ),
    facts: { malformed: 11 + pretty.split('\n').length, messages: 6 },
    lanes: [{ messages: 6, entries: 7 }],
  },
];

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
