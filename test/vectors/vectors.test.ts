import { mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adapters } from './adapters';
import { findVectors, runVector, runVectors } from './runner';

const here = fileURLToPath(new URL('.', import.meta.url));

for (const folder of ['projection', 'reminders']) {
  const found = await findVectors(join(here, folder));
  describe(folder, () => {
    test('has vectors', () => {
      expect(found.length).toBeGreaterThan(0);
    });

    test.each(found.map((entry) => ['vector' in entry ? entry.vector.name : entry.file, entry] as const))(
      '%s',
      async (_, entry) => {
        if ('problem' in entry) {
          throw new Error(`${entry.file} ${entry.problem}`);
        }
        expect(await runVector(entry.vector, adapters)).toEqual([]);
      },
    );
  });
}

describe('the runner', () => {
  let dir: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'vectors-'));
    await mkdir(join(dir, 'deep', 'er'), { recursive: true });
    const good = {
      name: 'good',
      call: 'isFailedResult',
      given: { result: { status: 'error' } },
      then: { result: true },
    };
    await writeFile(
      join(dir, 'deep', 'er', 'a.json'),
      JSON.stringify([good, { ...good, name: 'bad', then: { result: false } }]),
    );
    await writeFile(
      join(dir, 'deep', 'b.json'),
      JSON.stringify([
        { ...good, name: 'other', call: 'nobodyKnowsThis' },
        5,
        { ...good, name: 'null', then: null },
        { ...good, name: 'both', then: { result: true, error: {} } },
        { ...good, name: 'neither', then: {} },
        { ...good, name: 'text', then: { error: 'x' } },
      ]),
    );
    await symlink('..', join(dir, 'deep', 'loop'));
    await symlink(join(dir, 'deep', 'er', 'a.json'), join(dir, 'linked.json'));
    await writeFile(join(dir, 'broken.json'), '[{');
    await writeFile(join(dir, 'object.json'), '{}');
    await writeFile(join(dir, 'notes.txt'), 'no vectors');
    await mkdir(join(dir, 'empty'));
  });

  afterAll(() => rm(dir, { recursive: true }));

  test('says what failed, what was skipped and the counts', async () => {
    const lines: string[] = [];
    const report = await runVectors(dir, adapters, (line) => lines.push(line));
    expect(report).toEqual({ passed: 2, failed: 9, skipped: 1 });
    expect(lines).toEqual([
      expect.stringMatching(/^FAILED broken\.json: cannot be read as JSON: /),
      'FAILED deep/b.json: [1] is no vector: not an object',
      ...['null', 'both', 'neither', 'text'].map(
        (name, index) =>
          `FAILED deep/b.json: [${index + 2}] (${name}) is no vector: "then" is neither a result nor an error`,
      ),
      'FAILED bad (deep/er/a.json)',
      '    result: expected false, got true',
      'FAILED bad (linked.json)',
      '    result: expected false, got true',
      'FAILED object.json: is no list of vectors',
      'skipped 1 of call nobodyKnowsThis: nothing here answers to it',
      '1 skipped',
      '2 passed, 9 failed',
    ]);
  });

  test.each([
    ['a folder that does not exist', 'nowhere', /Cannot read the folder/],
    ['a folder without vectors', 'empty', /There are no vectors below/],
  ])('%s is an error', async (_, name, message) => {
    await expect(findVectors(join(dir, name))).rejects.toThrow(message);
  });

  test('a call that changes its input fails', async () => {
    const change = { change: ({ given }: { given: object }) => (Object.assign(given, { a: 1 }), []) };
    const vector = { name: 'n', call: 'change', given: {}, then: { result: true } };
    expect(await runVector(vector, change)).toEqual(['the call changed its input']);
  });
});
