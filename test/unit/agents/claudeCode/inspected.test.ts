import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspectClaude } from '../../../../extension/agents/claudeCode/inspected';
import { openClaudeSession } from '../../../../extension/agents/claudeCode/sessionFile';
import type { ClaudeSessionFile } from '../../../../extension/agents/claudeCode/sessionFile';
import { parseOptions } from '../../../../extension/engine/projection/options';
import { projectMessages } from '../../../../extension/engine/projection/project';
import type { Row } from '../../../../extension/engine/rows/row';
import type { InspectedSession } from '../../../../extension/session/inspected';
import { Session } from '../../../../extension/session/session';
import { answer, call, fileOf, prompt, result, system, text } from '../../../support/claudeLines';
import type { TestRecord } from '../../../support/claudeLines';
import { openInspector } from '../../session/inspector';
import type { TestInspector } from '../../session/inspector';
import { ABOUT, testDeps, useFolder } from '../../session/support';

const folder = useFolder();

interface Opened {
  readonly file: ClaudeSessionFile;
  readonly path: string;
  readonly inspected: InspectedSession;
  readonly inspector: TestInspector;
  readonly rows: () => Promise<string[]>;
}

const wordsOf = (row: Row): string => {
  const [block] = row.raw?.blocks ?? [];
  return `${row.kind} ${row.state} ${row.message}: ${block?.text ?? ''}`;
};

async function open(records: readonly (TestRecord | string)[], policy = 'raw'): Promise<Opened> {
  const path = join(folder(), 'session.jsonl');
  await writeFile(path, fileOf(...records));
  const deps = testDeps();
  const session = await Session.open(join(folder()), 'claude-code:x', deps, {
    ...ABOUT,
    own: false,
    deliverable: false,
  });
  const file = await openClaudeSession(path);
  const inspected = inspectClaude(file, session, { now: () => Date.now(), window: 200_000 });
  const inspector = openInspector({ policy });
  inspector.inspection.show(inspected);
  const rows = async (): Promise<string[]> => {
    await file.check();
    return (await inspector.ask('rows', { start: 0, count: 100 })).rows.map(wordsOf);
  };
  return { file, path, inspected, inspector, rows };
}

function close({ inspector, inspected }: Opened): void {
  inspector.inspection.dispose();
  inspected.dispose();
  expect(inspector.errors).toEqual([]);
}

async function checkHash({ inspector, inspected, file }: Opened, policy: string): Promise<void> {
  await file.check();
  await inspector.inspection.settled();
  const reader = inspected.reader('active');
  const messages = Array.from({ length: reader?.messages ?? 0 }, (_, index) => reader?.message(index) ?? {});
  const context = messages.slice(reader?.context_start ?? 0);
  const options = parseOptions({ policy, respect_provider_signatures: 'per_turn' });
  const { prefix_hash } = projectMessages(context, null, options, testDeps());
  expect(inspector.inspection.view.projection.prefix_hash).toBe(prefix_hash);
}

const plain = [
  prompt('u1', null, 'What is in a.ts?'),
  answer('a1', 'u1', 'm1', text('I look.')),
  answer('a2', 'a1', 'm1', call('c1')),
  result('r1', 'a2', 'c1', 'no such file', { is_error: true }),
];

