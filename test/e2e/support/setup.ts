import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { say } from '../../../scripts/project.mjs';
import { missingForPlace, preparePlace, removePlace } from './place';
import type { Place } from './place';
import { failures } from './window';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where windows are opened; without one, why there is none. */
    place: { readonly ready: Place } | { readonly missing: string };
  }
}

/** Before the first end-to-end test: VS Code, a browser, and the packed extension. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const missing = missingForPlace();
  if (missing) {
    say(`End-to-end tests are skipped: ${missing}.`);
    project.provide('place', { missing });
    return undefined;
  }
  await rm(failures, { recursive: true, force: true });
  const ready = await preparePlace();
  project.provide('place', { ready });
  return () => removePlace(ready);
}
