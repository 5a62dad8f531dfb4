import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Directive, ReminderForm } from '../../extension/protocol';
import { directives as all } from './preview/story';
import { fillField, hasToolkitButton, openInspector, toolkitButton } from './support/open';
import { directiveOf, rowOf } from './support/rows';

const open = (directives: readonly Directive[], more: Parameters<typeof openInspector>[0] = {}) =>
  openInspector({
    rows: [rowOf(0)],
    saved: { tab: 'directives' },
    view: { directives: { pending: 1, total: directives.length } },
    ...more,
    answers: { directives: () => ({ revision: 1, directives }), ...more.answers },
  });

const entry = async (): Promise<HTMLElement> => (await screen.findAllByRole('listitem'))[0] as HTMLElement;

describe('the list', () => {
  it('has a group for each stage of life', async () => {
    await open(all);
    await screen.findAllByRole('listitem');
    const groups = screen.getAllByRole('region').map((region) => region.getAttribute('aria-label'));
    expect(groups).toEqual(['Pending', 'Delivered', 'Ended']);
    expect(screen.getByRole('tab', { name: 'Directives' }).textContent).toBe('Directives1');
  });

  interface EntryCase {
    readonly title: string;
    readonly directive: Partial<Directive>;
    readonly text: RegExp;
    readonly buttons: readonly string[];
  }
  const ended = { can_fire: false, can_revoke: false, hold: null } as const;
  it.each<EntryCase>([
    {
      title: 'pending',
      directive: { tags: ['a', 'b'], source: 'bridge', mode: 'finish_step', preserve_on_compact: true },
      text: /advisory · 1 turnpendinggoes with the next request.*abfrom the bridge · passed on to its own sub-agents · survives compaction$/,
      buttons: ['Fire now', 'Revoke'],
    },
    {
      title: 'written by a person',
      directive: { source: 'bridge', origin: 'person', mode: 'interrupt_immediate', propagate: 'all' },
      text: /from you · passed on to every sub-agent · goes at once$/,
      buttons: ['Fire now', 'Revoke'],
    },
    {
      title: 'about a file',
      directive: { source: 'bridge', origin: 'file-watcher', mode: 'finish_step', propagate: 'none' },
      text: /from the file watcher · not passed on to sub-agents$/,
      buttons: ['Fire now', 'Revoke'],
    },
    {
      title: 'from a script, for the record',
      directive: { source: 'bridge', origin: 'nightly', mode: 'audit_only' },
      text: /from nightly · passed on to its own sub-agents · for the record only$/,
      buttons: ['Fire now', 'Revoke'],
    },
    { title: 'queued', directive: { state: 'queued' }, text: /queued/, buttons: ['Fire now', 'Revoke'] },
    {
      title: 'fired for a turn',
      directive: { fire_turn: 12 },
      text: /goes with turn 12/,
      buttons: ['Fire now', 'Revoke'],
    },
    {
      title: 'held',
      directive: { hold: 'same_text_in_force' },
      text: /held: the same text is still in force/,
      buttons: ['Fire now', 'Revoke'],
    },
    {
      title: 'delivered',
      directive: { ...ended, state: 'delivered', delivered_turn: 9, ttl_turns: null, authority: 'contract' },
      text: /contract · until cleareddelivered.*delivered in turn 9/,
      buttons: ['Correct…'],
    },
    { title: 'seen', directive: { ...ended, state: 'seen' }, text: /seen/, buttons: ['Correct…'] },
    { title: 'lost', directive: { ...ended, state: 'lost' }, text: /lost/, buttons: ['Correct…'] },
    {
      title: 'expired',
      directive: { ...ended, state: 'expired', reason: 'ttl', ttl_turns: 0 },
      text: /^Directiveadvisoryexpired.*its lifetime ended$/,
      buttons: [],
    },
    { title: 'replaced', directive: { ...ended, state: 'replaced' }, text: /replaced/, buttons: [] },
    { title: 'revoked', directive: { ...ended, state: 'revoked' }, text: /revoked/, buttons: [] },
    {
      title: 'inherited',
      directive: { source: 'inherited', originating_agent_id: 's-1' },
      text: /inherited · first session s-1/,
      buttons: ['Fire now', 'Revoke'],
    },
  ])('shows one that is $title', async ({ directive, text, buttons }) => {
    await open([directiveOf(directive)]);
    const item = await entry();
    expect(item.textContent).toMatch(text);
    expect([...item.querySelectorAll('vscode-button')].map((button) => button.textContent)).toEqual(buttons);
  });

  it('says what will be there, and why it is empty', async () => {
    const { user } = await open([]);
    await screen.findByText(/No directive was left for this session yet/);
    await user.click(toolkitButton('Write a directive'));
    expect(screen.getByRole('region', { name: 'Write a directive' })).toBeDefined();
  });

  it('announces what was delivered', async () => {
    const waiting = directiveOf({ body: 'Run the parser tests only.' });
    const { host, change } = await open([waiting]);
    await entry();
    const delivered = { ...waiting, state: 'delivered' as const };
    host.answers = { directives: () => ({ revision: 2, directives: [delivered] }) };
    await change({ lifecycle: { total: 3 } });
    await waitFor(
      () => expect(screen.getByLabelText('News').textContent).toBe('Directive delivered: Run the parser tests only.'),
      { timeout: 5000 },
    );
  });
});

