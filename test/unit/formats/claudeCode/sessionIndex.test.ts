import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Layout } from '../../../../extension/formats/claudeCode/layout';
import { type Members, membersOfBranch, membersOfSidechain } from '../../../../extension/formats/claudeCode/members';
import { parseRecord } from '../../../../extension/formats/claudeCode/parse';
import { SessionIndex } from '../../../../extension/formats/claudeCode/sessionIndex';
import { Tree } from '../../../../extension/formats/claudeCode/tree';
import { fixtures, type Fixture } from '../../../support/claudeSessions';
import { generateSession } from '../../../support/generate';
import { runs, seedOf } from '../../../support/random';
import { randomLinks } from '../../../support/randomLinks';

const decoder = new TextDecoder();
const decode = (bytes: Uint8Array): string => decoder.decode(bytes);
const MALFORMED = ['invalid-json', 'not-an-object', 'truncated', 'invalid-utf8'];

/** Everything that an index knows, in a form that can be compared. */
function contentOf(index: SessionIndex): unknown {
  const { records } = index;
  const columns = [records.start, records.length, records.line, records.type, records.flags, records.usage];
  const ids = [records.uuid, records.parent, records.message, records.agent];
  return {
    facts: index.facts(),
    issues: index.issues(),
    about: index.about,
    columns: columns.map((column) => [...column.subarray(0, records.size)]),
    // Numbers of ids depend on the order in which they are seen, which is that of the file in any case.
    ids: ids.map((column) => [...column.subarray(0, records.size)]),
    calls: [[...records.callId.subarray(0, records.callSize)], [...records.callKind.subarray(0, records.callSize)]],
  };
}

function indexOf(pieces: readonly Uint8Array[], settles = false): SessionIndex {
  const index = new SessionIndex({ decode });
  for (const piece of pieces) {
    if (!index.push(piece)) return indexOf([concat(pieces)]);
    if (settles) index.settle();
  }
  index.settle();
  return index;
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return sorted.slice(1).map((end, i) => bytes.slice(sorted[i], end));
}

function membersOf({ records }: SessionIndex): Members[] {
  const tree = new Tree(records);
  return [
    ...tree.branches.map((_, i) => membersOfBranch(records, tree, i)),
    ...tree.sidechains.map((_, i) => membersOfSidechain(tree, i)),
  ];
}

function lanesOf(index: SessionIndex): { messages: number; entries: number }[] {
  return membersOf(index).map((members) => {
    const { messages, entries } = Layout.of(index.records, members);
    return { messages, entries };
  });
}

function checkFixture({ bytes, facts, issues, lanes, context_start }: Fixture): void {
  const index = indexOf([bytes]);
  expect(index.facts()).toMatchObject(facts);
  if (issues) expect(index.issues().map(({ line, kind }) => [line, kind])).toEqual(issues);
  expect(lanesOf(index)).toEqual(lanes);
  const { contexts } = Layout.of(index.records, membersOf(index)[0]!);
  expect(contexts.at(-1) ?? 0).toBe(context_start ?? 0);
}

describe('sessions of every shape', () => {
  it.each(fixtures)('$name', checkFixture);
});

describe('an index of pieces is the index of the whole', () => {
  it.each(fixtures)('$name', ({ bytes }) => {
    const whole = contentOf(indexOf([bytes]));
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 8 }), fc.boolean(), (places, settles) => {
        expect(contentOf(indexOf(cut(bytes, places), settles))).toEqual(whole);
      }),
      { seed: seedOf(20), numRuns: runs(bytes.length > 100_000 ? 4 : 25) },
    );
  });

  it.each(fixtures.filter(({ bytes }) => bytes.length < 20_000))('byte by byte: $name', ({ bytes }) => {
    const pieces = cut(bytes, [...bytes.keys()]);
    expect(contentOf(indexOf(pieces))).toEqual(contentOf(indexOf([bytes])));
  });
});

/** The same records with every key written in escapes, so that none can be classified by its bytes. */
function inEscapes(text: string): string {
  const escape = (key: string): string =>
    Array.from(key, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const write = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    return `{${Object.entries(value)
      .map(([key, member]) => `"${escape(key)}":${write(member)}`)
      .join(',')}}`;
  };
  return text
    .split('\n')
    .map((line) => {
      const { value } = parseRecord(line, 2);
      return value ? write(value) : line;
    })
    .join('\n');
}

