import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { LifecycleFilter } from '../../extension/protocol';
import { lifecycleRows } from './preview/story';
import { openInspector, toolkitButton } from './support/open';
import { rowOf } from './support/rows';

const records = lifecycleRows(2500);
const kinds = [...new Set(records.map(({ kind }) => kind))];

const matches = (filter: LifecycleFilter) =>
  records.filter(
    (row) =>
      (filter.kinds.length === 0 || filter.kinds.includes(row.kind)) &&
      (filter.reminder_id === null || row.reminder_id?.startsWith(filter.reminder_id) === true) &&
      (filter.since_ms === null || row.occurred_at_ms >= filter.since_ms) &&
      (filter.until_ms === null || row.occurred_at_ms <= filter.until_ms),
  );

const open = (more: Parameters<typeof openInspector>[0] = {}) =>
  openInspector({
    rows: [rowOf(0)],
    saved: { tab: 'lifecycle' },
    view: { lifecycle: { total: records.length } },
    answers: {
      lifecycle: ({ filter, start, count }) => {
        const found = matches(filter);
        return { revision: 1, total: found.length, kinds, start, rows: found.slice(start, start + count) };
      },
    },
    ...more,
  });

const grid = (): Promise<HTMLElement> => screen.findByRole('grid', { name: 'Lifecycle' });

describe('the records', () => {
  it('are listed in pages', async () => {
    const { asked } = await open();
    const list = await grid();
    expect(list.getAttribute('aria-rowcount')).toBe('2500');
    await within(list).findAllByText('injected');
    const rows = within(list).getAllByRole('row');
    expect(rows.length).toBeLessThan(80);
    expect(rows[0]?.getAttribute('aria-rowindex')).toBe('1');
    expect(asked('lifecycle').every(({ count }) => count === 100)).toBe(true);
  });

  it('open as JSON, by mouse and by keyboard', async () => {
    const { user, waitAsked } = await open();
    const list = await grid();
    await within(list).findAllByText('injected');
    await user.click(within(list).getAllByRole('row')[1] as HTMLElement);
    await waitAsked('open', { what: 'record', record_id: 'r1' });
    list.focus();
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    await waitAsked('open', { what: 'record', record_id: 'r3' });
  });

  it('are asked for again when there are more', async () => {
    const { change, asked } = await open();
    await grid();
    const before = asked('lifecycle').length;
    await change({ lifecycle: { total: records.length + 1 } });
    await waitFor(() => expect(asked('lifecycle').length).toBeGreaterThan(before));
  });

  interface FilterCase {
    readonly title: string;
    readonly use: (user: Awaited<ReturnType<typeof open>>['user']) => Promise<void>;
    readonly filter: Partial<LifecycleFilter>;
    readonly total: number;
  }
  const since = '2025-10-10T00:00';
  const sinceMs = Date.parse(since);
  it.each<FilterCase>([
    {
      title: 'kind',
      use: async (user) => {
        await user.click(screen.getByRole('button', { name: 'Kind' }));
        await user.click(within(screen.getByRole('dialog')).getByText('transcript.projection'));
      },
      filter: { kinds: ['transcript.projection'] },
      total: matches({ kinds: ['transcript.projection'], reminder_id: null, since_ms: null, until_ms: null }).length,
    },
    {
      title: 'reminder',
      use: async () => {
        fireEvent.change(screen.getByLabelText('Reminder'), {
          target: { value: '0199aaaa-0000-7000-8000-000000000015' },
        });
      },
      filter: { reminder_id: '0199aaaa-0000-7000-8000-000000000015' },
      total: records.filter((row) => row.reminder_id === '0199aaaa-0000-7000-8000-000000000015').length,
    },
    {
      title: 'time',
      use: async () => {
        fireEvent.change(screen.getByLabelText('From'), { target: { value: since } });
      },
      filter: { since_ms: sinceMs },
      total: records.filter((row) => row.occurred_at_ms >= sinceMs).length,
    },
  ])('are filtered by $title', async ({ use, filter, total }) => {
    const { user, waitAsked } = await open();
    await grid();
    await use(user);
    await waitAsked('lifecycle', { filter: expect.objectContaining(filter) as never });
    await waitFor(async () => expect((await grid()).getAttribute('aria-rowcount')).toBe(String(total)));
  });

  it('say when the filter leaves nothing', async () => {
    const { user } = await open();
    await grid();
    fireEvent.change(screen.getByLabelText('Reminder'), { target: { value: 'nobody' } });
    await screen.findByText('No record matches');
    await user.click(toolkitButton('Show all records'));
    expect((await grid()).getAttribute('aria-rowcount')).toBe('2500');
  });

  it.each([
    {
      title: 'there is none',
      answer: () => ({ revision: 1, total: 0, kinds: [], start: 0, rows: [] }),
      text: /Nothing was recorded for this session yet/,
    },
    {
      title: 'they cannot be read',
      answer: () => {
        throw new Error('The log is locked.');
      },
      text: /could not be read: The log is locked\./,
    },
  ])('say when $title', async ({ answer, text }) => {
    await open({ answers: { lifecycle: answer } });
    expect(await screen.findByText(text)).toBeDefined();
  });
});