describe('a Claude Code session', () => {
  test('shows its end at once, then all of it', async () => {
    const opened = await open(plain);
    const first = opened.inspector.inspection.view;
    expect(first.rows.count).toBe(3);
    expect(await opened.rows()).toEqual([
      'message kept 0: What is in a.ts?',
      'message kept 1: I look.',
      'message kept 2: no such file',
    ]);
    expect(opened.inspector.inspection.view).toMatchObject({
      session: { agent: 'Claude Code 2.1.20', model: 'model-of-the-test' },
      usage: { tokens: 550, window: 200_000, source: 'reported' },
      turn: { count: 1 },
      progress: null,
      error: null,
    });
    close(opened);
  });

  test('grows while it is looked at, its last message too', async () => {
    const opened = await open([...plain, answer('a3', 'r1', 'm2', text('Again'))], 'clean_tool_repair');
    await checkHash(opened, 'clean_tool_repair');
    await appendFile(opened.path, fileOf(answer('a4', 'a3', 'm2', call('c2'))));
    await checkHash(opened, 'clean_tool_repair');
    expect((await opened.inspector.ask('rows', { start: 3, count: 1 })).rows[0]?.raw?.blocks).toHaveLength(2);
    await appendFile(opened.path, fileOf(result('r2', 'a4', 'c2', 'export {};')));
    await checkHash(opened, 'clean_tool_repair');
    expect(await opened.rows()).toEqual([
      'message kept 0: What is in a.ts?',
      'message hidden 1: I look.',
      'message hidden 2: no such file',
      'message kept 3: Again',
      'message kept 4: export {};',
    ]);
    close(opened);
  });

  test('a repair hides what failed', async () => {
    const opened = await open(
      [
        prompt('u1', null, 'go'),
        answer('a1', 'u1', 'm1', call('c1')),
        result('r1', 'a1', 'c1', 'no', { is_error: true }),
        answer('a2', 'r1', 'm2', call('c2')),
        result('r2', 'a2', 'c2', 'yes'),
        answer('a3', 'r2', 'm3', text('done')),
      ],
      'clean_tool_repair',
    );
    expect((await opened.rows()).map((row) => row.split(' ')[1])).toEqual([
      'kept',
      'hidden',
      'hidden',
      'kept',
      'kept',
      'kept',
    ]);
    close(opened);
  });

  test('what was compacted is archived, and its boundary has a row', async () => {
    const opened = await open([
      ...plain,
      system('b1', null, 'compact_boundary', {
        logicalParentUuid: 'r1',
        content: 'Conversation compacted',
        compactMetadata: { trigger: 'auto', preTokens: 9 },
      }),
      prompt('s1', 'b1', 'A summary of it all', { isCompactSummary: true }),
      answer('a9', 's1', 'm9', text('Going on.')),
    ]);
    const rows = await opened.rows();
    expect(rows.map((row) => row.split(':')[0])).toEqual([
      'message hidden 0',
      'message hidden 1',
      'message hidden 2',
      'boundary kept null',
      'message kept 3',
      'message kept 4',
    ]);
    const page = await opened.inspector.ask('rows', { start: 4, count: 1 });
    expect(page.rows[0]?.notes).toContain('summary of the compaction');
    expect(opened.inspector.inspection.view.projection).toMatchObject({ archived: 3, kept: 2 });
    await opened.inspector.ask('set_turn', { turn: 1 });
    expect((await opened.rows()).map((row) => row.split(':')[0])).toEqual(['message kept 0']);
    close(opened);
  });

  test('a file that is replaced is looked at anew', async () => {
    const opened = await open(plain);
    expect(await opened.rows()).toHaveLength(3);
    const other = `${opened.path}.new`;
    await writeFile(other, fileOf(prompt('x1', null, 'Something else')));
    await rename(other, opened.path);
    expect(await opened.rows()).toEqual(['message kept 0: Something else']);
    await checkHash(opened, 'raw');
    close(opened);
  });

  test("a sub-agent's own file is one of its lanes", async () => {
    const agents = join(folder(), 'session', 'subagents');
    await mkdir(agents, { recursive: true });
    const fields = { isSidechain: true, agentId: 'abc' };
    await writeFile(
      join(agents, 'agent-abc.jsonl'),
      fileOf(prompt('s1', null, 'Look into it', fields), answer('s2', 's1', 'n1', text('Seen.'), fields)),
    );
    const opened = await open(plain);
    await opened.file.check();
    expect(opened.inspected.lanes.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      'active active',
      'agent:abc sidechain',
    ]);
    await opened.inspector.ask('set_lane', { lane: 'agent:abc' });
    await expect.poll(() => opened.inspector.inspection.view.rows.count).toBe(2);
    await expect.poll(() => opened.inspector.inspection.view.projection.computing).toBe(false);
    expect(await opened.rows()).toEqual(['message kept 0: Look into it', 'message kept 1: Seen.']);
    await opened.inspector.ask('set_lane', { lane: 'active' });
    expect(await opened.rows()).toHaveLength(3);
    close(opened);
  });

  test('a broken line is an issue, and directives wait', async () => {
    const opened = await open([...plain, '{"half\n']);
    await opened.file.check();
    const view = opened.inspector.inspection.view;
    expect(view.issues).toMatchObject({ total: 1, first: [{ line: 5, kind: 'invalid-json' }] });
    opened.inspected.session.remind({ body: 'a.ts changed' });
    const { directives } = await opened.inspector.ask('directives', {});
    expect(directives[0]).toMatchObject({ state: 'queued', hold: 'no_route', can_fire: false, can_revoke: true });
    expect((await opened.rows()).at(-1)).toBe('pending directive null: ');
    close(opened);
  });
});
