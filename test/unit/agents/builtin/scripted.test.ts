import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ModelPart, ModelRequest } from '../../../../extension/agents/builtin/model';
import { matchPattern } from '../../../../extension/agents/builtin/models/pattern';
import { readScenario } from '../../../../extension/agents/builtin/models/scenario';
import type { Scenario } from '../../../../extension/agents/builtin/models/scenarioSchema';
import { ScriptedModel } from '../../../../extension/agents/builtin/models/scripted';
import { describeScenario } from '../../../../extension/agents/builtin/models/scenarioSchema';
import { projectTranscript } from '../../../../extension/engine/projection/project';
import type { Message } from '../../../../extension/engine/transcript/message';
import { createSha256 } from '../../../../extension/io/hash';
import { makeFolder } from './folder';
import type { Setup } from './loopSetup';
import { blocksOf, messagesOf, resultTexts, shapeOf, startLoop, unanswered } from './loopSetup';

const SAMPLE = 'media/sample';

async function sampleScenario(): Promise<Scenario> {
  return readScenario(await readFile(join(SAMPLE, 'scenario.json'), 'utf8'), 'scenario.json');
}

function scenario(parts: Partial<Scenario>): Scenario {
  return { name: 'test', turns: [{ steps: [{ text: 'One.' }] }], ...parts };
}

async function partsOf(
  model: ScriptedModel,
  messages: readonly Message[],
  signal = new AbortController().signal,
): Promise<ModelPart[]> {
  const request: ModelRequest = { system: '', messages, tools: [] };
  const parts: ModelPart[] = [];
  for await (const part of model.send(request, signal)) parts.push(part);
  return parts;
}

/** Texts of the assistant's messages, calls as `name(path)`. */
function answers(setup: Setup): string[] {
  return messagesOf(setup.session)
    .filter((message) => message.role === 'assistant')
    .map((message) =>
      blocksOf(message)
        .map((block) =>
          block.type === 'text'
            ? String(block.text as string)
            : `${String(block.name as string)}(${JSON.stringify(block.input)})`,
        )
        .join(' | '),
    );
}

