import type { Block, Directive, InspectorView, Row, Side } from '../../../extension/protocol';

/** A directive with everything that a test does not care about. */
export function directiveOf(change: Partial<Directive> = {}): Directive {
  return {
    reminder_id: '01890000-0000-7000-8000-000000000001',
    state: 'pending',
    body: 'The narrow test run is npm test -- parser.',
    tags: [],
    dedupe_key: null,
    ttl_turns: 1,
    preserve_on_compact: false,
    propagate: 'session',
    authority: 'advisory',
    role_hint: 'system',
    source: 'in_pipeline',
    origin: null,
    mode: null,
    originating_agent_id: null,
    hold: 'waits_for_seam',
    fire_turn: null,
    reason: null,
    delivered_turn: null,
    created_ms: 1_760_000_000_000,
    changed_ms: 1_760_000_000_000,
    can_revoke: true,
    can_fire: true,
    ...change,
  };
}

export const textBlock = (text: string): Block => ({ kind: 'text', text, length: [...text].length });

export const sideOf = (...blocks: readonly Block[]): Side => ({
  blocks,
  tokens: Math.ceil(blocks.reduce((sum, { length }) => sum + length, 0) / 4),
});

/** A row of a kept user message with everything that a test does not care about. */
export function rowOf(message: number | null, change: Partial<Row> = {}): Row {
  return {
    key: message === null ? 'extra' : `m${message}`,
    kind: 'message',
    state: 'kept',
    speaker: 'user',
    message,
    raw: sideOf(textBlock(`message number ${message}`)),
    projected: null,
    cause: null,
    notes: [],
    directives: [],
    time_ms: null,
    ...change,
  };
}

/** A view of an own, idle session with everything that a test does not care about. */
export function viewOf(change: Partial<InspectorView> = {}): InspectorView {
  return {
    revision: 1,
    session: {
      id: 'session-1',
      title: 'Fix the failing parser tests',
      agent: 'Own agent',
      status: 'idle',
      fidelity: 'The raw side is exactly what was sent and received.',
      live: true,
      no_route: null,
      no_composer: null,
      model: 'scripted',
    },
    lanes: [{ id: 'main', label: 'main', kind: 'active', messages: 3 }],
    lane: 'main',
    policies: POLICIES,
    projection: {
      policy: 'raw',
      options: {},
      standing: 'applied',
      can_apply: true,
      no_apply: null,
      reason: 'raw transcript',
      computing: false,
      kept: 3,
      hidden: 0,
      redacted: 0,
      synthetic: 0,
      archived: 0,
      reclaimed_tokens: 0,
      reread_tokens: 0,
      prefix_hash: `sha256:3fa9${'0'.repeat(56)}e07b`,
      relation: 'append_only',
      diverged_at: null,
      diverged_how: null,
      spared: 0,
      blocked_by: null,
      error: null,
    },
    turn: { count: 0, shown: null, verified: null, first: 1, bars: [] },
    usage: { tokens: 82_140, window: 200_000, source: 'reported' },
    rows: { count: 3, total: 3 },
    messages: { raw: 3, projected: 3 },
    filter: { speakers: [], states: [] },
    directives: { pending: 0, total: 0 },
    lifecycle: { total: 0 },
    issues: { total: 0, first: [] },
    progress: null,
    permissions: [],
    error: null,
    ...change,
  };
}

const signatures = {
  key: 'respect_provider_signatures',
  type: 'choice',
  default: true,
  choices: ['true', 'per_turn', 'false'],
  description: 'What to do when signed reasoning would be changed.',
} as const;

export const POLICIES: InspectorView['policies'] = [
  { name: 'raw', description: 'Everything, as it is.', options: [] },
  {
    name: 'clean_tool_repair',
    description: 'Hides failed calls that succeeded later.',
    options: [
      {
        key: 'keep_last_failures',
        type: 'integer',
        default: 1,
        choices: [],
        description: 'Failures of a tool that stay, counted from the end.',
      },
      signatures,
    ],
  },
  {
    name: 'reachability_gc',
    description: 'Replaces bodies of results that nothing recent refers to.',
    options: [
      { key: 'keep_recent', type: 'integer', default: 8, choices: [], description: 'Messages that are always kept.' },
      { key: 'strict', type: 'boolean', default: false, choices: [], description: 'Only exact names count.' },
      { key: 'reason', type: 'text', default: null, choices: [], description: 'Shown in place of ours.' },
      signatures,
    ],
  },
];
