import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { adapters } from './adapters';
import { builtins } from './reminders/providers';
import { findVectors, runVector } from './runner';

const found = await findVectors(fileURLToPath(new URL('./reminders', import.meta.url)));

/** Sessions whose outcome rests on the providers that every session has. */
const needBuiltins: ReadonlySet<string> = new Set([
  'firing/pressure-escalates',
  'firing/canonical-before-users',
  'log/not-fired-is-recorded',
  'turns/provider-mid-turn-is-seen',
]);

describe('reminders', () => {
  for (const entry of found) {
    const name = 'vector' in entry ? entry.vector.name : entry.file;
    test.skipIf(builtins.length === 0 && needBuiltins.has(name))(name, async (context) => {
      if ('problem' in entry) throw new Error(`${entry.file} ${entry.problem}`);
      const failures = await runVector(entry.vector, adapters);
      if (failures === null) return context.skip(`nothing answers to ${entry.vector.call}`);
      return expect(failures).toEqual([]);
    });
  }
});