describe('records classified by their bytes are as if they were parsed', () => {
  it.each([1, 2, 3].map((seed) => ({ seed })))('a generated session of seed $seed', ({ seed }) => {
    let text = '';
    const facts = generateSession({ seed, turns: 150, compact_every: 40 }, (part) => (text += part));
    const fast = indexOf([new TextEncoder().encode(text)]);
    const slow = indexOf([new TextEncoder().encode(inEscapes(text))]);
    expect(fast.facts()).toEqual(facts);
    const places = ({ records }: SessionIndex): unknown => [
      ...records.flags.subarray(0, records.size),
      ...records.usage.subarray(0, records.size),
      ...records.callKind.subarray(0, records.callSize),
    ];
    expect(slow.facts()).toEqual(facts);
    expect(places(slow)).toEqual(places(fast));
    expect(lanesOf(slow)).toEqual(lanesOf(fast));
  });

  it('shapes that differ from a known one in one byte, wherever it is', () => {
    const bytes = fixtures[0]!.bytes;
    const twice = concat([bytes, bytes]);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, byte) => {
        const changed = twice.slice();
        changed[bytes.length + place] = byte;
        const index = indexOf([changed]);
        const lines = Buffer.from(changed).toString('latin1').split('\n');
        const bad = lines.filter((line) => line.trim() !== '' && !isRecord(Buffer.from(line, 'latin1')));
        expect(index.facts().malformed).toBe(bad.length);
      }),
      { seed: seedOf(21), numRuns: runs(400) },
    );
  });
});

function isRecord(bytes: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

describe('random lines', () => {
  it('a line counts as malformed just when it is not one JSON object', () => {
    const scrap = fc.constantFrom(
      ...'{}[],:"\\u0041\\n\t\r 0-1.5e+NaN'.split(''),
      'true',
      'null',
      '"type"',
      '"uuid"',
      '{"a":1}',
      'ä',
      '\u0000',
    );
    const line = fc.oneof(
      fc.array(scrap, { maxLength: 14 }).map((parts) => parts.join('')),
      fc.json({ maxDepth: 3 }),
      fc.object({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const index = indexOf([new TextEncoder().encode(`${lines.join('\n')}\n`)]);
        const all = lines.join('\n').split('\n');
        const bad = all.filter((text) => !/^[ \t\r]*$/.test(text) && !isRecord(new TextEncoder().encode(text)));
        expect(index.facts().malformed).toBe(bad.length);
        expect(index.facts().lines).toBe(all.length);
      }),
      { seed: seedOf(22), numRuns: runs(1500) },
    );
  });

  it('random links lose no record and end', () => {
    fc.assert(
      fc.property(fc.array(randomLinks, { maxLength: 14 }), (all) => {
        const text = all.map((each) => `${JSON.stringify(each)}\n`).join('');
        const index = indexOf([new TextEncoder().encode(text)]);
        const reached = new Uint8Array(index.records.size);
        for (const members of membersOf(index)) members.inside().forEach((yes, i) => (reached[i]! |= yes));
        expect([...reached]).toEqual(Array.from(reached, () => 1));
      }),
      { seed: seedOf(23), numRuns: runs(800) },
    );
  });
});

describe('parseRecord', () => {
  const rows = [
    { line: '{"type":"user","uuid":"u","message":{"content":"hi"}}', kinds: [] },
    { line: '', kinds: [] },
    { line: '{"type":"user"', kinds: ['invalid-json'], says: 'ends in the middle' },
    { line: '{"type":"user"}{"type":"summary"}', kinds: ['invalid-json'], says: 'second record' },
    { line: '{"type":"user",}', kinds: ['invalid-json'], says: 'comma' },
    { line: '{"n":NaN}', kinds: ['invalid-json'], says: 'NaN' },
    { line: '\u0000\u0000', kinds: ['invalid-json'], says: 'NUL' },
    { line: '  "uuid": "x",', kinds: ['invalid-json'], says: 'several lines' },
    { line: '[1]', kinds: ['not-an-object'], says: 'no object' },
    { line: '{"type":"later"}', kinds: ['unknown-record'], says: 'not known' },
    { line: '{"type":"user","uuid":"u","message":null}', kinds: ['wrong-shape'], says: 'no message' },
    { line: '{}', kinds: ['wrong-shape'], says: 'no type' },
  ];
  it.each(rows)('$line', ({ line, kinds, says }) => {
    const { value, issues } = parseRecord(line, 7);
    expect(issues.map(({ kind }) => kind)).toEqual(kinds);
    expect(value === null).toBe(line === '' || kinds.some((kind) => MALFORMED.includes(kind)));
    for (const issue of issues) {
      expect(issue.line).toBe(7);
      expect(issue.text).toContain(says);
    }
  });
});

it('a line of 50 MB is one record, and its memory is let go', () => {
  const index = new SessionIndex({ decode });
  const piece = new Uint8Array(1 << 20).fill(0x61);
  const push = (text: string): boolean => index.push(new TextEncoder().encode(text));
  push('{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"');
  for (let i = 0; i < 50; i++) index.push(piece);
  push('"}}\n{"type":"user","uuid":"u2","parentUuid":"u1","message":{"role":"user","content":"short"}}\n');
  index.settle();
  expect(index.facts()).toMatchObject({ lines: 2, malformed: 0, messages: 2 });
  expect(index.records.length[0]).toBeGreaterThan(50 << 20);
});
