import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { adapters } from './adapters';
import { findVectors, runVector } from './runner';

const found = await findVectors(fileURLToPath(new URL('./reminders', import.meta.url)));

describe('reminders', () => {
  for (const entry of found) {
    const name = 'vector' in entry ? entry.vector.name : entry.file;
    test(name, async () => {
      if ('problem' in entry) throw new Error(`${entry.file} ${entry.problem}`);
      const failures = await runVector(entry.vector, adapters);
      expect(failures).toEqual([]);
    });
  }
});
