import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Vector, VectorAdapters } from './adapter';

/** What running the vectors of a folder came to. */
export interface VectorReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A vector with the file it is from, or what is wrong with that file. */
export type FoundVector =
  { readonly file: string; readonly vector: Vector } | { readonly file: string; readonly problem: string };

/**
 * Every vector of every `*.json` file below a folder, files in order of their path.
 * @throws when the folder cannot be read or holds no such file.
 */
export async function findVectors(dir: string): Promise<readonly FoundVector[]> {
  let files: readonly string[];
  try {
    files = (await findFiles(dir, new Set())).toSorted();
  } catch (error) {
    throw new Error(`Cannot read the folder ${dir}: ${messageOf(error)}. Give a folder that holds vector files.`, {
      cause: error,
    });
  }
  const found = (await Promise.all(files.map((file) => readVectors(file, relative(dir, file))))).flat();
  if (found.length === 0) {
    throw new Error(`There are no vectors below ${dir}: no *.json file there holds any.`);
  }
  return found;
}

/** Every `*.json` file below a folder, through links too; a folder that was met already is passed over. */
async function findFiles(dir: string, met: Set<string>): Promise<readonly string[]> {
  const real = await realpath(dir);
  if (met.has(real)) return [];
  met.add(real);
  const files: string[] = [];
  for (const name of (await readdir(dir)).toSorted()) {
    const path = join(dir, name);
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory() === true) files.push(...(await findFiles(path, met)));
    else if (name.endsWith('.json') && (found === null || found.isFile())) files.push(path);
  }
  return files;
}

async function readVectors(path: string, file: string): Promise<readonly FoundVector[]> {
  let vectors: unknown;
  try {
    vectors = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    return [{ file, problem: `cannot be read as JSON: ${messageOf(error)}` }];
  }
  if (!Array.isArray(vectors)) {
    return [{ file, problem: 'is no list of vectors' }];
  }
  return vectors.map((vector: unknown, index) => {
    const problem = problemOf(vector);
    return problem === null ? { file, vector: vector as Vector } : { file, problem: `[${index}] ${problem}` };
  });
}

function problemOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) {
    return 'is no vector: not an object';
  }
  const { name, call, given, then, steps } = value as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || typeof call !== 'string') {
    return 'is no vector: it has no name or no call';
  }
  if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given))) {
    return `(${name}) is no vector: "given" is no object`;
  }
  if (then === undefined && !Array.isArray(steps)) {
    return `(${name}) is no vector: it has neither "then" nor "steps"`;
  }
  return then === undefined || isOutcome(then)
    ? null
    : `(${name}) is no vector: "then" is neither a result nor an error`;
}

function isOutcome(then: unknown): boolean {
  if (typeof then !== 'object' || then === null || 'result' in then === 'error' in then) {
    return false;
  }
  const { error } = then as { readonly error?: unknown };
  return error === undefined || (typeof error === 'object' && error !== null && !Array.isArray(error));
}

/** Runs one vector. Gives what differed; null when there is no adapter for its call. */
export async function runVector(vector: Vector, adapters: VectorAdapters): Promise<readonly string[] | null> {
  const adapter = Object.hasOwn(adapters, vector.call) ? adapters[vector.call] : undefined;
  if (adapter === undefined) {
    return null;
  }
  try {
    const before = structuredClone(vector);
    const failures = await adapter(vector.given === undefined ? { ...vector, given: {} } : vector);
    return isDeepStrictEqual(vector, before) ? failures : [...failures, 'the call changed its input'];
  } catch (error) {
    return [`the call failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
  }
}

/** Runs every vector below a folder; a line for each failure and each call that nobody knows, then the counts. */
export async function runVectors(
  dir: string,
  adapters: VectorAdapters,
  print: (line: string) => void,
): Promise<VectorReport> {
  let passed = 0;
  let failed = 0;
  const unknown = new Map<string, number>();
  for (const found of await findVectors(dir)) {
    if ('problem' in found) {
      failed++;
      print(`FAILED ${found.file}: ${found.problem}`);
      continue;
    }
    const { file, vector } = found;
    const failures = await runVector(vector, adapters);
    if (failures === null) {
      unknown.set(vector.call, (unknown.get(vector.call) ?? 0) + 1);
    } else if (failures.length === 0) {
      passed++;
    } else {
      failed++;
      print(`FAILED ${vector.name} (${file})`);
      failures.forEach((failure) => print(`    ${failure}`));
    }
  }
  let skipped = 0;
  for (const [call, count] of unknown) {
    skipped += count;
    print(`skipped ${count} of call ${call}: nothing here answers to it`);
  }
  if (skipped > 0) print(`${skipped} skipped`);
  print(`${passed} passed, ${failed} failed`);
  return { passed, failed, skipped };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
