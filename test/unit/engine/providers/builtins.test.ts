import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../extension/engine/transcript/message';
import { runs, seedOf } from '../../../support/random';
import { builtins, evaluate, type Given } from './evaluate';

function checkBody(id: string, given: Given, ...parts: readonly (string | null)[]): void {
  const reminder = evaluate(id, given);
  if (parts.includes(null)) expect(reminder?.body).toBeUndefined();
  else expect(reminder?.body).toBeDefined();
  for (const part of parts) if (part !== null) expect(reminder?.body).toContain(part);
}

const use = (tokens: Json, window?: Json): Given => ({ payload: { context_tokens: tokens, context_window: window } });

test.each<[string, Given, string | null]>([
  ['below', use(139_999, 200_000), null],
  ['at .70', use(140_000, 200_000), '[70%] The context holds 140000 of 200000 tokens.'],
  ['at .95', use(190_000, 200_000), '[95%] '],
  ['over the window', use(250, 200), '[95%] The context holds 250 of 200 tokens.'],
  ['no window', use(190_000), null],
  ['a window of 0 is none', { ...use(75, 0), session: { model_context_window: 100 } }, '[70%] '],
  ['numbers only', use('190000', 200_000), null],
])('token_pressure: %s', (_, given, body) => checkBody('token_pressure', given, body));

test.each<[string, Given, string | null]>([
  ['default', { payload: { wake_interval_ms: 61_500 } }, 'for 61 s'],
  [
    '`idle_seconds` before `seconds`',
    { payload: { wake_interval_ms: 5000 }, config: { idle_seconds: 5, seconds: 9 } },
    'for 5 s',
  ],
  ['a bad limit is the default', { payload: { wake_interval_ms: 5000 }, config: { seconds: '1' } }, null],
  ['no interval', {}, null],
])('idle_nudge: %s', (_, given, body) => checkBody('idle_nudge', given, body));

test.each<[string, Given, string | null]>([
  ['compacted', { payload: { tool_name: 'grep', result: { compacted: true } } }, 'The output of `grep` was cut'],
  ['no tool', { payload: { truncated: true } }, 'The output of a tool was cut'],
  ['a hostile name', { payload: { tool_name: 'a`\n\u001b[31mb', truncated: true } }, "The output of `a' b` was cut"],
  ['only true is true', { payload: { truncated: 'yes', result: { truncated: 1 } } }, null],
])('tool_output_truncated: %s', (_, given, body) => checkBody('tool_output_truncated', given, body));

test.each<[string, Given, string | null]>([
  ['one', { payload: { archived_messages: 1 } }, '1 earlier message left'],
  ['a blank summary is none', { payload: { archived_messages: 2, summary: ' \n' } }, 'what you need of them.'],
  ['nothing archived', { payload: { archived_messages: 0, summary: 'text' } }, null],
])('post_compact_recap: %s', (_, given, body) => checkBody('post_compact_recap', given, body));

test.each<[string, Given, readonly string[]]>([
  ['nothing known', {}, ['now goes on.']],
  ['input as text', { payload: { resume: { input: ' go on ' } } }, ['Input given with it:\ngo on']],
  ['input as an object', { payload: { resume: { input: { a: 1 } } } }, ['Input given with it:\n{"a":1}']],
  ['a digest', { payload: { digest: 'seven files', continue_transcript: false } }, ['In short:\nseven files']],
])('resume_continuity: %s', (_, given, parts) => checkBody('resume_continuity', given, ...parts));

test.each<[string, Given, readonly (string | null)[]]>([
  [
    'roots',
    { session: { anchor: { primary: '/repo', additional_roots: [{ path: '/lib' }, { path: ' ' }, '/doc', 7] } } },
    ['Primary root: `/repo`\nMounted roots: `/lib`, `/doc`'],
  ],
  ['roots alone', { session: { anchor: { additional_roots: [{ path: '/lib' }] } } }, ['Mounted roots: `/lib`']],
  [
    'many',
    { session: { anchor: { primary: '/r', additional_roots: Array.from({ length: 25 }, (_, i) => `/${String(i)}`) } } },
    ['`/19` and 5 more'],
  ],
  ['an empty anchor', { session: { anchor: {} } }, [null]],
])('workspace_anchor: %s', (_, given, parts) => checkBody('workspace_anchor', given, ...parts));

const fact = (claim: string, more: { readonly [key: string]: Json } = {}): Json => ({
  schema: 'harn.fact.v1',
  kind: 'Decision',
  claim,
  confidence: 0.9,
  evidence: [{ kind: 'FileRange', ref: 'src/a.ts:1' }],
  recorded_at: '2026-01-01T00:00:00Z',
  ...more,
});

/** The claims named in a reminder about these facts, in order; each claim is one letter. */
function checkFacts(facts: readonly Json[], given: Given, claims: string): void {
  const session = { ...given.session, facts: { 'project/facts': facts } };
  const body = evaluate('project_facts', { ...given, session })?.body ?? '';
  expect([...body.matchAll(/^- \w+: (\w)/gm)].map(([, claim]) => claim).join('')).toBe(claims);
}

const dated = (claim: string, recorded_at: Json): Json => fact(claim, { recorded_at });

