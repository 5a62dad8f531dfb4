import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { createSha256 } from '../../../extension/io/hash';
import type { SessionAbout, SessionDeps } from '../../../extension/session/deps';

/** A folder of its own for each test. */
export function useFolder(): () => string {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'session-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  return () => folder;
}

export interface TestDeps extends SessionDeps {
  readonly errors: unknown[];
}

/** A clock that ticks with every look, and ids that count. */
export function testDeps(prefix = '00000000'): TestDeps {
  let time = 1_700_000_000_000;
  let count = 0;
  const errors: unknown[] = [];
  return {
    now: () => ++time,
    newId: () => `${prefix}-0000-7000-8000-${(++count).toString(16).padStart(12, '0')}`,
    createHash: createSha256,
    onError: (error) => void errors.push(error),
    flush: false,
    errors,
  };
}

export const ABOUT: SessionAbout = { title: 'Test', agent: 'Own agent', own: true, workspace: '/w', source: null };
