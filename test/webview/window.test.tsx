import { setNarrow } from './support/dom';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Boundary } from '../../webview/boundary';
import { openInspector, rowAt, toolkitButton } from './support/open';
import { rowOf, viewOf } from './support/rows';

const rows = [rowOf(0), rowOf(1), rowOf(2)];

describe('a malformed message', () => {
  const view = viewOf({ rows: { count: 3, total: 3 }, revision: 9 });
  it.each<{ title: string; message: unknown; says: RegExp }>([
    { title: 'nothing', message: undefined, says: /a message without a type/ },
    { title: 'a number', message: 7, says: /a message without a type/ },
    { title: 'no type', message: {}, says: /a message without a type/ },
    { title: 'an unknown type', message: { type: 'explode' }, says: /unknown type "explode"/ },
    { title: 'a name that every object has', message: { type: 'constructor' }, says: /unknown type "constructor"/ },
    { title: 'a view that is none', message: { type: 'view', view: 3 }, says: /view is no object/ },
    {
      title: 'a view without rows',
      message: { type: 'view', view: { ...view, rows: null } },
      says: /view\.rows is no object/,
    },
    {
      title: 'a view with a wrong figure',
      message: { type: 'view', view: { ...view, projection: { ...view.projection, hidden: 'many' } } },
      says: /view\.projection\.hidden is no number/,
    },
    { title: 'a strange tab', message: { type: 'tab', tab: 'scheduled' }, says: /tab is none of/ },
    { title: 'an answer without a number', message: { type: 'answer', result: 1 }, says: /id is no number/ },
  ])('$title is left out and noted', async ({ message, says }) => {
    const { send, host } = await openInspector({ rows });
    await send(message);
    expect(screen.getByText(/could not be understood and was left out/).textContent).toMatch(says);
    expect(host.posted).toContainEqual({ type: 'failed', message: expect.stringMatching(says) as string });
    expect(rowAt(2).textContent).toContain('message number 2');
  });

  it('an answer that nobody waits for is ignored', async () => {
    const { send } = await openInspector({ rows });
    await send({ type: 'answer', id: 999, result: null });
    await send({ type: 'failure', id: 999, error: 'x' });
    expect(screen.queryByText(/could not be understood/)).toBeNull();
    expect(rowAt(0)).toBeDefined();
  });

  it('malformed rows are a failure that can be tried again', async () => {
    const many = Array.from({ length: 200 }, (_, row) => rowOf(row));
    const { send } = await openInspector({
      rows: many,
      answers: {
        rows: ({ start, count }) =>
          start >= 50
            ? ({ revision: 1, start, rows: [{ key: 5 }] } as never)
            : { revision: 1, start, rows: many.slice(start, start + count) },
      },
    });
    await send({ type: 'reveal', row: 150 });
    expect(await screen.findByText(/rows: rows\[0\]\.key is no string/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
    expect(rowAt(0)).toBeDefined();
  });

  it('what is being written waits with its session while another one is shown', async () => {
    const { send, inspector } = await openInspector({ rows, view: { revision: 5 } });
    const one = inspector.state.get().view?.session ?? null;
    expect(one).not.toBeNull();
    inspector.setDraft('half a thought');
    await send({ type: 'focus', target: 'form' });
    const show = (session: unknown, revision: number): Promise<void> =>
      send({ type: 'view', view: { ...viewOf({ revision, rows: { count: 3, total: 3 } }), session } });
    const written = (): unknown => {
      const { draft, form } = inspector.state.get();
      return [draft, form !== null];
    };
    await show({ ...one, id: 'another' }, 6);
    expect(written()).toEqual(['', false]);
    await show(null, 7);
    await show(one, 8);
    expect(written()).toEqual(['half a thought', true]);
  });

  it('a view that is older than the one shown is ignored', async () => {
    const { send, inspector } = await openInspector({ rows, view: { revision: 5 } });
    await send({ type: 'view', view: viewOf({ revision: 4, rows: { count: 0, total: 0 } }) });
    expect(inspector.state.get().view?.revision).toBe(5);
  });
});

describe('what the host asks for', () => {
  it.each([
    {
      title: 'a tab',
      message: { type: 'tab', tab: 'lifecycle' },
      check: () => screen.getByRole('tab', { name: 'Lifecycle', selected: true }),
    },
    {
      title: 'the search box',
      message: { type: 'focus', target: 'search' },
      check: () => expect(document.activeElement).toBe(screen.getByRole('searchbox')),
    },
    {
      title: 'the policy',
      message: { type: 'focus', target: 'policy' },
      check: () => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Policy' })),
    },
    {
      title: 'the composer',
      message: { type: 'focus', target: 'composer' },
      check: () => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message the agent' })),
    },
    {
      title: 'the form',
      message: { type: 'focus', target: 'form' },
      check: () => screen.getByRole('region', { name: 'Write a directive' }),
    },
  ])('$title is shown', async ({ message, check }) => {
    const { send } = await openInspector({ rows });
    await send(message);
    await waitFor(() => void check());
  });
});

describe('the window', () => {
  it('says that it is ready, once', async () => {
    const { host } = await openInspector({ rows });
    expect(host.posted.filter(({ type }) => type === 'ready')).toHaveLength(1);
  });

  it.each<{ title: string; saved: unknown }>([
    { title: 'nothing', saved: undefined },
    { title: 'a number', saved: 3 },
    {
      title: 'wrong kinds of things',
      saved: { tab: 5, top_row: -1, follow: 'yes', side: {}, draft: 1, form: { body: 3, tags: 'x' } },
    },
  ])('begins afresh when what was kept is $title', async ({ saved }) => {
    await openInspector({ rows, saved });
    expect(rowAt(0)).toBeDefined();
  });

  it('offers the sessions when none is open', async () => {
    const { user, waitAsked } = await openInspector({ view: { session: null } });
    await screen.findByText(/No session is open/);
    await user.click(toolkitButton('Show sessions'));
    await waitAsked('command', { command: 'showSessions' });
  });

  it.each([
    { title: 'by writing', no_composer: null, text: /Write a message below to begin/ },
    { title: 'by waiting', no_composer: 'elsewhere', text: /New messages appear by themselves/ },
  ])('says how an empty session begins: $title', async ({ no_composer, text }) => {
    await openInspector({ view: { session: { ...viewOf().session!, no_composer } } });
    expect(screen.getByText(text)).toBeDefined();
  });

  it('shows the rows of another session when one is chosen', async () => {
    const { host, change } = await openInspector({ rows });
    const other = [
      rowOf(0, { key: 'o0', raw: { blocks: [{ kind: 'text', text: 'quite another', length: 13 }], tokens: 3 } }),
    ];
    host.rows = { count: 1, at: () => other[0]! };
    await change({ session: { ...viewOf().session!, id: 'session-2' }, rows: { count: 1, total: 1 } });
    expect(rowAt(0).textContent).toContain('quite another');
    expect(screen.getAllByRole('row')).toHaveLength(1);
  });

  it('makes one column of two when it is narrow', async () => {
    const { user } = await openInspector({ rows });
    const cells = (): number => rowAt(0).querySelectorAll('[role="gridcell"]').length;
    expect(cells()).toBe(2);
    await act(async () => setNarrow(true));
    expect(cells()).toBe(1);
    const pressed = (name: string): string | null => screen.getByRole('button', { name }).getAttribute('aria-pressed');
    expect(pressed('What the model sees')).toBe('true');
    await user.click(screen.getByRole('button', { name: 'Raw' }));
    expect(pressed('Raw')).toBe('true');
    await act(async () => setNarrow(false));
    expect(cells()).toBe(2);
  });

  it('says what to do when something cannot be drawn', async () => {
    let broken = true;
    const reports: string[] = [];
    const Part = () => {
      if (broken) throw new Error('no such block');
      return <p>drawn</p>;
    };
    const { unmount } = render(
      <Boundary onError={(message) => reports.push(message)}>
        <Part />
      </Boundary>,
      // React says it on the console too; here that is expected.
      { onCaughtError: () => undefined },
    );
    onTestFinished(unmount);
    expect(screen.getByRole('alert').textContent).toMatch(/could not be drawn.*nothing was lost.*no such block/);
    expect(reports).toEqual([expect.stringContaining('no such block')]);
    broken = false;
    fireEvent.click(toolkitButton('Try again'));
    expect(screen.getByText('drawn')).toBeDefined();
  });
});
