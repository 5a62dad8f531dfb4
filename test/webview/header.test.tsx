import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { InspectorView, PermissionView } from '../../extension/protocol';
import { fillField, hasToolkitButton, openInspector, toolkitButton } from './support/open';
import { rowOf, viewOf } from './support/rows';

const rows = [rowOf(0), rowOf(1), rowOf(2)];
const { projection, session } = viewOf();
const project = (change: Partial<InspectorView['projection']>): Partial<InspectorView> => ({
  projection: { ...projection, ...change },
});
const bars = Array.from({ length: 11 }, (_, turn) => ({ tokens: turn * 100, diverged: turn === 6 }));
const turn = (shown: number | null, verified: boolean | null = null): Partial<InspectorView> => ({
  turn: { count: 11, shown, verified, first: 1, bars },
});

interface Shown {
  readonly title: string;
  readonly view: Partial<InspectorView>;
  /** Texts that must be there, somewhere in the head. */
  readonly texts: readonly RegExp[];
  readonly missing?: readonly RegExp[];
}

const head = (): string => document.querySelector('.head')?.textContent ?? '';

async function checkHead({ view, texts, missing = [] }: Shown): Promise<void> {
  await openInspector({ rows, view: { ...view, rows: { count: 3, total: 3 } } });
  for (const text of texts) expect(head()).toMatch(text);
  for (const text of missing) expect(head()).not.toMatch(text);
}

describe('the head says', () => {
  it.each<Shown>([
    { title: 'the session and the agent', view: {}, texts: [/Fix the failing parser tests/, /Own agent, idle/] },
    { title: 'a failed agent', view: { session: { ...session!, status: 'failed' } }, texts: [/Own agent, failed/] },
    {
      title: 'a session that is not followed',
      view: { session: { ...session!, live: false } },
      texts: [/Own agent, idle, not followed/],
    },
    {
      title: 'what was sent',
      view: project({ standing: 'as_sent' }),
      texts: [/as sent/],
      missing: [/preview/, /applied/],
    },
    { title: 'what is applied', view: project({ standing: 'applied' }), texts: [/applied/], missing: [/preview/] },
    {
      title: 'what is a preview',
      view: project({ standing: 'preview', can_apply: true }),
      texts: [/preview, not yet applied/],
    },
    {
      title: 'what can never be applied',
      view: project({ standing: 'preview', can_apply: false }),
      texts: [/preview(?!, not)/],
    },
    { title: 'whose figure it is', view: {}, texts: [/82,140 \/ 200,000/, /41 %reported/] },
    {
      title: 'an estimate without a window',
      view: { usage: { tokens: 1200, window: null, source: 'estimated' } },
      texts: [/1,200 tokens estimated/],
    },
    { title: 'no usage', view: { usage: null }, texts: [/Own agent/], missing: [/reported|estimated.*%/] },
    { title: 'the first request', view: project({ relation: 'initial' }), texts: [/initial/] },
    { title: 'a request that appends', view: project({ relation: 'append_only' }), texts: [/append only/] },
    {
      title: 'where a request diverges and what that costs',
      view: project({
        relation: 'diverged',
        diverged_at: 32,
        hidden: 3,
        redacted: 1,
        reclaimed_tokens: 6400,
        reread_tokens: 9300,
      }),
      texts: [/diverges at message 32/, /3 hidden · 1 replaced·6,400 reclaimed·9,300 re-read once, estimated/],
    },
    { title: 'that figures are being worked out', view: project({ computing: true }), texts: [/computing/] },
    { title: 'the hash, short', view: {}, texts: [/sha256:3fa9…e07b/] },
    { title: 'that there is no turn', view: {}, texts: [/no turn yet/] },
    { title: 'the turn', view: turn(null), texts: [/turn 11 of 11/], missing: [/Back to the present/] },
    { title: 'a verified turn', view: turn(8, true), texts: [/turn 8 of 11verifiedBack to the present/] },
    { title: 'a turn that does not fit', view: turn(8, false), texts: [/not what was recorded/] },
    {
      title: 'why a projection was blocked',
      view: project({ policy: 'squash', blocked_by: 34 }),
      texts: [/squash would change signed reasoning in message 34.*nothing was changed/],
    },
    {
      title: 'why a preview cannot be applied',
      view: project({
        policy: 'squash',
        standing: 'preview',
        can_apply: false,
        no_apply: 'Claude Code builds its own requests.',
      }),
      texts: [/Claude Code builds its own requests\./],
    },
    {
      title: 'what is wrong with an option',
      view: project({ error: 'keep_last: 1 to 9' }),
      texts: [/keep_last: 1 to 9/],
    },
    {
      title: 'an error with its remedy',
      view: { error: 'The file is gone. Open it again.' },
      texts: [/Open it again/],
    },
    {
      title: 'what could not be read',
      view: { issues: { total: 3, first: [] } },
      texts: [/3 lines could not be read; everything else is here/],
    },
    {
      title: 'one line that could not be read',
      view: { issues: { total: 1, first: [] } },
      texts: [/1 line could not be read/],
    },
  ])('$title', checkHead);

  it('how far reading has come', async () => {
    await openInspector({ rows, view: { progress: 0.4 } });
    expect(screen.getByRole('progressbar', { name: 'Reading the session' }).getAttribute('aria-valuenow')).toBe('40');
  });
});

