import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseOptions } from '../../../extension/engine/projection/options';
import { projectMessages } from '../../../extension/engine/projection/project';
import type { Message } from '../../../extension/engine/transcript/message';
import { Session } from '../../../extension/session/session';
import { followed, openInspector, readerOf } from './inspector';
import { ABOUT, testDeps, useFolder } from './support';

const folder = useFolder();

const names = ['Read', 'Bash'];
const words = ['src/a.ts', 'parseFile', 'plain words', 'deadbeef01', 'x'.repeat(600), 'src/b.ts '.repeat(80)];

const message = fc.oneof(
  fc.record({ role: fc.constant('user'), content: fc.constantFrom(...words) }),
  fc.record({ role: fc.constant('assistant'), content: fc.constantFrom(...words) }),
  fc
    .record({ id: fc.constantFrom('c1', 'c2', 'c3'), name: fc.constantFrom(...names), signed: fc.boolean() })
    .map(({ id, name, signed }): Message => {
      const thinking = signed ? [{ type: 'thinking', thinking: 't', signature: 's' }] : [];
      return { role: 'assistant', content: [...thinking, { type: 'tool_use', id, name, input: { path: id } }] };
    }),
  fc
    .record({ id: fc.constantFrom('c1', 'c2', 'c3'), text: fc.constantFrom(...words), failed: fc.boolean() })
    .map(({ id, text, failed }): Message => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: text, is_error: failed }],
    })),
);

const settings = fc.constantFrom(
  { policy: 'raw', options: {} },
  { policy: 'clean_tool_repair', options: {} },
  { policy: 'squash_failed_calls', options: { respect_provider_signatures: 'false' } },
  { policy: 'summary_prefix', options: { keep_last: 3 } },
  { policy: 'reachability_gc', options: { root_window: 2 } },
  { policy: 'reachability_gc', options: { root_window: 1, respect_provider_signatures: 'true' } },
);

test('a session that grows, its last message changing, is shown as one that was always so', async () => {
  const session = await Session.open(folder(), 'claude-code:x', testDeps(), { ...ABOUT, own: false });
  await fc.assert(
    fc.asyncProperty(
      settings,
      fc.array(fc.record({ more: fc.array(message, { minLength: 1, maxLength: 6 }), changes: fc.boolean() }), {
        maxLength: 6,
      }),
      fc.nat(2),
      async ({ policy, options }, steps, contextStart) => {
        const messages: Message[] = [
          { role: 'user', content: 'go' },
          { role: 'user', content: 'on' },
        ];
        const start = Math.min(contextStart, messages.length);
        const lane = { entries: messages.length, entry: (index: number) => messages[index] ?? {}, contextStart: start };
        const shown = followed(session, [readerOf(lane)]);
        const inspector = openInspector();
        inspector.inspection.show(shown);
        await inspector.ask('set_policy', { policy, options });
        for (const { more, changes } of steps) {
          const from = changes ? messages.length - 1 : messages.length;
          messages.splice(from, 1, ...more);
          lane.entries = messages.length;
          shown.changes.fire({ kind: 'grew', from: { lane: 'active', message: from, entry: from } });
          if (more.length % 2 === 0) await inspector.inspection.settled();
        }
        await inspector.inspection.settled();
        const signatures =
          'respect_provider_signatures' in options ? options.respect_provider_signatures === 'true' : 'per_turn';
        const parsed = parseOptions({ ...options, policy, respect_provider_signatures: signatures });
        const expected = projectMessages(messages.slice(start), null, parsed, testDeps());
        const { projection } = inspector.inspection.view;
        expect(projection).toMatchObject({
          prefix_hash: expected.prefix_hash,
          reason: expected.reason,
          kept: expected.kept_count - expected.redacted_indices.length,
          hidden: expected.dropped_count,
          redacted: expected.redacted_indices.length,
          reclaimed_tokens: expected.reclaimed_tokens,
        });
        const { rows } = await inspector.ask('rows', { start: 0, count: 1000 });
        const states = rows.filter((row) => row.kind === 'message').map((row) => row.state);
        const redacted = new Set(expected.redacted_indices);
        const kept = new Set(expected.kept_indices);
        expect(states).toEqual(
          messages.map((_, index) => {
            if (index < start || !kept.has(index - start)) return 'hidden';
            return redacted.has(index - start) ? 'redacted' : 'kept';
          }),
        );
        expect(inspector.errors).toEqual([]);
        inspector.inspection.dispose();
      },
    ),
    { seed: 5, numRuns: 120 },
  );
  session.dispose();
});