describe('a scenario is played', () => {
  interface Row {
    readonly name: string;
    readonly scenario: Partial<Scenario>;
    /** Messages of the person, one run each; an object is injected as a reminder before the next. */
    readonly says: readonly (string | { readonly remind: string })[];
    readonly answers: readonly string[];
  }
  const list = [{ name: 'list_files', input: {} }];
  const two = [{ steps: [{ text: 'A1', calls: list }, { text: 'A2' }] }, { steps: [{ text: 'B1' }] }];
  const reads = {
    name: 'reads',
    when: { directive: '`{{path}}` changed' },
    steps: [
      { text: 'See {{path}}.', calls: [{ name: 'read_file', input: { path: '{{path}}' } }] },
      { text: 'Read {{path}}.' },
    ],
  };
  const rows: readonly Row[] = [
    { name: 'turn by turn', scenario: { turns: two }, says: ['x', 'y'], answers: ['A1 | list_files({})', 'A2', 'B1'] },
    {
      name: 'played to its end, it says so',
      scenario: {},
      says: ['x', 'y', 'z'],
      answers: [
        'One.',
        expect.stringContaining('played to its end') as string,
        expect.stringContaining('played to its end') as string,
      ],
    },
    {
      name: 'then over and over',
      scenario: { then: [{ steps: [{ text: 'T1' }] }, { steps: [{ text: 'T2' }] }] },
      says: ['a', 'b', 'c', 'd'],
      answers: ['One.', 'T1', 'T2', 'T1'],
    },
    {
      name: 'a directive, with the script at rest',
      scenario: { turns: two, rules: [reads] },
      says: ['x', { remind: '`a.ts` changed.' }, 'y'],
      answers: ['A1 | list_files({})', 'A2', 'See a.ts. | read_file({"path":"a.ts"})', 'Read a.ts.\n\nB1'],
    },
    {
      name: 'a directive that no rule knows',
      scenario: { turns: two, rules: [reads] },
      says: [{ remind: 'Other.' }, 'x'],
      answers: ['A1 | list_files({})', 'A2'],
    },
    {
      name: 'escaped characters are matched as written',
      scenario: { rules: [{ name: 'any', when: { directive: '{{text}}' }, steps: [{ text: 'Noted: {{text}}' }] }] },
      says: [{ remind: 'a < b && c > d' }, 'x'],
      answers: ['Noted: a < b && c > d\n\nOne.'],
    },
    {
      name: 'what a person says',
      scenario: { rules: [{ name: 'hello', when: { user: 'hello {{name}}' }, steps: [{ text: 'Hello {{name}}!' }] }] },
      says: ['hello World', 'go'],
      answers: ['Hello World!', 'One.'],
    },
    {
      name: 'a call to an unknown tool and broken arguments',
      scenario: {
        turns: [
          {
            steps: [
              {
                calls: [
                  { name: 'fly', input: {} },
                  { name: 'read_file', input: '{"pa' },
                ],
              },
              { text: 'Sorry.' },
            ],
          },
        ],
      },
      says: ['x'],
      answers: ['fly({}) | read_file("{\\"pa")', 'Sorry.'],
    },
  ];
  for (const row of rows) {
    test(row.name, async () => {
      const model = new ScriptedModel(scenario(row.scenario));
      const setup = await startLoop({ files: { 'a.ts': 'x' }, model });
      for (const say of row.says) {
        if (typeof say === 'string') await (await setup.loop.send(say)).run;
        else setup.session.inject({ body: say.remind });
      }
      const found = answers(setup);
      expect(found).toEqual(row.answers);
      expect(unanswered(setup.session)).toEqual([]);
    });
  }

  test('a directive while a turn of the script is under way', async () => {
    const turns = [{ steps: [{ text: 'A1', calls: list, wait_for: 'continue' as const }, { text: 'A2' }] }];
    const model = new ScriptedModel(scenario({ turns, rules: [reads] }));
    const setup = await startLoop({ files: { 'a.ts': 'x' }, model });
    const { run } = await setup.loop.send('x');
    await expect.poll(() => setup.session.state.projections.length).toBe(1);
    setup.session.remind({ body: '`a.ts` changed.' });
    model.continue();
    await run;
    expect(answers(setup)).toEqual([
      'A1 | list_files({})',
      'See a.ts. | read_file({"path":"a.ts"})',
      'Read a.ts.\n\nA2',
    ]);
  });

  test('it waits for a file', async () => {
    const root = await makeFolder();
    const model = new ScriptedModel(scenario({ turns: [{ steps: [{ text: 'Go.', wait_for: { file: 'go' } }] }] }), {
      workspace: root,
    });
    const parts = partsOf(model, [{ role: 'user', content: 'x' }]);
    await writeFile(join(root, 'go'), '');
    expect((await parts).filter((part) => part.type === 'text')).toEqual([{ type: 'text', text: 'Go.' }]);
  });

  test.each(['continue' as const, { file: 'never' }])('a stop ends the wait for %j', async (wait_for) => {
    const model = new ScriptedModel(scenario({ turns: [{ steps: [{ text: 'Go.', wait_for }] }] }));
    const controller = new AbortController();
    const parts = partsOf(model, [{ role: 'user', content: 'x' }], controller.signal);
    controller.abort(new Error('stopped'));
    await expect(parts).rejects.toThrow('stopped');
  });

  test.each([
    { kind: 'refused' as const, shape: 'user assistant', requests: 'request.refused' },
    { kind: 'failed' as const, shape: 'user assistant', requests: 'request.refused' },
    { kind: 'broken_off' as const, shape: 'user assistant assistant', requests: 'request.sent' },
  ])('it fails as told: $kind', async ({ kind, shape, requests }) => {
    const turns = [{ steps: [{ text: 'Half of it.', fail: { kind, message: 'Try again.' } }, { text: 'Well.' }] }];
    const model = new ScriptedModel(scenario({ turns }));
    const { loop, session, records } = await startLoop({ model });
    expect(await (await loop.send('x')).run).toEqual({ reason: 'failed', error: 'Try again.' });
    await loop.start('continue');
    expect(shapeOf(session)).toBe(shape);
    expect(records.find((record) => record.event.kind.startsWith('request.'))?.event.kind).toBe(requests);
  });

  test('opened again it goes on where it was', async () => {
    const first = await startLoop({ model: new ScriptedModel(scenario({ turns: two })) });
    await (
      await first.loop.send('x')
    ).run;
    first.session.dispose();
    const again = { folder: first.folder, root: first.root };
    const second = await startLoop({ again, model: new ScriptedModel(scenario({ turns: two })) });
    await (
      await second.loop.send('y')
    ).run;
    expect(answers(second).at(-1)).toBe('B1');
  });

  test.each(['clean_tool_repair', 'squash_failed_calls', 'reachability_gc', 'summary_prefix'])(
    'and goes on under %s',
    async (policy) => {
      const turns = [
        { steps: [{ calls: [{ name: 'fly' }] }, { calls: [{ name: 'fly' }] }, { text: 'A' }] },
        { steps: [{ text: 'B' }] },
      ];
      const setup = await startLoop({ model: new ScriptedModel(scenario({ turns })), policy });
      await (
        await setup.loop.send('x')
      ).run;
      await (
        await setup.loop.send('y')
      ).run;
      expect(answers(setup)).toEqual(['fly({})', 'fly({})', 'A', 'B']);
    },
  );

  test('the same request gets the same answer, in pieces that make up the text', async () => {
    const text = 'A  text with\nseveral words, and  spaces. ';
    const model = new ScriptedModel(scenario({ turns: [{ steps: [{ text, calls: list }] }] }), { delay_ms: 0 });
    const messages = [{ role: 'user', content: 'x' }];
    const parts = await partsOf(model, messages);
    expect(await partsOf(model, messages)).toEqual(parts);
    const pieces = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('')).toBe(text);
    expect(parts.at(-1)).toMatchObject({ type: 'usage' });
  });
});

