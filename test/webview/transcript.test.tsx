import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Block, Row } from '../../extension/protocol';
import { generatedRows } from './preview/million';
import { storyRows } from './preview/story';
import { openInspector, rowAt, toolkitButton } from './support/open';
import { directiveOf, rowOf, sideOf, textBlock } from './support/rows';

const block = (change: Partial<Block> & { kind: Block['kind'] }): Block =>
  ({
    text: 'text',
    length: 4,
    signed: false,
    call_id: null,
    name: 'Read',
    failed: false,
    media_type: 'image/png',
    reclaimed_tokens: 4150,
    ...change,
  }) as unknown as Block;

interface RowCase {
  readonly title: string;
  readonly row: Row;
  readonly state: string;
  /** Texts of the cells. */
  readonly raw: RegExp;
  readonly model: RegExp;
}

const cases: readonly RowCase[] = [
  { title: 'kept', row: rowOf(7), state: 'kept', raw: /^User.*message number 7/, model: /^User.*message number 7/ },
  {
    title: 'hidden, with a link to the cause',
    row: rowOf(3, { state: 'hidden', cause: { text: '`Read` failed here and succeeded later', message: 5 } }),
    state: 'hidden',
    raw: /message number 3/,
    model: /^Hidden: Read failed here and succeeded later, message 5$/,
  },
  {
    title: 'kept for its signature',
    row: rowOf(3, { cause: { text: 'Kept, because the reasoning of this turn is signed', message: null } }),
    state: 'kept',
    raw: /^User\s*\d*message number 3/,
    model: /^UserKept, because the reasoning of this turn is signed.*message number 3/,
  },
  {
    title: 'hidden, when the cause begins with that word',
    row: rowOf(3, { state: 'hidden', cause: { text: 'Hidden with its call', message: null } }),
    state: 'hidden',
    raw: /message number 3/,
    model: /^Hidden with its call$/,
  },
  {
    title: 'replaced by a pointer',
    row: rowOf(4, {
      state: 'redacted',
      speaker: 'result',
      raw: sideOf(block({ kind: 'result', text: 'line', length: 4 })),
      projected: sideOf(block({ kind: 'pointer' })),
      cause: { text: 'nothing recent refers to it', message: null },
    }),
    state: 'redacted',
    raw: /^Result.*of Read/,
    model: /Body replaced: nothing recent refers to it.*about 4,150 tokens.*Show raw/,
  },
  {
    title: 'synthetic',
    row: rowOf(null, { kind: 'synthetic', state: 'synthetic', raw: null, projected: sideOf(textBlock('Summary')) }),
    state: 'synthetic',
    raw: /^not in the raw transcript/,
    model: /synthetic.*Summary/,
  },
  {
    title: 'a delivered directive',
    row: rowOf(null, {
      kind: 'envelope',
      state: 'directive',
      speaker: 'engine',
      raw: null,
      directives: [
        directiveOf({
          state: 'seen',
          authority: 'contract',
          ttl_turns: 2,
          dedupe_key: 'k',
          can_revoke: false,
          can_fire: false,
        }),
      ],
    }),
    state: 'directive',
    raw: /^not in the raw transcript/,
    model: /^Directivecontract · 2 turnskseenCorrect…The narrow test run/,
  },
  {
    title: 'a pending directive',
    row: rowOf(null, {
      kind: 'pending',
      state: 'directive',
      speaker: 'engine',
      raw: null,
      directives: [directiveOf()],
    }),
    state: 'directive',
    raw: /^goes with the next request/,
    model: /^Directiveadvisory · 1 turnpendingFire now would start turn 12, with 1 otherFire nowRevoke/,
  },
  {
    title: 'a held directive',
    row: rowOf(null, {
      kind: 'pending',
      state: 'directive',
      raw: null,
      directives: [directiveOf({ hold: 'unanswered_calls' })],
    }),
    state: 'directive',
    raw: /^held until every tool call has its result/,
    model: /pending/,
  },
  {
    title: 'signed thinking',
    row: rowOf(1, {
      speaker: 'assistant',
      raw: sideOf(block({ kind: 'thinking', signed: true, text: 'so', length: 2 })),
    }),
    state: 'kept',
    raw: /^Assistantthinking, signed/,
    model: /^Assistantthinking, signed/,
  },
  {
    title: 'a call',
    row: rowOf(1, { speaker: 'assistant', raw: sideOf(block({ kind: 'call', text: '{"a": 1}', length: 8 })) }),
    state: 'kept',
    raw: /^Assistantcalls Read.*\{"a": 1\}/,
    model: /^Assistantcalls Read/,
  },
  {
    title: 'a failed result',
    row: rowOf(1, { speaker: 'result', raw: sideOf(block({ kind: 'result', failed: true })) }),
    state: 'kept',
    raw: /^Resultof Readfailed/,
    model: /^Resultof Readfailed/,
  },
  {
    title: 'a picture',
    row: rowOf(1, { raw: sideOf(block({ kind: 'image', text: '' })) }),
    state: 'kept',
    raw: /Image, image\/png/,
    model: /Image, image\/png/,
  },
  {
    title: 'what is not understood',
    row: rowOf(1, { raw: sideOf(block({ kind: 'other', text: '{"odd": true}', length: 13 })) }),
    state: 'kept',
    raw: /"odd": true/,
    model: /"odd": true/,
  },
  {
    title: 'a look-alike',
    row: rowOf(1, { notes: ['not issued by the engine'] }),
    state: 'kept',
    raw: /not issued by the engine/,
    model: /not issued by the engine/,
  },
];

