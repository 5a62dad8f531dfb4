import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstDifference, Layout } from '../../../../extension/formats/claudeCode/layout';
import { type Members, membersOfBranch, membersOfSidechain } from '../../../../extension/formats/claudeCode/members';
import { MessageCounts } from '../../../../extension/formats/claudeCode/messageCounts';
import { SessionIndex } from '../../../../extension/formats/claudeCode/sessionIndex';
import { Tree } from '../../../../extension/formats/claudeCode/tree';
import { fixtures } from '../../../support/claudeSessions';
import { generateSession } from '../../../support/generate';
import { runs, seedOf } from '../../../support/random';
import { randomLinks, randomTurns } from '../../../support/randomLinks';

const decoder = new TextDecoder();

/** A tree with the counts and the lanes over it. */
interface Arranged {
  readonly tree: Tree;
  readonly counts: MessageCounts;
  readonly lanes: Lane[];
}

interface Lane {
  readonly members: Members;
  layout: Layout;
}

function laneOf(index: SessionIndex, members: Members): Lane {
  return { members, layout: Layout.of(index.records, members) };
}

function arrange(index: SessionIndex): Arranged {
  const tree = new Tree(index.records);
  const counts = new MessageCounts(index.records);
  for (let i = 0; i < tree.size; i++) counts.take(tree, i);
  const lanes = [
    ...tree.branches.map((_, i) => laneOf(index, membersOfBranch(index.records, tree, i))),
    ...tree.sidechains.map((_, i) => laneOf(index, membersOfSidechain(tree, i))),
  ];
  return { tree, counts, lanes };
}

/** All that can be seen of it. */
function contentOf({ tree, counts, lanes }: Arranged): unknown {
  const { size, branches, sidechains } = tree;
  const places = [...branches.map((_, i) => i), ...sidechains.map((_, i) => -2 - i)];
  return {
    order: Array.from({ length: size }, (_, i) => tree.at(i)),
    parent: [...tree.parent.subarray(0, size)],
    branchOf: [...tree.branchOf.subarray(0, size)],
    branches,
    sidechains,
    counts: places.map((place) => counts.at(place)),
    lanes: lanes.map(({ layout }) => partsOf(layout)),
  };
}

function partsOf(layout: Layout): unknown {
  const { entries, messages, answers, placed, boundary, contexts } = layout;
  return {
    start: [...layout.start.subarray(0, entries + 1)],
    records: [...layout.records.subarray(0, placed)],
    entryOf: [...layout.entryOf.subarray(0, messages)],
    messageOf: [...layout.messageOf.subarray(0, entries)],
    turns: [...layout.turns.subarray(0, answers)],
    boundary,
    contexts: [...contexts],
  };
}

/** Takes what was appended, by itself where that is possible; gives what stands then, and whether it was possible. */
function grow(index: SessionIndex, { tree, counts, lanes }: Arranged): { after: Arranged; plain: boolean } {
  const before = tree.size;
  if (!tree.grow()) return { after: arrange(index), plain: false };
  for (let i = before; i < tree.size; i++) counts.take(tree, i);
  const known = lanes.length - tree.branches.length;
  for (const lane of lanes) {
    const old = structuredClone(partsOf(lane.layout)) as Layout;
    let from = lane.layout.entries;
    for (let i = before; i < tree.size; i++) {
      const entry = lane.members.takes(i) ? lane.layout.append(index.records, i) : lane.layout.entries;
      if (entry === null) throw new Error('No record of these tests is that far away.');
      from = Math.min(from, entry);
    }
    const was = Object.assign(new Layout(), old, { entries: old.start.length - 1 });
    expect(from).toBe(firstDifference(was, lane.layout));
  }
  const came = tree.sidechains.slice(known).map((_, i) => laneOf(index, membersOfSidechain(tree, known + i)));
  return { after: { tree, counts, lanes: [...lanes, ...came] }, plain: true };
}

/** Lets a file grow by so many lines at a time, over and over. Gives the share of steps that were plain. */
function checkGrowth(text: string, steps: readonly number[]): number {
  const lines = text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
  const index = new SessionIndex({ decode: (bytes) => decoder.decode(bytes) });
  let arranged = arrange(index);
  let plain = 0;
  let rounds = 0;
  for (let at = 0; at < lines.length; rounds++) {
    const step = steps.length === 0 ? 1 : 1 + (steps[rounds % steps.length]! % 4);
    index.push(new TextEncoder().encode(lines.slice(at, at + step).join('')));
    at += step;
    const grown = grow(index, arranged);
    arranged = grown.after;
    if (grown.plain) plain++;
    expect(contentOf(arranged)).toEqual(contentOf(arrange(index)));
  }
  return plain / rounds;
}

function linesOf(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

function generated(seed: number): string {
  let text = '';
  generateSession({ seed, turns: 40, compact_every: 9 }, (part) => (text += part));
  return text;
}

describe('what is appended is arranged as if all were arranged anew', () => {
  it.each(fixtures.filter(({ bytes }) => bytes.length < 300_000))('$name', ({ bytes }) => {
    checkGrowth(decoder.decode(bytes), []);
    checkGrowth(decoder.decode(bytes), [1, 3, 2]);
  });

  it.each([1, 2, 3].map((seed) => ({ seed })))('a generated session of seed $seed, mostly at no cost', ({ seed }) => {
    expect(checkGrowth(generated(seed), [])).toBeGreaterThan(0.95);
  });

  it('records with random links', () => {
    fc.assert(
      fc.property(fc.array(randomLinks, { maxLength: 20 }), fc.array(fc.nat(), { maxLength: 4 }), (records, steps) => {
        checkGrowth(linesOf(records), steps);
      }),
      { seed: seedOf(24), numRuns: runs(600) },
    );
  });

  it('turns that fork, come late, or are spread over several records now and then', () => {
    fc.assert(
      fc.property(randomTurns, fc.array(fc.nat(), { maxLength: 4 }), (records, steps) => {
        checkGrowth(linesOf(records), steps);
      }),
      { seed: seedOf(25), numRuns: runs(400) },
    );
  });
});