describe('a scenario that is broken', () => {
  const rows: readonly { name: string; text: string; says: readonly string[] }[] = [
    { name: 'empty', text: ' ', says: ['s.json is empty', '`turns`'] },
    { name: 'no JSON', text: '{\n  "name": "x",\n  oops\n}', says: ['s.json is no JSON (line 3)', 'Correct the file'] },
    { name: 'cut off', text: '{\n"name": "x",\n', says: ['is no JSON (line 3)'] },
    { name: 'a list', text: '[]', says: ['the file:', 'expected object'] },
    { name: 'no turns', text: '{"name":"x"}', says: ['turns:'] },
    {
      name: 'an unknown key',
      text: '{"name":"x","turns":[{"steps":[{"text":"a","say":"b"}]}]}',
      says: ['turns[0].steps[0]', '"say"'],
    },
    {
      name: 'a step with nothing in it',
      text: '{"name":"x","turns":[{"steps":[{}]}]}',
      says: ['turns[0].steps[0]: a step needs `text`, `calls` or `fail`'],
    },
    {
      name: 'a wrong kind of failure',
      text: '{"name":"x","turns":[{"steps":[{"fail":{"kind":"boom","message":"m"}}]}]}',
      says: ['turns[0].steps[0].fail.kind', '"refused"', '"broken_off"'],
    },
    {
      name: 'a rule without a name',
      text: '{"name":"x","turns":[{"steps":[{"text":"a"}]}],"rules":[{"when":{"user":"x"},"steps":[{"text":"a"}]}]}',
      says: ['rules[0].name'],
    },
    {
      name: 'many faults',
      text: `{"name":"x","turns":[{"steps":[${Array.from({ length: 9 }, () => '{}').join(',')}]}]}`,
      says: ['and 4 more'],
    },
  ];
  for (const row of rows) {
    test(row.name, async () => {
      const failure = await readScenario(row.text, 's.json').then(
        () => null,
        (error: unknown) => error,
      );
      expect(failure).toMatchObject({ name: 'ScenarioError' });
      for (const said of row.says) expect((failure as Error).message).toContain(said);
    });
  }

  test('the schema for editors is that of the code', async () => {
    const file = JSON.parse(await readFile('media/scenario.schema.json', 'utf8')) as unknown;
    expect(file).toEqual(describeScenario());
  });
});