describe('actions', () => {
  it('says what firing does before it fires', async () => {
    const { user, asked, waitAsked } = await open([directiveOf()]);
    const item = await entry();
    await within(item).findByText('Fire now would start turn 12, with 1 other');
    expect(asked('fire')).toEqual([]);
    await user.click(toolkitButton('Fire now', item));
    await waitAsked('fire', { reminder_id: directiveOf().reminder_id });
    await within(item).findByText('Goes with turn 12.');
  });

  it.each([
    { firing: { turn: 3, starts_turn: false, others: 0 }, text: 'Fire now would add it to turn 3' },
    { firing: { turn: 3, starts_turn: true, others: 2 }, text: 'Fire now would start turn 3, with 2 others' },
  ])('$text', async ({ firing, text }) => {
    await open([directiveOf()], { answers: { fire_preview: () => firing } });
    expect(await within(await entry()).findByText(text)).toBeDefined();
  });

  it.each<{ title: string; answer: () => { status: 'revoked' | 'already_revoked' }; text: string; correct: boolean }>([
    { title: 'done', answer: () => ({ status: 'revoked' }), text: 'Revoked.', correct: false },
    {
      title: 'done before',
      answer: () => ({ status: 'already_revoked' }),
      text: 'It had been revoked already.',
      correct: false,
    },
    {
      title: 'too late',
      answer: () => {
        throw new Error('It was delivered in turn 10 and cannot be taken back.');
      },
      text: 'It was delivered in turn 10 and cannot be taken back.',
      correct: true,
    },
  ])('revokes: $title', async ({ answer, text, correct }) => {
    const { user, waitAsked } = await open([directiveOf()], { answers: { revoke: answer } });
    const item = await entry();
    await user.click(toolkitButton('Revoke', item));
    await waitAsked('revoke', { reminder_id: directiveOf().reminder_id });
    await within(item).findByText(text);
    expect(hasToolkitButton('Correct…', item)).toBe(correct);
  });

  it('corrects one that was delivered', async () => {
    const { user, waitAsked } = await open([
      directiveOf({
        state: 'delivered',
        body: 'Use\n  the old parser.',
        dedupe_key: 'parser',
        tags: ['p'],
        can_fire: false,
        can_revoke: false,
      }),
    ]);
    await user.click(toolkitButton('Correct…', await entry()));
    expect(screen.getByRole('combobox', { name: 'Authority' })).toHaveProperty('value', 'corrective');
    await user.click(toolkitButton('Leave directive'));
    await waitAsked('remind', {
      authority: 'corrective',
      body: 'This corrects the earlier directive “Use the old parser.”: ',
      dedupe_key: 'parser',
      tags: ['p'],
    });
  });
});

describe('a correction', () => {
  const hint = (): string | undefined => screen.queryByRole('note')?.textContent;
  const correct = async (authority: Directive['authority']) => {
    const opened = await open([directiveOf({ state: 'seen', authority, can_fire: false, can_revoke: false })]);
    await opened.user.click(toolkitButton('Correct…', await entry()));
    return opened.user;
  };

  it('of a contract says that it loses unless it is one', async () => {
    const user = await correct('contract');
    const select = screen.getByRole('combobox', { name: 'Authority' });
    expect(select).toHaveProperty('value', 'corrective');
    expect(hint()).toMatch(/contract comes before corrective\. Choose contract if this must win\./);
    await user.selectOptions(select, 'contract');
    expect(hint()).toBeUndefined();
  });

  it.each(['corrective', 'advisory'] as const)('of what is %s says nothing', async (authority) => {
    await correct(authority);
    expect(screen.getByRole('combobox', { name: 'Authority' })).toHaveProperty('value', 'corrective');
    expect(hint()).toBeUndefined();
  });
});

