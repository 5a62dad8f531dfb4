import { renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../extension/formats/claudeCode/entry';
import type { ClaudeSessionFile, SessionChange } from '../../../../extension/agents/claudeCode/sessionFile';
import { openClaudeSession } from '../../../../extension/agents/claudeCode/sessionFile';
import { answer, call, fileOf, prompt, result, system, text, thinking } from '../../../support/claudeLines';
import { fixtures } from '../../../support/claudeSessions';
import { generateSession } from '../../../support/generate';
import { runs, seedOf } from '../../../support/random';
import { grow, opened, temporaryFile } from './support';

const start = fileOf(
  prompt('u1', null, 'What is in a.ts?'),
  answer('a1', 'u1', 'm1', thinking('Look.')),
  answer('a2', 'a1', 'm1', call('c1')),
);
const rest = fileOf(result('r1', 'a2', 'c1', 'export {};'), answer('a3', 'r1', 'm2', text('Nothing.')));

async function wordsOf(session: ClaudeSessionFile, lane = 'active'): Promise<string[]> {
  const reader = session.lane(lane);
  return (await reader.read(0, reader.entries)).map(wordOf);
}

function wordOf(entry: Entry): string {
  if (entry.kind === 'boundary') return entry.boundary;
  if (entry.kind === 'record') return entry.type;
  const { role, content } = entry.message;
  const blocks = Array.isArray(content) ? (content as { type: string }[]).map(({ type }) => type).join('+') : 'words';
  return `${typeof role === 'string' ? role : 'nobody'}: ${blocks}`;
}

function heard(session: ClaudeSessionFile): SessionChange[] {
  const changes: SessionChange[] = [];
  session.onDidChange((change) => changes.push(change));
  return changes;
}

const lanesIn = (changes: readonly SessionChange[]): unknown[] =>
  changes.flatMap((change) =>
    change.kind === 'lane' ? [{ lane: change.lane, message: change.from_message, entry: change.from_entry }] : [],
  );

describe('a session file that is open', () => {
  it('shows its end before it is indexed', async () => {
    const session = await openClaudeSession(temporaryFile(start + rest));
    expect(session.lastPage.map(wordOf)).toEqual([
      'user: words',
      'assistant: thinking+tool_use',
      'user: tool_result',
      'assistant: text',
    ]);
    expect(session.title()).toBe('What is in a.ts?');
    expect(session.cwd()).toBe('/home/someone/garden');
    expect(session.progress.done).toBe(false);
    await session.indexed;
    expect(session.progress.done).toBe(true);
    session.dispose();
  });

  it('reads messages, entries, places and figures by number', async () => {
    const session = await opened(temporaryFile(start + rest));
    const lane = session.lane();
    expect(await wordsOf(session)).toEqual([
      'user: words',
      'assistant: thinking+tool_use',
      'user: tool_result',
      'assistant: text',
    ]);
    expect(lane.length).toBe(4);
    expect(lane.message(0)).toEqual({ role: 'user', content: 'What is in a.ts?' });
    expect(lane.lineOf(1)).toBe(2);
    expect((await lane.read(1, 2))[0]).toMatchObject({
      lines: [2, 3],
      message_id: 'm1',
      uuid: 'a1',
      index: 1,
      entry: 1,
    });
    expect([lane.usageAt(0), lane.usageAt(1), lane.usageAt(3)]).toEqual([null, 550, 550]);
    expect(Array.from({ length: lane.turns.length }, (_, i) => lane.turns.at(i))).toEqual([1, 3]);
    expect(session.files()).toMatchObject([
      { path: '/home/someone/garden/a.ts', read: true, written: false, message: 1 },
    ]);
    expect(session.rawLine(1)).toBe(start.split('\n')[0]);
    expect(session.model()).toBe('model-of-the-test');
    expect(session.lastUsage()).toMatchObject({ input_tokens: 3, output_tokens: 7 });
  });

  it('takes a call that is said to have failed after all for no use of its file', async () => {
    const session = await opened(temporaryFile(start + rest));
    expect(session.files()).toHaveLength(1);
    await grow(session, fileOf(result('r2', 'a2', 'c1', 'no', { is_error: true })));
    expect(session.files()).toEqual([]);
  });

  it('what is out of range is empty, and an unknown lane says so', async () => {
    const session = await opened(temporaryFile(start));
    expect(session.lane().message(99)).toEqual({ role: 'user', content: [] });
    expect(await session.lane().read(50, 60)).toEqual([]);
    expect(() => session.lane('branch:L99')).toThrow('no lane "branch:L99"');
  });

  it.each(fixtures)('has the lanes of: $name', async ({ bytes, lanes, facts, context_start }) => {
    const session = await opened(temporaryFile(bytes));
    expect(session.facts()).toMatchObject(facts);
    expect(
      session
        .lanes()
        .map(({ id }) => session.lane(id))
        .map(({ length, entries }) => [length, entries]),
    ).toEqual(lanes.map(({ messages, entries }) => [messages, entries]));
    expect(session.lane().contextStart).toBe(context_start ?? 0);
    const own = session.lanes().reduce((sum, { messages }) => sum + (messages ?? 0), 0);
    expect(own).toBe(session.facts().messages);
  });

  it('knows what micro-compaction cleared and what a compaction archived', async () => {
    const boundary = { microcompactMetadata: { compactedToolIds: ['c1'] } };
    const file = temporaryFile(start + rest + fileOf(system('k1', 'a3', 'microcompact_boundary', boundary)));
    const session = await opened(file);
    const lane = session.lane();
    expect([...lane.cleared()]).toEqual(['c1']);
    await grow(
      session,
      fileOf({ ...system('k2', null, 'compact_boundary'), logicalParentUuid: 'k1' }, prompt('u2', 'k2', 'Summary')),
    );
    expect([...lane.cleared()]).toEqual([]);
    expect([lane.contextStart, lane.contextStartAt(3), lane.contextStartAt(4)]).toEqual([4, 0, 4]);
    expect((await lane.read(0, 9)).map(({ context }) => context)).toEqual([
      ...Array.from({ length: 4 }, () => 'compacted'),
      'not_sent',
      'not_sent',
      'in_context',
    ]);
  });
});

describe('a session file that grows', () => {
  it('tells from which message on a lane is new', async () => {
    const session = await opened(temporaryFile(start));
    const changes = heard(session);
    await grow(session, rest);
    expect(lanesIn(changes)).toEqual([{ lane: 'active', message: 2, entry: 2 }]);
    expect(session.lane().length).toBe(4);
  });

  it('a record that joins the last answer changes that message', async () => {
    const session = await opened(temporaryFile(start));
    expect(session.lane().message(1)).toMatchObject({ content: [{ type: 'thinking' }, { type: 'tool_use' }] });
    const changes = heard(session);
    await grow(session, fileOf(answer('a9', 'a2', 'm1', text('and'))));
    expect(lanesIn(changes)).toEqual([{ lane: 'active', message: 1, entry: 1 }]);
    expect(session.lane().message(1)).toMatchObject({ content: [{}, {}, { type: 'text' }] });
  });

  it('a rewind makes the new prompt the active branch, and keeps the old one as another', async () => {
    const session = await opened(temporaryFile(start + rest));
    const changes = heard(session);
    await grow(session, fileOf(prompt('u2', 'a3', 'Left'), answer('a4', 'u2', 'm3', text('Left.'))));
    await grow(session, fileOf(prompt('u3', 'a3', 'Right')));
    expect(lanesIn(changes).at(-1)).toEqual({ lane: 'active', message: 4, entry: 4 });
    expect(session.lanes()[1]).toMatchObject({ label: 'Branch: Left', messages: 2, parent_entry: 3 });
    expect(session.lane(session.lanes()[1]!.id).length).toBe(6);
    expect(session.lane().length).toBe(5);
  });

  it('a line that is cut is not there until its rest has come', async () => {
    const session = await opened(temporaryFile(start));
    const line = fileOf(result('r1', 'a2', 'c1', 'größer 日本'));
    const bytes = Buffer.from(line);
    const cut = bytes.indexOf('ö') + 1;
    writeFileSync(session.file, bytes.subarray(0, cut), { flag: 'a' });
    await session.check();
    expect(session.lane().length).toBe(2);
    expect(session.facts()).toMatchObject({ lines: 4, malformed: 1 });
    expect(session.issues().map(({ line: number, kind }) => [number, kind])).toEqual([[4, 'truncated']]);
    writeFileSync(session.file, bytes.subarray(cut), { flag: 'a' });
    await session.check();
    expect(session.facts()).toMatchObject({ lines: 4, malformed: 0 });
    expect(session.lane().message(2)).toMatchObject({ content: [{ content: 'größer 日本' }] });
  });

  it('a whole last line without an end is there at once; when it goes on after all, the file is read anew', async () => {
    const session = await opened(temporaryFile(start.trimEnd()));
    expect(session.lane().length).toBe(2);
    await grow(session, `\n${rest}`);
    expect(session.lane().length).toBe(4);
    writeFileSync(session.file, start.trimEnd() + rest);
    await session.check();
    expect(session.facts().malformed).toBe(1);
    expect(session.lane().length).toBe(3);
  });

  const resets = [
    { name: 'cut', change: (file: string) => truncateSync(file, start.length), words: 2 },
    { name: 'cut to nothing', change: (file: string) => truncateSync(file, 0), words: 0 },
    {
      name: 'replaced',
      change: (file: string) => {
        writeFileSync(`${file}.new`, rest + start);
        renameSync(`${file}.new`, file);
      },
      words: 3,
    },
    {
      name: 'written over by a longer one',
      change: (file: string) => writeFileSync(file, rest + start + start),
      words: 3,
    },
  ];
  it.each(resets)('a file that was $name is read anew', async ({ change, words }) => {
    const session = await opened(temporaryFile(start + rest));
    const changes = heard(session);
    change(session.file);
    await session.check();
    expect(lanesIn(changes)).toContainEqual({ lane: 'active', message: 0, entry: 0 });
    expect(session.lane().length).toBe(words);
    expect(await wordsOf(session)).toHaveLength(words);
    await grow(session, fileOf(prompt('u8', null, 'On it goes')));
    expect(session.lane().length).toBeGreaterThan(0);
    expect(session.problem).toBeNull();
  });

  it('a file that is deleted stays readable here, says so, and is taken up when it comes back', async () => {
    const session = await opened(temporaryFile(start));
    rmSync(session.file);
    await session.check();
    expect(session.problem?.message).toContain(session.file);
    expect(await wordsOf(session)).toHaveLength(2);
    writeFileSync(session.file, start + rest);
    await session.check();
    expect(session.problem).toBeNull();
    expect(session.lane().length).toBe(4);
  });

  it('is told of growth by the system, without being asked', async () => {
    const session = await opened(temporaryFile(start));
    const grown = new Promise<void>((resolve) => {
      session.onDidChange((change) => {
        if (change.kind === 'lane') resolve();
      });
    });
    writeFileSync(session.file, rest, { flag: 'a' });
    await grown;
    expect(session.lane().length).toBe(4);
  });

  it('in any pieces is the same as at once', async () => {
    let whole = '';
    generateSession({ seed: 5, turns: 25, compact_every: 9 }, (part) => (whole += part));
    const bytes = Buffer.from(whole);
    const once = await opened(temporaryFile(bytes));
    const expected = await wordsOf(once);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { minLength: 1, maxLength: 5 }), async (places) => {
        const cuts = [...places.sort((a, b) => a - b), bytes.length];
        const session = await opened(temporaryFile(bytes.subarray(0, cuts[0])));
        const lane = session.lane();
        let before: string[] = [];
        let from = Infinity;
        session.onDidChange((change) => {
          if (change.kind === 'lane') from = Math.min(from, change.from_entry);
        });
        for (let i = 1; i < cuts.length; i++) {
          before = await wordsOf(session);
          from = Infinity;
          writeFileSync(session.file, bytes.subarray(cuts[i - 1], cuts[i]), { flag: 'a' });
          await session.check();
          expect((await wordsOf(session)).slice(0, from)).toEqual(before.slice(0, from));
          const anew = await opened(session.file);
          expect(session.lanes()).toEqual(anew.lanes());
          expect(session.title()).toEqual(anew.title());
          expect(session.files()).toEqual(anew.files());
        }
        expect(await wordsOf(session)).toEqual(expected);
        expect(session.facts()).toEqual(once.facts());
        expect(session.files()).toEqual(once.files());
        expect(lane.length).toBe(once.lane().length);
        session.dispose();
      }),
      { seed: seedOf(30), numRuns: runs(12) },
    );
  });
});

describe('states', () => {
  const minute = 60_000;
  const rows = [
    { name: 'a call without a result', content: start, after: minute, state: 'running' },
    {
      name: 'a result without an answer',
      content: start + rest.split('\n')[0]! + '\n',
      after: minute,
      state: 'running',
    },
    { name: 'an answer', content: start + rest, after: minute, state: 'idle' },
    { name: 'a call that never came back', content: start, after: 20 * minute, state: 'idle' },
    { name: 'a long silence', content: start + rest, after: 90 * minute, state: 'ended' },
    {
      name: 'an interruption',
      content: start + fileOf(prompt('i1', 'a2', '[Request interrupted by user]')),
      after: minute,
      state: 'idle',
    },
    { name: 'nothing', content: '', after: 0, state: 'idle' },
  ];
  it.each(rows)('$name is $state', async ({ content, after, state }) => {
    const session = await opened(temporaryFile(content));
    const lines = content.trim().split('\n');
    const last = content === '' ? 0 : Date.parse((JSON.parse(lines.at(-1)!) as { timestamp: string }).timestamp);
    expect(session.state(last + after)).toBe(state);
  });
});