test.each([
  { pattern: '`{{path}}` changed', text: 'x `a b.ts` changed on', found: { path: 'a b.ts' } },
  { pattern: '{{n}} of {{m}}', text: '3 of 12\nmore', found: { n: '3', m: '12' } },
  { pattern: '{{text}}', text: 'one\ntwo', found: { text: 'one' } },
  { pattern: 'a.b*', text: 'a.b*c', found: {} },
  { pattern: 'a.b', text: 'axb', found: null },
])('pattern $pattern in $text', ({ pattern, text, found }) => {
  expect(matchPattern(pattern, text)).toEqual(found);
});

describe('the sample session', () => {
  async function startSample(): Promise<Setup & { scenario: Scenario }> {
    const root = await makeFolder();
    await cp(SAMPLE, root, { recursive: true });
    const sample = await sampleScenario();
    const folder = await makeFolder();
    const setup = await startLoop({
      again: { root, folder },
      model: new ScriptedModel(sample, { delay_ms: 0 }),
      allow: true,
    });
    return { ...setup, scenario: sample };
  }

  test('all of it, from the opening to the loop at its end', async () => {
    const { loop, session, scenario: sample, root } = await startSample();
    for (const say of [sample.opening ?? '', 'Go ahead.', 'Yes.', 'And now?', 'And now?', 'And now?']) {
      expect(await (await loop.send(say)).run).toEqual({ reason: 'finished', error: null });
    }
    const failed = resultTexts(session).filter((text) => /does not exist|# fail [1-9]/.test(text));
    expect(failed.length).toBe(3);
    expect(await readFile(join(root, 'src/tokens.js'), 'utf8')).toContain('(?:\\.\\d+)?');
    expect(await readFile(join(root, 'README.md'), 'utf8')).toContain("parseDuration('1.5h')");
    expect(resultTexts(session).filter((text) => text.includes('# fail 0')).length).toBe(1);
    expect(unanswered(session)).toEqual([]);
  });

  test('every policy has something to do in it', async () => {
    const { loop, session, scenario: sample } = await startSample();
    for (const say of [sample.opening ?? '', 'Go ahead.', 'Yes.', 'And now?', 'And now?'])
      await (
        await loop.send(say)
      ).run;
    const project = (policy: string) =>
      projectTranscript({ messages: messagesOf(session) }, policy, { createHash: createSha256, newId: () => 'id' });
    expect(project('clean_tool_repair').dropped_count).toBeGreaterThanOrEqual(6);
    expect(project('squash_failed_calls').dropped_count).toBeGreaterThanOrEqual(4);
    expect(project('summary_prefix').dropped_count).toBeGreaterThan(20);
    expect(project('reachability_gc').redacted_count).toBeGreaterThanOrEqual(1);
  });

  test('a saved file is seen, read again, and the script goes on', async () => {
    const { loop, session, scenario: sample, root } = await startSample();
    await (
      await loop.send(sample.opening ?? '')
    ).run;
    await writeFile(join(root, 'src/duration.js'), '// changed\n');
    await (
      await loop.send('Go ahead.')
    ).run;
    const texts = messagesOf(session)
      .flatMap(blocksOf)
      .map((block) => block.text);
    expect(texts).toContain('I see that src/duration.js changed; I read it again.');
    expect(texts).toContain('I have src/duration.js as it is now and go on from there.\n\nFirst the pattern.');
  });
});