describe('the form', () => {
  interface FormCase {
    readonly title: string;
    readonly fields: Readonly<Record<string, string>>;
    /** What is sent; null: nothing, because of these faults. */
    readonly sent: Partial<ReminderForm> | null;
    readonly faults?: readonly string[];
  }
  it.each<FormCase>([
    {
      title: 'only a body',
      fields: { Body: 'Run it.' },
      sent: {
        body: 'Run it.',
        ttl_turns: null,
        tags: [],
        dedupe_key: null,
        authority: 'contract',
        propagate: 'session',
        mode: 'finish_step',
        preserve_on_compact: false,
      },
    },
    {
      title: 'everything',
      fields: { Body: ' as it is ', 'Lifetime in turns': ' 3 ', Key: ' k ', Tags: 'a, b,, a' },
      sent: { body: ' as it is ', ttl_turns: 3, dedupe_key: 'k', tags: ['a', 'b'] },
    },
    { title: 'no body', fields: { Body: '  ' }, sent: null, faults: ['Write what the model should be told.'] },
    {
      title: 'no turns',
      fields: { Body: 'x', 'Lifetime in turns': '0' },
      sent: null,
      faults: ['Give a whole number of turns, 1 or more, or leave it empty.'],
    },
    {
      title: 'a part of a turn and no body',
      fields: { 'Lifetime in turns': '1.5' },
      sent: null,
      faults: ['Write what the model should be told.', 'Give a whole number of turns, 1 or more, or leave it empty.'],
    },
  ])('$title', async ({ fields, sent, faults = [] }) => {
    const { user, asked, send, waitAsked } = await open([]);
    await send({ type: 'focus', target: 'form' });
    for (const [label, value] of Object.entries(fields)) await fillField(label, value);
    await user.click(toolkitButton('Leave directive'));
    if (sent) {
      await waitAsked('remind', sent);
      await waitFor(() => expect(screen.queryByRole('region', { name: 'Write a directive' })).toBeNull());
    } else {
      expect(screen.getAllByRole('alert').map((fault) => fault.textContent)).toEqual(faults);
      expect(asked('remind')).toEqual([]);
    }
  });

  it.each([
    [
      'Authority',
      ['contract: before corrective', 'corrective: before advisory', 'advisory: comes last'],
      /two disagree/,
    ],
    ['Speaks as', ['user_block', 'system', 'developer', 'ephemeral_cache'], /user_block: a person; all others/],
  ])('explains %s', async (name, labels, hint) => {
    const { send } = await open([]);
    await send({ type: 'focus', target: 'form' });
    const select = screen.getByRole('combobox', { name });
    expect([...select.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual(labels);
    expect(document.getElementById(select.getAttribute('aria-describedby') ?? '')?.textContent).toMatch(hint);
  });

  it('shows how the model will read it', async () => {
    const { send } = await open([]);
    await send({ type: 'focus', target: 'form' });
    await fillField('Body', 'a < b & c');
    await fillField('Lifetime in turns', '2');
    expect(document.querySelector('.form pre')?.textContent).toBe(
      '<directive authority="contract" ttl_turns="2">\na &lt; b &amp; c\n</directive>',
    );
  });

  it('keeps what was written when the host refuses it, and over a reload', async () => {
    const { user, send, host } = await open([], {
      answers: {
        remind: () => {
          throw new Error('RMD-001: unknown option(s): x');
        },
      },
    });
    await send({ type: 'focus', target: 'form' });
    await fillField('Body', 'Keep me');
    await user.click(toolkitButton('Leave directive'));
    expect((await screen.findByRole('alert')).textContent).toBe('RMD-001: unknown option(s): x');
    await waitFor(() => expect(host.saved()).toMatchObject({ tab: 'directives', form: { body: 'Keep me' } }));
  });

  it('says when there is no way into the session', async () => {
    const { send, host } = await open([]);
    const { session } = host.view;
    host.change({ session: { ...session!, no_route: 'Claude Code offers no way in yet.' } });
    await send({ type: 'focus', target: 'form' });
    expect(screen.getByText(/cannot be delivered now: Claude Code offers no way in yet\./)).toBeDefined();
  });
});