describe('the policy', () => {
  it('is a combobox', async () => {
    const { user, waitAsked } = await openInspector({ rows });
    const box = screen.getByRole('combobox', { name: 'Policy' });
    expect(
      within(box)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['raw', 'clean_tool_repair', 'reachability_gc']);
    await user.selectOptions(box, 'clean_tool_repair');
    await waitAsked('set_policy', { policy: 'clean_tool_repair', options: {} });
  });

  it.each<{ title: string; view: Partial<InspectorView>; offered: boolean; disabled: boolean }>([
    { title: 'a preview', view: project({ standing: 'preview' }), offered: true, disabled: false },
    { title: 'what is applied', view: project({ standing: 'applied' }), offered: true, disabled: true },
    {
      title: 'a foreign session',
      view: project({ standing: 'preview', can_apply: false }),
      offered: false,
      disabled: true,
    },
  ])('can be applied: $title', async ({ view, offered, disabled }) => {
    const { user, asked } = await openInspector({ rows, view });
    expect(hasToolkitButton('Apply')).toBe(offered);
    if (!offered) return;
    await user.click(toolkitButton('Apply'));
    expect(asked('apply_policy')).toHaveLength(disabled ? 0 : 1);
  });

  interface OptionCase {
    readonly title: string;
    readonly fields: Readonly<Record<string, string>>;
    /** What is sent; null: nothing, because of this fault. */
    readonly options: Readonly<Record<string, unknown>> | null;
    readonly fault?: string;
  }
  it.each<OptionCase>([
    { title: 'a number', fields: { keep_recent: '12' }, options: { keep_recent: 12 } },
    { title: 'the default', fields: { keep_recent: '8' }, options: {} },
    { title: 'nothing', fields: { keep_recent: '' }, options: {} },
    { title: 'text', fields: { reason: 'because' }, options: { reason: 'because' } },
    { title: 'a word for a number', fields: { keep_recent: 'two' }, options: null, fault: 'Give a whole number' },
    { title: 'a fraction', fields: { keep_recent: '1.5' }, options: null, fault: 'Give a whole number' },
  ])('takes options: $title', async ({ fields, options, fault }) => {
    const { user, asked, waitAsked } = await openInspector({ rows, view: project({ policy: 'reachability_gc' }) });
    await user.click(screen.getByRole('button', { name: 'Policy options' }));
    const dialog = screen.getByRole('dialog', { name: 'Options of reachability_gc' });
    for (const [label, value] of Object.entries(fields)) await fillField(label, value);
    await user.click(toolkitButton('Use these options', dialog));
    if (options) {
      await waitAsked('set_policy', { policy: 'reachability_gc', options: options as never });
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    } else {
      expect(within(dialog).getByRole('alert').textContent).toContain(fault);
      expect(asked('set_policy')).toEqual([]);
    }
  });

  it.each([
    { policy: 'clean_tool_repair', first: 'keep_last_failures' },
    { policy: 'reachability_gc', first: 'keep_recent' },
  ])('begins at the first option of $policy', async ({ policy, first }) => {
    const { user } = await openInspector({ rows, view: project({ policy }) });
    // There is no focus that a shadow root passes on here; what was asked to take it counts.
    const focus = vi.spyOn(HTMLElement.prototype, 'focus');
    await user.click(screen.getByRole('button', { name: 'Policy options' }));
    const asked = focus.mock.contexts.at(-1) as HTMLElement;
    focus.mockRestore();
    expect(asked.textContent).toBe(first);
  });

  it('takes a choice that stands for a boolean', async () => {
    const { user, waitAsked } = await openInspector({ rows, view: project({ policy: 'reachability_gc' }) });
    await user.click(screen.getByRole('button', { name: 'Policy options' }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'respect_provider_signatures' }), 'false');
    await user.click(toolkitButton('Use these options'));
    await waitAsked('set_policy', { options: { respect_provider_signatures: false } });
  });

  it('says what the host refused, beside the options', async () => {
    const { user } = await openInspector({
      rows,
      view: project({ policy: 'reachability_gc' }),
      answers: {
        set_policy: () => {
          throw new Error('keep_recent: 1 to 99');
        },
      },
    });
    await user.click(screen.getByRole('button', { name: 'Policy options' }));
    const dialog = screen.getByRole('dialog');
    await user.click(toolkitButton('Use these options', dialog));
    expect((await within(dialog).findByRole('alert')).textContent).toBe('keep_recent: 1 to 99');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('can keep just the signed turns', async () => {
    const view = project({ policy: 'reachability_gc', options: { keep_recent: 3 }, blocked_by: 34 });
    const { user, waitAsked } = await openInspector({ rows, view });
    await user.click(toolkitButton('Keep just the signed turns (per_turn)'));
    await waitAsked('set_policy', {
      policy: 'reachability_gc',
      options: { keep_recent: 3, respect_provider_signatures: 'per_turn' },
    });
  });
});

describe('turns', () => {
  interface TurnCase {
    readonly title: string;
    readonly shown: number | null;
    readonly key: string;
    /** Undefined: nothing is asked for. */
    readonly turn: number | null | undefined;
  }
  it.each<TurnCase>([
    { title: 'one back from the present', shown: null, key: 'ArrowLeft', turn: 10 },
    { title: 'one back', shown: 8, key: 'ArrowLeft', turn: 7 },
    { title: 'one on', shown: 8, key: 'ArrowRight', turn: 9 },
    { title: 'on to the last that was sent', shown: 10, key: 'ArrowRight', turn: 11 },
    { title: 'on to the present', shown: 11, key: 'ArrowRight', turn: null },
    { title: 'not beyond the present', shown: null, key: 'ArrowRight', turn: undefined },
    { title: 'the first', shown: null, key: 'Home', turn: 1 },
    { title: 'not before the first', shown: 1, key: 'ArrowLeft', turn: undefined },
    { title: 'the present', shown: 3, key: 'End', turn: null },
    { title: 'ten back', shown: null, key: 'PageDown', turn: 1 },
  ])('keys: $title', async ({ shown, key, turn: to }) => {
    const { asked } = await openInspector({ rows, view: turn(shown) });
    const slider = screen.getByRole('slider', { name: 'Turn' });
    expect(slider.getAttribute('aria-valuenow')).toBe(String(shown ?? 11));
    fireEvent.keyDown(slider, { key });
    expect(asked('set_turn')).toEqual(to === undefined ? [] : [{ turn: to }]);
  });

  it('buttons', async () => {
    const { user, asked } = await openInspector({ rows, view: turn(8, true) });
    await user.click(screen.getByRole('button', { name: 'Previous turn' }));
    await user.click(screen.getByRole('button', { name: 'Next turn' }));
    await user.click(screen.getByRole('button', { name: 'Back to the present' }));
    expect(asked('set_turn')).toEqual([{ turn: 7 }, { turn: 9 }, { turn: null }]);
  });
});

describe('what can be done in the head', () => {
  interface Deed {
    readonly title: string;
    readonly view: Partial<InspectorView>;
    readonly press: () => HTMLElement;
    readonly method: 'copy' | 'open' | 'locate';
    readonly params: object;
  }
  it.each<Deed>([
    { title: 'copy the hash', view: {}, press: () => toolkitButton('Copy'), method: 'copy', params: { what: 'hash' } },
    {
      title: 'go to where it diverges',
      view: project({ relation: 'diverged', diverged_at: 2 }),
      press: () => screen.getByRole('button', { name: 'diverges at message 2' }),
      method: 'locate',
      params: { message: 2 },
    },
    {
      title: 'go to the signed message',
      view: project({ blocked_by: 1 }),
      press: () => screen.getByRole('button', { name: 'message 1' }),
      method: 'locate',
      params: { message: 1 },
    },
  ])('$title', async ({ view, press, method, params }) => {
    const { user, waitAsked } = await openInspector({ rows, view });
    await user.click(press());
    await waitAsked(method, params);
  });

  it('list what could not be read', async () => {
    const first = [{ line: 12, kind: 'invalid-json', text: 'Unexpected end' }];
    const { user, waitAsked } = await openInspector({ rows, view: { issues: { total: 3, first } } });
    await user.click(screen.getByRole('button', { name: '3 lines could not be read' }));
    expect(screen.getByRole('dialog').textContent).toMatch(/line 12invalid-jsonUnexpected end/);
    await user.click(toolkitButton('Open all 3'));
    await waitAsked('open', { what: 'issues' });
  });

  it('choose a branch, where there are several', async () => {
    const lanes = [
      { id: 'a', label: 'main', kind: 'active', messages: 48 },
      { id: 'b', label: 'abandoned', kind: 'branch', messages: 1 },
    ] as const;
    const { user, waitAsked } = await openInspector({ rows, view: { lanes, lane: 'a' } });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Branch' }), 'abandoned, 1 message');
    await waitAsked('set_lane', { lane: 'b' });
  });

  it('close an error until there is another one', async () => {
    const { user, change } = await openInspector({ rows, view: { error: 'first' } });
    await user.click(within(screen.getByText('first').closest('.banner') as HTMLElement).getByRole('button'));
    expect(screen.queryByText('first')).toBeNull();
    await change({ error: 'second' });
    expect(screen.getByText('second')).toBeDefined();
  });

  it('go through the tabs by keyboard', async () => {
    const { user } = await openInspector({ rows });
    screen.getByRole('tab', { name: 'Transcript' }).focus();
    for (const name of ['Directives', 'Lifecycle', 'Transcript']) {
      await user.keyboard('{ArrowRight}');
      const tab = screen.getByRole('tab', { name });
      expect(tab.getAttribute('aria-selected')).toBe('true');
      expect(document.activeElement).toBe(tab);
      expect(screen.getByRole('tabpanel').id).toBe(tab.getAttribute('aria-controls'));
    }
  });
});

describe('the composer', () => {
  const box = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message the agent' });

  it('sends with Enter and keeps what could not be sent', async () => {
    let refuse = true;
    const { user, asked } = await openInspector({
      rows,
      answers: {
        send: () => {
          if (refuse) throw new Error('No model is chosen. Choose one.');
          return null;
        },
      },
    });
    await user.type(box(), 'one{Shift>}{Enter}{/Shift}two{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('No model is chosen. Choose one.');
    expect(box().value).toBe('one\ntwo');
    refuse = false;
    await user.type(box(), '{Enter}');
    await waitFor(() => expect(box().value).toBe(''));
    expect(asked('send')).toEqual([{ text: 'one\ntwo' }, { text: 'one\ntwo' }]);
    await user.type(box(), '   {Enter}');
    expect(asked('send')).toHaveLength(2);
  });

  it('stops a running agent', async () => {
    const { user, waitAsked } = await openInspector({ rows, view: { session: { ...session!, status: 'running' } } });
    await user.click(toolkitButton('Stop'));
    await waitAsked('stop', {});
  });

  it('gives the reason when there is no way to write', async () => {
    await openInspector({ rows, view: { session: { ...session!, no_composer: 'This window only reads along.' } } });
    expect(screen.getByText('This window only reads along.')).toBeDefined();
    expect(screen.queryByRole('textbox', { name: 'Message the agent' })).toBeNull();
  });

  const permission: PermissionView = {
    id: 'p1',
    tool: 'run_command',
    title: 'npm test',
    detail: '{"command": "npm test"}',
  };
  it.each([
    { name: 'Allow', allow: true },
    { name: 'Deny', allow: false },
  ])('asks for permission: $name', async ({ name, allow }) => {
    const { user, waitAsked } = await openInspector({ rows, view: { permissions: [permission] } });
    expect(screen.getByText('{"command": "npm test"}')).toBeDefined();
    await user.click(toolkitButton(name));
    await waitAsked('permit', { id: 'p1', allow });
  });
});