test.each<[string, readonly Json[], Given, string]>([
  [
    'by relevance, then by time',
    [dated('A tea', '2026-03-01'), fact('B flush order'), dated('C tea', '2026-04-01'), fact('D flush')],
    { session: { task: 'flush order' } },
    'BDCA',
  ],
  [
    '`relevance_query` before the task',
    [fact('A x1'), fact('B x2')],
    { config: { relevance_query: 'x2' }, session: { task: 'x1' } },
    'BA',
  ],
  [
    'a word of the evidence',
    [fact('A'), fact('B', { evidence: [{ ref: 'lib/flush.ts' }] })],
    { session: { task: 'flush' } },
    'BA',
  ],
  [
    'time without a zone, as a number, none',
    [dated('A', null), dated('B', '2026-02-01T10:00:00'), dated('C', 1.8e12)],
    {},
    'CBA',
  ],
  ['a repeated claim once', [fact('A'), fact('B'), dated('A', '2026-05-01')], {}, 'AB'],
  ['`max_facts`', [fact('A'), fact('B'), fact('C')], { config: { max_facts: 2 } }, 'AB'],
  ['`max_facts` of 0', [fact('A')], { config: { max_facts: 0 } }, ''],
  ['confidence that is no number', [fact('A', { confidence: '1' }), fact('B', { confidence: 0.5 })], {}, 'B'],
  [
    'one kind as text',
    [fact('A', { kind: 'Constraint' }), fact('B')],
    { config: { kind_filter: ' CONSTRAINT ' } },
    'A',
  ],
  [
    'another scope or root',
    [fact('A', { scope: 'x' }), fact('B', { root: '/b' }), fact('C')],
    { config: { scope: 'y', root: '/b' } },
    'BC',
  ],
  [
    'below the ratio',
    [fact('A')],
    { event: 'on_budget_threshold', ...use(49, 100), config: { refresh_ratio: 0.5 } },
    '',
  ],
  ['at the ratio', [fact('A')], { event: 'on_budget_threshold', ...use(50, 100), config: { refresh_ratio: 0.5 } }, 'A'],
  ['no use known', [fact('A')], { event: 'on_budget_threshold' }, ''],
  ['no facts among others', [5, null, {}, fact('A', { claim: ' ' }), fact('B', { schema: 'v2' })], {}, ''],
])('project_facts: %s', (_, facts, given, claims) => checkFacts(facts, given, claims));

test('project_facts: a namespace is no member of every object', () => {
  checkBody('project_facts', { config: { namespace: 'constructor' }, session: { facts: {} } }, null);
});

const long = ['🚀漢', 'e\u0301', '👩‍👩‍👧‍👦', '🇩🇪', 'a\ud83d', 'क्षि'].map((unit) => unit.repeat(20_000));

test.each(long)('a long text is cut between characters: %.8s', (text) => {
  const given: Readonly<Record<string, Given>> = {
    grounded_review: { event: 'post_step', payload: { diagnostics: [{ severity: 'error', message: text }] } },
    post_compact_recap: { payload: { archived_messages: 1, summary: text } },
    resume_continuity: { payload: { suspension: { reason: text }, resume: { input: text } } },
    tool_output_truncated: { payload: { tool_name: text, truncated: true } },
    workspace_anchor: { session: { anchor: { primary: text } } },
    project_facts: { session: { facts: { 'project/facts': [fact(text)] } } },
  };
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const whole = new Set(
    [...segmenter.segment(text.slice(0, 660).replace(/\p{Surrogate}/gu, ''))]
      .map(({ segment }) => segment)
      .slice(0, 12),
  );
  for (const [id, each] of Object.entries(given)) {
    const { body = '' } = evaluate(id, each) ?? {};
    expect(body.length, id).toBeLessThan(9000);
    expect(body, id).not.toMatch(/\p{Surrogate}/u);
    const cut = [...body.matchAll(/([^\n`]*)…/gu)].map(
      ([, before = '']) => [...segmenter.segment(before)].at(-1)?.segment,
    );
    expect(cut.length, id).toBeGreaterThan(0);
    for (const last of cut) expect(whole, id).toContain(last);
  }
});

const seed = seedOf(907);
const keys = [
  'result',
  'tool',
  'args',
  'cmd',
  'text',
  'truncated',
  'compacted',
  'is_error',
  'parse_errors',
  'name',
  'path',
].concat(
  [
    'undefined_names',
    'diagnostics',
    'severity',
    'message',
    'verifier_signals',
    'signal',
    'reason',
    'archived_messages',
  ],
  [
    'summary',
    'suspension',
    'resume',
    'input',
    'digest',
    'context_tokens',
    'context_window',
    'wake_interval_ms',
    'task',
  ],
  [
    'anchor',
    'primary',
    'additional_roots',
    'facts',
    'project/facts',
    'schema',
    'claim',
    'evidence',
    'recorded_at',
    'limit',
  ],
);
const { value: anything } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom<Json>(
      true,
      'error',
      'refused',
      'harn.fact.v1',
      'tsc; pytest -q',
      'FAILED a.py::b',
      '\ud83d',
      99,
      -1,
      1e308,
    ),
    fc.string({ unit: 'binary' }),
    fc.jsonValue() as fc.Arbitrary<Json>,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...keys, '__proto__', 'constructor'), tie('value'), { maxKeys: 8 }),
  ),
}));
const object = fc.dictionary(fc.constantFrom(...keys), anything);

describe(`any payload (seed ${String(seed)})`, () => {
  test.each(builtins.map((provider) => [provider.id, provider] as const))(
    '%s leaves a reminder or nothing',
    (id, provider) => {
      fc.assert(
        fc.property(
          fc.constantFrom(...provider.subscribes_to),
          object,
          object,
          object,
          (event, payload, session, config) => {
            const before = JSON.stringify([payload, session, config]);
            const first = evaluate(id, { event, payload, session, config });
            expect(evaluate(id, { event, payload, session, config })).toEqual(first);
            expect(JSON.stringify([payload, session, config])).toBe(before);
            expect(first?.body ?? '').not.toMatch(/\p{Surrogate}/u);
          },
        ),
        { seed, numRuns: runs(150) },
      );
    },
  );
});
