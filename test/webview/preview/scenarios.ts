import type { InspectorView } from '../../../extension/protocol';
import { createFakeHost, type FakeHost, type RowSource, sourceOf } from '../support/host';
import { viewOf } from '../support/rows';
import { generatedRows } from './million';
import { directives, lifecycleRows, storyRows } from './story';

const bars = [4, 6, 9, 12, 15, 16, 5, 7, 8, 10, 11].map((tokens, index) => ({ tokens, diverged: index === 6 }));
const base = viewOf();

const storyView: InspectorView = viewOf({
  session: { ...base.session!, status: 'running' },
  projection: {
    ...base.projection,
    policy: 'clean_tool_repair',
    standing: 'preview',
    hidden: 3,
    redacted: 1,
    kept: 45,
    reclaimed_tokens: 6400,
    reread_tokens: 9300,
    relation: 'diverged',
    diverged_at: 32,
    diverged_how: 'changed',
  },
  turn: { count: 11, shown: null, verified: null, first: 1, bars },
  rows: { count: storyRows.length, total: storyRows.length },
  messages: { raw: 48, projected: 45 },
  directives: { pending: 2, total: 5 },
  lifecycle: { total: 240 },
});

interface Scenario {
  readonly view: InspectorView;
  readonly rows: RowSource;
  readonly saved?: unknown;
}

const empty = sourceOf([]);
const story = (change: Partial<InspectorView>, saved?: unknown): Scenario => ({
  view: { ...storyView, ...change },
  rows: sourceOf(storyRows),
  saved: saved ?? { top_row: 0, follow: false },
});

const MILLION = 1_000_000;

const form = {
  body: '',
  tags: [],
  dedupe_key: null,
  ttl_turns: 2,
  preserve_on_compact: false,
  propagate: 'session',
  authority: 'contract',
  role_hint: 'user_block',
  mode: 'finish_step',
};

export const scenarios: Readonly<Record<string, () => Scenario>> = {
  story: () => story({}),
  sent: () =>
    story({
      session: {
        ...base.session!,
        agent: 'Claude Code 2.1.37',
        no_composer: 'Claude Code runs elsewhere: this window only reads along.',
      },
      lanes: [
        { id: 'main', label: 'main', kind: 'active', messages: 48 },
        { id: 'b', label: 'abandoned at message 30', kind: 'branch', messages: 33 },
      ],
      projection: {
        ...storyView.projection,
        standing: 'as_sent',
        can_apply: false,
        no_apply: null,
        relation: 'append_only',
        diverged_at: null,
        reread_tokens: 0,
      },
      turn: { count: 11, shown: 8, verified: true, first: 1, bars },
    }),
  applied: () =>
    story({ projection: { ...storyView.projection, standing: 'applied', relation: 'initial', diverged_at: null } }),
  banners: () =>
    story({
      projection: {
        ...storyView.projection,
        blocked_by: 34,
        can_apply: false,
        no_apply: 'Claude Code builds its own requests.',
      },
      issues: {
        total: 3,
        first: [
          { line: 12, kind: 'invalid-json', text: 'Unexpected end of the line after 84 characters' },
          { line: 40, kind: 'invalid-utf8', text: 'Three bytes are no UTF-8; they were replaced' },
          { line: 97, kind: 'truncated', text: 'The last line has no end yet' },
        ],
      },
      error:
        'The session file cannot be read any more: permission denied. Give this user the right to read it, or open it again.',
      progress: 0.4,
      permissions: [
        {
          id: 'p',
          tool: 'run_command',
          title: 'npm test -- parser',
          detail: '{\n  "command": "npm test -- parser"\n}',
        },
      ],
    }),
  directives: () => story({}, { tab: 'directives' }),
  form: () =>
    story({}, { tab: 'directives', form: { ...form, body: 'Run only the parser tests: npm test -- parser.' } }),
  lifecycle: () => story({}, { tab: 'lifecycle' }),
  raw: () => story({}, { side: 'raw', follow: false }),
  none: () => ({ view: viewOf({ session: null, rows: { count: 0, total: 0 } }), rows: empty }),
  quiet: () => ({
    view: viewOf({ rows: { count: 0, total: 0 }, usage: null, messages: { raw: 0, projected: 0 } }),
    rows: empty,
  }),
  filtered: () => ({
    view: { ...storyView, rows: { count: 0, total: 48 }, filter: { speakers: ['system'], states: [] } },
    rows: empty,
  }),
  nodirectives: () => ({
    view: viewOf({ directives: { pending: 0, total: 0 } }),
    rows: sourceOf(storyRows.slice(0, 3)),
    saved: { tab: 'directives' },
  }),
  million: () => ({
    view: {
      ...storyView,
      rows: { count: MILLION, total: MILLION },
      messages: { raw: MILLION, projected: MILLION - 83_333 },
      directives: { pending: 0, total: 0 },
    },
    rows: generatedRows(MILLION),
    saved: { top_row: 0, follow: false },
  }),
};

/** A host with everything that the scenario needs answered; answers take as long as a round trip through VS Code. */
export function startScenario(name: string): FakeHost {
  const scenario = (scenarios[name] ?? scenarios.story!)();
  const host = createFakeHost({ ...scenario, later: (deliver) => setTimeout(deliver, 4) });
  const records = lifecycleRows(240);
  host.answers = {
    directives: () => ({ revision: 1, directives: name === 'nodirectives' ? [] : directives }),
    lifecycle: ({ start, count }) => ({
      revision: 1,
      total: records.length,
      kinds: [...new Set(records.map(({ kind }) => kind))],
      start,
      rows: records.slice(start, start + count),
    }),
    locate: ({ message }) => {
      if (host.rows.count > 1000) return { row: message };
      const row = storyRows.findIndex((each) => each.message === message);
      return { row: row < 0 ? null : row };
    },
    search: ({ text, from }) => {
      for (let step = 0; step < Math.min(host.rows.count, 2000); step++) {
        const row = (from + step) % host.rows.count;
        const found = host.rows
          .at(row)
          .raw?.blocks.some((block) => block.text.toLowerCase().includes(text.toLowerCase()));
        if (found) return { row, wrapped: row < from, matches: 7, position: 2 };
      }
      return { row: null, wrapped: false, matches: 0, position: 0 };
    },
    body: ({ key, side, block, offset }) => {
      const row = storyRows.find((each) => each.key === key);
      const text = row?.[side]?.blocks[block]?.text ?? '';
      const whole = text.repeat(8);
      return { text: whole.slice(offset, offset + 2000), next: offset + 2000 < whole.length ? offset + 2000 : null };
    },
    set_policy: ({ policy, options }) => {
      setTimeout(
        () => host.change({ projection: { ...host.view.projection, policy, options, standing: 'preview' } }),
        5,
      );
      return null;
    },
    set_turn: ({ turn }) => {
      setTimeout(
        () => host.change({ turn: { ...host.view.turn, shown: turn, verified: turn === null ? null : true } }),
        5,
      );
      return null;
    },
    revoke: () => {
      throw new Error('It was delivered in turn 10 and cannot be taken back.');
    },
  };
  return host;
}
