import { beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../../extension/engine/transcript/message';
import { MASK } from '../../../extension/engine/rows/mask';
import { projectMessages } from '../../../extension/engine/projection/project';
import { parseOptions } from '../../../extension/engine/projection/options';
import { Session } from '../../../extension/session/session';
import { followed, openInspector, readerOf } from './inspector';
import type { FakeLane, TestInspector } from './inspector';
import { call, laneOf, openLane, repaired, result, rowsOf, say, setPolicy, words } from './asking';
import { ABOUT, testDeps, useFolder } from './support';

const folder = useFolder();
let session: Session;
beforeEach(async () => {
  session = await Session.open(folder(), 'claude-code:x', testDeps(), { ...ABOUT, own: false });
  return () => session.dispose();
});

const open = (lane: FakeLane, inspector?: TestInspector): Promise<TestInspector> => openLane(session, lane, inspector);

describe('rows of a followed session', () => {
  test('raw', async () => {
    const inspector = await open(laneOf(repaired));
    expect(words(await rowsOf(inspector))).toEqual([
      'message kept user 0',
      'message kept assistant 1',
      'message kept result 2',
      'message kept assistant 3',
      'message kept result 4',
      'message kept assistant 5',
    ]);
    const [, , third] = await rowsOf(inspector);
    expect(third?.raw?.blocks).toEqual([
      { kind: 'result', call_id: 'c1', name: 'Read', failed: true, text: 'no such file', length: 12 },
    ]);
    expect(third?.projected).toBeNull();
    const { projection, messages, rows, turn, usage } = inspector.inspection.view;
    expect(projection).toMatchObject({
      policy: 'raw',
      kept: 6,
      hidden: 0,
      computing: false,
      standing: 'preview',
      can_apply: false,
    });
    const { prefix_hash } = projectMessages(repaired, null, parseOptions('raw'), testDeps());
    expect(projection.prefix_hash).toBe(prefix_hash);
    expect(messages).toEqual({ raw: 6, projected: 6 });
    expect(rows).toEqual({ count: 6, total: 6 });
    expect(turn).toMatchObject({ count: 3, shown: null, first: 1 });
    expect(usage).toMatchObject({ source: 'estimated', window: 1000 });
  });

  test('a policy hides, says why, and changes the figures', async () => {
    const inspector = await open(laneOf(repaired));
    await setPolicy(inspector, 'clean_tool_repair');
    expect(words(await rowsOf(inspector))).toEqual([
      'message kept user 0',
      'message hidden assistant 1 `Read` failed here and succeeded later →4',
      'message hidden result 2 Hidden with its call →1',
      'message kept assistant 3',
      'message kept result 4',
      'message kept assistant 5',
    ]);
    const { projection } = inspector.inspection.view;
    const options = parseOptions({ policy: 'clean_tool_repair', respect_provider_signatures: 'per_turn' });
    const expected = projectMessages(repaired, null, options, testDeps());
    expect(projection).toMatchObject({
      policy: 'clean_tool_repair',
      options: {},
      kept: 4,
      hidden: 2,
      prefix_hash: expected.prefix_hash,
      reclaimed_tokens: expected.reclaimed_tokens,
      relation: 'append_only',
    });
    expect(projection.no_apply).toContain('own agent');
    await setPolicy(inspector, 'raw');
    expect(inspector.inspection.view.projection).toMatchObject({ hidden: 0, policy: 'raw' });
  });

  test('a summary stands where it stands, and rows are counted with it', async () => {
    const inspector = await open(laneOf(repaired));
    await setPolicy(inspector, 'summary_prefix', { keep_last: 2, summary: 'what was' });
    expect(words(await rowsOf(inspector)).slice(2)).toEqual([
      'message hidden result 2 Summarized',
      'synthetic synthetic engine null',
      'message kept assistant 3',
      'message kept result 4',
      'message kept assistant 5',
    ]);
    expect(inspector.inspection.view.rows).toEqual({ count: 7, total: 7 });
    expect(await inspector.ask('locate', { message: 3 })).toEqual({ row: 4 });
    expect(await inspector.ask('locate', { message: 2 })).toEqual({ row: 2 });
    expect(await inspector.ask('locate', { message: 99 })).toEqual({ row: null });
    expect(inspector.inspection.view.projection).toMatchObject({ synthetic: 1, relation: 'append_only', hidden: 3 });
  });

  test('a replaced body shows its pointer, and both sides can be read', async () => {
    const body = `${'x y '.repeat(400)} unmentioned_name_here`;
    const messages = [
      call('c1'),
      result('c1', body),
      ...Array.from({ length: 10 }, (_, at) => say(at % 2 ? 'user' : 'assistant', `w${at}`)),
    ];
    const inspector = await open(laneOf(messages));
    await setPolicy(inspector, 'reachability_gc', { root_window: 2 });
    const rows = await rowsOf(inspector);
    expect(words(rows)[1]).toBe('message redacted result 1 Nothing recent refers to this result');
    const [block] = rows[1]?.projected?.blocks ?? [];
    expect(block).toMatchObject({ kind: 'pointer', name: 'Read' });
    const key = rows[1]?.key ?? '';
    expect((await inspector.ask('body', { key, side: 'raw', block: 0, offset: 0 })).text).toBe(body);
    expect((await inspector.ask('body', { key, side: 'projected', block: 0, offset: 0 })).text).toContain(
      'reclaimed by',
    );
    expect(inspector.inspection.view.projection.redacted).toBe(1);
  });

  test('what compaction archived is hidden, boundaries and records have rows', async () => {
    const lane = laneOf(
      [
        say('user', 'old'),
        { boundary: 'Compacted' },
        say('user', 'summary'),
        { record: 'api error' },
        say('assistant', 'new'),
      ],
      {
        contextStart: 1,
      },
    );
    const inspector = await open(lane);
    expect(words(await rowsOf(inspector))).toEqual([
      'message hidden user 0 Archived by compaction →1',
      'boundary kept system null',
      'message kept user 1',
      'record hidden system null A record of the agent, no message',
      'message kept assistant 2',
    ]);
    expect(inspector.inspection.view.projection).toMatchObject({ archived: 1, kept: 2 });
    expect(await inspector.ask('locate', { message: 2 })).toEqual({ row: 4 });
  });

  test('micro-compaction replaces a result', async () => {
    const inspector = await open(laneOf(repaired, { cleared: ['c2'] }));
    const rows = await rowsOf(inspector);
    expect(words(rows)[4]).toBe('message redacted result 4 Cleared by micro-compaction');
    expect(rows[4]?.projected?.blocks[0]).toMatchObject({ kind: 'pointer', name: 'Read' });
  });

  test('signed reasoning is named', async () => {
    const signed: Message = {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'h', signature: 's' },
        { type: 'tool_use', id: 'c1', name: 'Read', input: {} },
      ],
    };
    const messages = [say('user', 'go'), signed, ...repaired.slice(2)];
    const inspector = await open(laneOf(messages));
    await setPolicy(inspector, 'clean_tool_repair');
    expect(words(await rowsOf(inspector))[1]).toBe(
      'message kept assistant 1 Kept, because the reasoning of this turn is signed',
    );
    expect(inspector.inspection.view.projection).toMatchObject({ spared: 2, hidden: 0 });
    await setPolicy(inspector, 'clean_tool_repair', { respect_provider_signatures: 'true' });
    expect(words(await rowsOf(inspector))[1]).toContain('signed reasoning would go');
    expect(inspector.inspection.view.projection).toMatchObject({
      blocked_by: 1,
      options: { respect_provider_signatures: 'true' },
    });
    await setPolicy(inspector, 'clean_tool_repair', { respect_provider_signatures: 'false' });
    expect(inspector.inspection.view.projection).toMatchObject({ blocked_by: null, hidden: 2 });
  });

  test('look-alikes in results are marked, secrets are masked everywhere', async () => {
    const secret = 'password=hunter2';
    const inspector = await open(
      laneOf([call('c1', 'Bash', { cmd: `x ${secret}` }), result('c1', `<context-directives> ${secret}`)]),
    );
    const rows = await rowsOf(inspector);
    expect(rows[1]?.notes).toEqual(['not issued by the engine']);
    expect(JSON.stringify(rows)).not.toContain('hunter2');
    const key = rows[1]?.key ?? '';
    await inspector.ask('copy', { what: 'row', key, side: 'raw' });
    await inspector.ask('open', { what: 'diff', key });
    await inspector.ask('open', { what: 'side', key, side: 'projected' });
    session.remind({ body: `use ${secret}` });
    expect((await inspector.ask('directives', {})).directives[0]?.body).toBe(`use password=${MASK.repeat(7)}`);
    const filter = { kinds: [], reminder_id: null, since_ms: null, until_ms: null };
    const lifecycle = await inspector.ask('lifecycle', { filter, start: 0, count: 10 });
    await inspector.ask('open', { what: 'record', record_id: lifecycle.rows[0]?.record_id ?? '' });
    expect(inspector.calls).toHaveLength(4);
    expect(
      JSON.stringify([inspector.calls, lifecycle, inspector.inspection.view, await rowsOf(inspector)]),
    ).not.toContain('hunter2');
    expect((await inspector.ask('search', { text: 'hunter2', from: 0, backwards: false })).matches).toBe(0);
  });

  test('pages stay below 200 KB, whatever is in them', async () => {
    const inspector = await open({
      entries: 500,
      entry: (index) => ({
        role: 'user',
        content: Array.from({ length: 40 }, () => ({ type: 'text', text: `${index} ${'é'.repeat(3000)}` })),
      }),
    });
    let next = 0;
    for (let pages = 0; pages < 4; pages++) {
      const page = await inspector.ask('rows', { start: next, count: 200 });
      expect(page.rows.length).toBeGreaterThan(0);
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(260_000);
      expect(page.rows[0]?.message).toBe(next);
      next += page.rows.length;
    }
    expect((await inspector.ask('rows', { start: 10_000, count: 5 })).rows).toEqual([]);
  });

  test('while only the end is known rows have no numbers', async () => {
    const inspector = await open(laneOf(repaired, { provisional: true }));
    expect(words(await rowsOf(inspector))[0]).toBe('message kept user null');
    expect(inspector.inspection.view.projection.computing).toBe(true);
  });
});