async function checkRow({ row, state, raw, model }: RowCase): Promise<void> {
  await openInspector({ rows: [row] });
  const grid = screen.getByRole('grid', { name: 'Transcript' });
  expect(grid.getAttribute('aria-rowcount')).toBe('1');
  const element = rowAt(0);
  expect(element.dataset.state).toBe(state);
  const [left, right] = within(element).getAllByRole('gridcell');
  await waitFor(() => {
    expect(left?.textContent).toMatch(raw);
    expect(right?.textContent).toMatch(model);
  });
}

describe('a row', () => {
  it.each(cases)('$title', checkRow);

  it('of a boundary goes over the whole width', async () => {
    await openInspector({ rows: storyRows });
    expect(within(rowAt(0)).getAllByRole('gridcell')).toHaveLength(1);
    expect(rowAt(0).textContent).toMatch(/^Compacted here/);
  });

  const hostile = '<img src=x onerror="globalThis.broken = true"><script>globalThis.broken = true</script>';
  it.each<{ title: string; row: Row }>([
    { title: 'text', row: rowOf(0, { raw: sideOf(textBlock(hostile)) }) },
    { title: 'a call', row: rowOf(0, { raw: sideOf(block({ kind: 'call', text: hostile, name: hostile })) }) },
    { title: 'a result', row: rowOf(0, { raw: sideOf(block({ kind: 'result', text: hostile })) }) },
    { title: 'a reason', row: rowOf(0, { state: 'hidden', cause: { text: hostile, message: null } }) },
    { title: 'a note', row: rowOf(0, { notes: [hostile] }) },
    {
      title: 'a directive',
      row: rowOf(null, {
        state: 'directive',
        raw: null,
        directives: [directiveOf({ body: hostile, dedupe_key: hostile })],
      }),
    },
  ])('shows hostile content of $title as text', async ({ row }) => {
    await openInspector({ rows: [row] });
    expect(rowAt(0).textContent).toContain(hostile);
    expect(document.querySelector('img, script')).toBeNull();
    expect('broken' in globalThis).toBe(false);
  });

  it('asks before an address is opened', async () => {
    const { user, waitAsked } = await openInspector({
      rows: [rowOf(0, { raw: sideOf(textBlock('see https://example.org/a?b=1. Then go on')) })],
    });
    expect(document.querySelector('a[href]')).toBeNull();
    await user.click(screen.getAllByRole('button', { name: 'https://example.org/a?b=1' })[0] as HTMLElement);
    await waitAsked('link', { url: 'https://example.org/a?b=1' });
  });

  it('opens long text part by part, on both sides at once', async () => {
    const { user, asked } = await openInspector({
      rows: [rowOf(0, { raw: sideOf(block({ kind: 'result', text: 'start', length: 5000 })) })],
      answers: {
        body: ({ offset }) => (offset === 0 ? { text: 'first part, ', next: 12 } : { text: 'the end', next: null }),
      },
    });
    const element = rowAt(0);
    await user.click(within(element).getAllByRole('button', { name: 'more, 5,000 characters' })[0] as HTMLElement);
    await within(element).findAllByText('first part,');
    await user.click(within(element).getAllByRole('button', { name: /^more, 12 of 5,000/ })[0] as HTMLElement);
    expect(await within(element).findAllByText('first part, the end')).toHaveLength(2);
    expect(asked('body')).toEqual([
      { key: 'm0', side: 'raw', block: 0, offset: 0 },
      { key: 'm0', side: 'raw', block: 0, offset: 12 },
    ]);
    await user.click(within(element).getAllByRole('button', { name: 'less' })[0] as HTMLElement);
    expect(within(element).queryByText('first part, the end')).toBeNull();
  });

  it('shows the raw body behind a pointer', async () => {
    const { user, waitAsked } = await openInspector({ rows: storyRows });
    await user.click(screen.getByRole('button', { name: 'Show raw' }));
    await waitAsked('body', { key: 'm36', side: 'raw', block: 0, offset: 0 });
    expect(await screen.findByText('the whole text')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Hide raw' }));
    expect(screen.queryByText('the whole text')).toBeNull();
  });
});

describe('keys in the list', () => {
  const rows = Array.from({ length: 400 }, (_, row) => rowOf(row));
  const active = (): string | null =>
    screen.getByRole('grid', { name: 'Transcript' }).getAttribute('aria-activedescendant');

  it.each<{ title: string; keys: string; row: number }>([
    { title: 'down', keys: '{ArrowDown}{ArrowDown}', row: 2 },
    { title: 'up', keys: '{ArrowDown}{ArrowDown}{ArrowUp}', row: 1 },
    { title: 'up at the top', keys: '{ArrowUp}', row: 0 },
    { title: 'end', keys: '{End}', row: 399 },
    { title: 'end and home', keys: '{End}{Home}', row: 0 },
    { title: 'a page', keys: '{PageDown}', row: 11 },
  ])('$title', async ({ keys, row }) => {
    const { user, inspector } = await openInspector({ rows });
    screen.getByRole('grid', { name: 'Transcript' }).focus();
    await user.keyboard(keys);
    await waitFor(() => expect(inspector.transcript.active).toBe(row));
    await waitFor(() => expect(active()).toBe(`row-${row}`));
    expect(rowAt(row).getAttribute('aria-selected')).toBe('true');
  });

  it.each<{ title: string; keys: string; method: 'copy' | 'open'; params: object }>([
    { title: 'c', keys: 'c', method: 'copy', params: { what: 'row', key: 'm0', side: 'raw' } },
    { title: 'C', keys: '{Shift>}C{/Shift}', method: 'copy', params: { what: 'row', key: 'm0', side: 'projected' } },
    { title: 'd', keys: 'd', method: 'open', params: { what: 'diff', key: 'm0' } },
    { title: 'o', keys: 'o', method: 'open', params: { what: 'side', key: 'm0', side: 'raw' } },
    { title: 'Enter', keys: '{Enter}', method: 'open', params: { what: 'side', key: 'm0', side: 'raw' } },
  ])('$title', async ({ keys, method, params }) => {
    const { user, waitAsked } = await openInspector({ rows });
    screen.getByRole('grid', { name: 'Transcript' }).focus();
    await user.keyboard(keys);
    await waitAsked(method, params);
  });

  it('opens a menu and goes back to the row', async () => {
    const { user, waitAsked } = await openInspector({ rows });
    screen.getByRole('grid', { name: 'Transcript' }).focus();
    await user.keyboard('{ArrowDown}{Shift>}{F10}{/Shift}');
    const menu = await screen.findByRole('menu');
    expect(
      within(menu)
        .getAllByRole('menuitem')
        .map((item) => item.textContent),
    ).toEqual([
      'Copy rawC',
      'Copy what the model seesShift+C',
      'Open side by sideD',
      'Open rawO',
      'Open what the model seesShift+O',
    ]);
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    await waitAsked('open', { what: 'diff', key: 'm1' });
    expect(screen.queryByRole('menu')).toBeNull();
  });
});

describe('the window on the rows', () => {
  it('holds a few pages of a million rows', async () => {
    const { inspector, send, asked } = await openInspector({ rows: generatedRows(1_000_000) });
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('1000000');
    for (const row of [500_000, 10, 999_999, 123_456, 777_777]) {
      await send({ type: 'reveal', row });
      await waitFor(() => expect(rowAt(row).dataset.state).toBeDefined());
    }
    expect(screen.getAllByRole('row').length).toBeLessThan(60);
    expect(asked('rows').length).toBeLessThan(30);
    expect(inspector.transcript.row(0)).toBeUndefined();
  });

  it('takes pages that come in several answers', async () => {
    const rows = Array.from({ length: 30 }, (_, row) => rowOf(row));
    const { inspector } = await openInspector({
      rows,
      answers: {
        rows: ({ start, count }) => ({ revision: 1, start, rows: rows.slice(start, start + Math.min(7, count)) }),
      },
    });
    expect(Array.from({ length: 30 }, (_, row) => inspector.transcript.row(row)?.key)).toEqual(
      rows.map(({ key }) => key),
    );
  });

  it('says when rows cannot be had, and tries again', async () => {
    let broken = true;
    const rows = Array.from({ length: 300 }, (_, row) => rowOf(row));
    const { user, send } = await openInspector({
      rows,
      answers: {
        rows: ({ start, count }) => {
          if (broken && start >= 50) throw new Error('The file is gone. Open it again.');
          return { revision: 1, start, rows: rows.slice(start, start + count) };
        },
      },
    });
    await send({ type: 'reveal', row: 200 });
    expect((await screen.findByRole('alert')).textContent).toContain('The file is gone. Open it again.');
    broken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await send({ type: 'reveal', row: 200 });
    await waitFor(() => expect(rowAt(200).textContent).toContain('message number 200'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  interface Growth {
    readonly title: string;
    readonly follow: boolean;
    /** What "n new" says; null: it is not there. */
    readonly pill: string | null;
    readonly seesLast: boolean;
  }
  it.each<Growth>([
    { title: 'follows at the end', follow: true, pill: null, seesLast: true },
    { title: 'stays when the end is not in sight', follow: false, pill: '3 new', seesLast: false },
  ])('$title', async ({ follow, pill, seesLast }) => {
    const before = Array.from({ length: 100 }, (_, row) => rowOf(row));
    const after = [...before, rowOf(100), rowOf(101), rowOf(102)];
    const { host, change, inspector, user } = await openInspector({ rows: before, saved: { follow } });
    const { anchor } = inspector.transcript.viewport;
    host.rows = { count: after.length, at: (row) => after[row] as Row };
    await change({ rows: { count: 103, total: 103 } });
    expect(screen.queryByText(/^\d+ new$/)?.textContent ?? null).toBe(pill);
    const last = (): boolean => inspector.transcript.viewport.seen().last === 102;
    expect(last()).toBe(seesLast);
    if (!seesLast) {
      expect(inspector.transcript.viewport.anchor).toEqual(anchor);
      await user.click(screen.getByText('3 new'));
      await waitFor(() => expect(last()).toBe(true));
      expect(screen.queryByText(/^\d+ new$/)).toBeNull();
    }
    await waitFor(() => expect(screen.getByLabelText('News').textContent).toBe('3 new rows'), { timeout: 5000 });
  });

  it('keeps what is read in its place when rows come before it', async () => {
    const before = Array.from({ length: 200 }, (_, row) => rowOf(row));
    const { host, change, inspector, send } = await openInspector({ rows: before });
    await send({ type: 'reveal', row: 120 });
    await waitFor(() => expect(inspector.transcript.active).toBe(120));
    const { anchor } = inspector.transcript.viewport;
    const key = inspector.transcript.row(anchor.row)?.key;
    const synthetic = rowOf(null, { key: 's', kind: 'synthetic', state: 'synthetic' });
    const after = [synthetic, ...before];
    host.rows = { count: after.length, at: (row) => after[row] as Row };
    host.answers = { locate: ({ message }) => ({ row: message + 1 }) };
    await change({ rows: { count: 201, total: 201 } });
    expect(inspector.transcript.viewport.anchor).toEqual({ row: anchor.row + 1, offset: anchor.offset });
    expect(inspector.transcript.row(anchor.row + 1)?.key).toBe(key);
    expect(inspector.transcript.active).toBe(121);
  });

  it('is where it was when the window is shown again', async () => {
    const rows = Array.from({ length: 300 }, (_, row) => rowOf(row));
    const { inspector, host } = await openInspector({
      rows,
      saved: { top_row: 150, follow: false, draft: 'half a tho' },
    });
    expect(inspector.transcript.viewport.anchor.row).toBe(150);
    expect(screen.getByRole('textbox', { name: 'Message the agent' })).toHaveProperty('value', 'half a tho');
    inspector.transcript.jump(20);
    await waitFor(() => expect(host.saved()).toMatchObject({ follow: false, draft: 'half a tho' }));
  });

  it('goes to the message that caused a row to be hidden', async () => {
    const { user, waitAsked, inspector } = await openInspector({
      rows: storyRows,
      answers: { locate: ({ message }) => ({ row: storyRows.findIndex((row) => row.message === message) }) },
    });
    await user.click(screen.getByRole('button', { name: 'message 35' }));
    await waitAsked('locate', { message: 35 });
    await waitFor(() => expect(inspector.transcript.active).toBe(6));
  });

  it('says so when that message is filtered out', async () => {
    const { user } = await openInspector({ rows: storyRows, answers: { locate: () => ({ row: null }) } });
    await user.click(screen.getByRole('button', { name: 'message 35' }));
    expect((await screen.findByRole('alert')).textContent).toContain('clear the filter');
  });
});

describe('search and filter', () => {
  const rows = Array.from({ length: 30 }, (_, row) => rowOf(row));

  it('goes from match to match and back', async () => {
    const { user, asked, waitAsked, inspector } = await openInspector({
      rows,
      answers: {
        search: ({ backwards }) =>
          backwards
            ? { row: 4, wrapped: false, matches: 3, position: 1 }
            : { row: 9, wrapped: false, matches: 3, position: 2 },
      },
    });
    const box = screen.getByRole('searchbox', { name: 'Search' });
    await user.type(box, 'number{Enter}');
    await screen.findByText('2 of 3');
    await waitFor(() => expect(inspector.transcript.active).toBe(9));
    expect(rowAt(9).querySelector('mark')?.textContent).toBe('number');
    await user.keyboard('{Shift>}{Enter}{/Shift}');
    await screen.findByText('1 of 3');
    await waitAsked('search', { text: 'number', from: 8, backwards: true });
    await user.keyboard('{Escape}');
    expect(box).toHaveProperty('value', '');
    expect(document.querySelector('mark')).toBeNull();
    expect(asked('search')).toHaveLength(2);
  });

  it('says when nothing matches', async () => {
    const { user } = await openInspector({ rows });
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'nowhere{Enter}');
    expect(await screen.findByText('no match')).toBeDefined();
    expect(screen.getByText(/No row holds “nowhere”/)).toBeDefined();
  });

  it('filters by speaker and state', async () => {
    const { user, waitAsked } = await openInspector({ rows, view: { filter: { speakers: ['user'], states: [] } } });
    await user.click(screen.getByRole('button', { name: 'Filter' }));
    const dialog = screen.getByRole('dialog', { name: 'Filter rows' });
    await user.click(within(dialog).getByText('Result'));
    await waitAsked('set_filter', { speakers: ['user', 'result'], states: [] });
    await user.click(within(dialog).getByText('Hidden'));
    await waitAsked('set_filter', { states: ['hidden'] });
    await user.click(within(dialog).getByRole('button', { name: 'Show all' }));
    await waitAsked('set_filter', { speakers: [], states: [] });
  });

  it('says when the filter leaves nothing, and undoes it', async () => {
    const { user, waitAsked } = await openInspector({
      rows: [],
      view: { rows: { count: 0, total: 30 }, filter: { speakers: ['system'], states: [] } },
    });
    expect(screen.getByText('No row matches the filter')).toBeDefined();
    await user.click(toolkitButton('Show all rows'));
    await waitAsked('set_filter', { speakers: [], states: [] });
  });
});