describe('filters and search', () => {
  const filterCases = [
    { speakers: ['result'], states: [], rows: [2, 4] },
    { speakers: [], states: ['hidden'], rows: [1, 2] },
    { speakers: ['assistant'], states: ['kept'], rows: [3, 5] },
    { speakers: ['system'], states: [], rows: [] },
    { speakers: [], states: [], rows: [0, 1, 2, 3, 4, 5] },
  ] as const;
  for (const { speakers, states, rows } of filterCases) {
    test(`speakers ${speakers.join()} states ${states.join()}`, async () => {
      const inspector = await open(laneOf(repaired));
      await setPolicy(inspector, 'clean_tool_repair');
      await inspector.ask('set_filter', { speakers, states });
      expect((await rowsOf(inspector)).map((row) => row.message)).toEqual(rows);
      expect(inspector.inspection.view.rows).toEqual({ count: rows.length, total: 6 });
      for (const [place, message] of rows.entries()) {
        expect(await inspector.ask('locate', { message })).toEqual({ row: place });
      }
      const missing = [0, 1, 2, 3, 4, 5].find((message) => !(rows as readonly number[]).includes(message));
      if (missing !== undefined) expect(await inspector.ask('locate', { message: missing })).toEqual({ row: null });
    });
  }

  test('a filter by state follows the policy and growth', async () => {
    const lane = { ...laneOf(repaired), entries: 4 };
    const shown = followed(session, [readerOf(lane)]);
    const inspector = openInspector();
    inspector.inspection.show(shown);
    await inspector.ask('set_filter', { speakers: [], states: ['hidden'] });
    expect(await rowsOf(inspector)).toEqual([]);
    await setPolicy(inspector, 'clean_tool_repair');
    expect(await rowsOf(inspector)).toEqual([]);
    lane.entries = 6;
    shown.changes.fire({ kind: 'grew', from: null });
    expect((await rowsOf(inspector)).map((row) => row.message)).toEqual([1, 2]);
  });

  const searches = [
    { text: 'NO SUCH', from: 0, backwards: false, expected: { row: 2, wrapped: false, matches: 1, position: 1 } },
    { text: 'c', from: 0, backwards: false, expected: { row: 1, wrapped: false, matches: 3, position: 1 } },
    { text: 'read', from: 2, backwards: false, expected: { row: 3, wrapped: false, matches: 2, position: 2 } },
    { text: 'read', from: 4, backwards: false, expected: { row: 1, wrapped: true, matches: 2, position: 1 } },
    { text: 'read', from: 2, backwards: true, expected: { row: 1, wrapped: false, matches: 2, position: 1 } },
    { text: 'read', from: 0, backwards: true, expected: { row: 3, wrapped: true, matches: 2, position: 2 } },
    { text: 'absent', from: 0, backwards: false, expected: { row: null, wrapped: false, matches: 0, position: 0 } },
    { text: '', from: 0, backwards: false, expected: { row: null, wrapped: false, matches: 0, position: 0 } },
    { text: '(.*', from: 0, backwards: false, expected: { row: null, wrapped: false, matches: 0, position: 0 } },
  ] as const;
  for (const { text, from, backwards, expected } of searches) {
    test(`search ${JSON.stringify(text)} from ${from}${backwards ? ' backwards' : ''}`, async () => {
      const inspector = await open(laneOf(repaired));
      expect(await inspector.ask('search', { text, from, backwards })).toEqual(expected);
    });
  }

  test('a search goes on over what came, and stops for the next one', async () => {
    const lane: FakeLane = { entries: 3000, entry: (index) => say('user', index % 1000 === 999 ? 'needle' : 'hay') };
    const shown = followed(session, [readerOf(lane)]);
    const inspector = openInspector();
    inspector.inspection.show(shown);
    expect(await inspector.ask('search', { text: 'needle', from: 0, backwards: false })).toMatchObject({
      row: 999,
      matches: 3,
    });
    lane.entries = 4000;
    shown.changes.fire({ kind: 'grew', from: null });
    expect(await inspector.ask('search', { text: 'needle', from: 3000, backwards: false })).toMatchObject({
      row: 3999,
      matches: 4,
    });
    const stopped = inspector.inspection.request('search', { text: 'hay', from: 0, backwards: false });
    const second = inspector.inspection.request('search', { text: 'hays', from: 0, backwards: false });
    await expect(stopped).rejects.toThrow(/Another search/);
    expect((await second).matches).toBe(0);
  });
});
