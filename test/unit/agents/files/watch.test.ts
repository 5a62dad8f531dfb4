import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FileEvent } from '../../../../extension/agents/files/watch';
import { matchGlobs } from '../../../../extension/agents/files/globs';
import { done } from '../builtin/checkRun';
import type { Setup, SetupOptions } from '../builtin/loopSetup';
import { kindsOf, shapeOf, startLoop } from '../builtin/loopSetup';
import { TestModel, call } from '../builtin/model';

/** Something done to the workspace from outside, with the events that tell of it. */
type Step =
  | { readonly write: string; readonly content: string; readonly silent?: boolean; readonly kind?: FileEvent['kind'] }
  | { readonly remove: string; readonly silent?: boolean }
  | { readonly move: string; readonly to: string; readonly hint?: 'pair' | 'renamed' }
  | { readonly touch: string }
  /** An event about nothing. */
  | { readonly hint: string; readonly kind: FileEvent['kind'] }
  /** What was told so far is looked into. */
  | 'settle'
  /** Every known file is looked at. */
  | 'look';

interface Row {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Files that the agent reads first; all when absent. */
  readonly reads?: readonly string[];
  readonly steps: readonly Step[];
  /** Bodies that wait, each by what it contains. */
  readonly waiting: readonly string[];
  readonly cleared?: number;
  readonly lacks?: readonly string[];
  readonly options?: Pick<SetupOptions, 'denied' | 'widened'>;
}

async function perform(setup: Setup, step: Step): Promise<void> {
  const at = (path: string): string => join(setup.root, path);
  const tell = (path: string, kind: FileEvent['kind'], to?: string): void =>
    setup.events.fire({ path: at(path), kind, ...(to === undefined ? {} : { to: at(to) }) });
  if (step === 'settle') return setup.settle();
  if (step === 'look') return setup.files.look();
  if ('write' in step) {
    await writeFile(at(step.write), step.content);
    if (step.silent !== true) tell(step.write, step.kind ?? 'changed');
  } else if ('remove' in step) {
    await rm(at(step.remove));
    if (step.silent !== true) tell(step.remove, 'deleted');
  } else if ('move' in step) {
    await rename(at(step.move), at(step.to));
    if (step.hint === 'renamed') tell(step.move, 'renamed', step.to);
    else {
      tell(step.move, 'deleted');
      tell(step.to, 'created');
    }
  } else if ('touch' in step) {
    await utimes(at(step.touch), 1, 1);
    tell(step.touch, 'changed');
  } else tell(step.hint, step.kind);
}

function checkWatch(row: Row): void {
  test(row.name, async () => {
    const files = row.files ?? { 'src/a.ts': 'one\n' };
    const reads = row.reads ?? Object.keys(files);
    const model = new TestModel([reads.map((path, index) => call(`c${index}`, 'read_file', { path })), done]);
    const setup = await startLoop({ files, model, ...row.options });
    await (
      await setup.loop.send('Read.')
    ).run;
    for (const step of row.steps) await perform(setup, step);
    await setup.settle();
    const waiting = setup.session.directives().filter((directive) => ['queued', 'pending'].includes(directive.state));
    expect(waiting.map((directive) => directive.body)).toEqual(
      row.waiting.map((part) => expect.stringContaining(part) as string),
    );
    for (const directive of waiting) {
      expect(directive).toMatchObject({ mode: 'finish_step', source: 'bridge' });
      for (const part of row.lacks ?? []) expect(directive.body).not.toContain(part);
    }
    expect(kindsOf(setup.records, /\.expired$/).length).toBe(row.cleared ?? 0);
    expect(setup.errors).toEqual([]);
  });
}

const many = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`f${String(index).padStart(2, '0')}.ts`, 'x']),
);

describe('what is said of files', () => {
  const a = 'src/a.ts';
  const rows: readonly Row[] = [
    {
      name: 'a save',
      steps: [{ write: a, content: 'two\n' }],
      waiting: ['`src/a.ts` changed on disk'],
      lacks: ['two'],
    },
    {
      name: 'ten saves, one reminder',
      steps: Array.from({ length: 10 }, (_, index) => [{ write: a, content: `${index}` }, 'settle'] as const).flat(),
      waiting: ['`src/a.ts` changed'],
    },
    {
      name: 'ten saves in one go',
      steps: Array.from({ length: 10 }, (_, index) => ({ write: a, content: `${index}` })),
      waiting: ['`src/a.ts` changed'],
    },
    {
      name: 'the content returns: cleared',
      steps: [{ write: a, content: 'two' }, 'settle', { write: a, content: 'one\n' }],
      waiting: [],
      cleared: 1,
    },
    {
      name: 'changed and back before anybody looked',
      steps: [
        { write: a, content: 'two' },
        { write: a, content: 'one\n' },
      ],
      waiting: [],
    },
    { name: 'a touch', steps: [{ touch: a }], waiting: [] },
    {
      name: 'an event about nothing',
      steps: [
        { hint: a, kind: 'changed' },
        { hint: a, kind: 'deleted' },
      ],
      waiting: [],
    },
    {
      name: 'a lost event is made up for by looking',
      steps: [{ write: a, content: 'two', silent: true }, 'settle', 'look'],
      waiting: ['`src/a.ts` changed'],
    },
    { name: 'a lost deletion too', steps: [{ remove: a, silent: true }, 'look'], waiting: ['`src/a.ts` was deleted'] },
    { name: 'deleted', steps: [{ remove: a }], waiting: ['`src/a.ts` was deleted'] },
    {
      name: 'deleted and made again as it was',
      steps: [{ remove: a }, 'settle', { write: a, content: 'one\n', kind: 'created' }],
      waiting: [],
      cleared: 1,
    },
    {
      name: 'renamed, told as two events',
      steps: [{ move: a, to: 'src/b.ts' }],
      waiting: ['`src/a.ts` was renamed to `src/b.ts`'],
    },
    {
      name: 'renamed, told as one',
      steps: [{ move: a, to: 'src/b.ts', hint: 'renamed' }],
      waiting: ['`src/a.ts` was renamed to `src/b.ts`'],
    },
    {
      name: 'a file that was not there when it was asked for',
      files: {},
      reads: ['new.ts'],
      steps: [{ write: 'new.ts', content: 'x', kind: 'created' }],
      waiting: ['`new.ts` was created'],
    },
    {
      name: 'a file that the agent does not know',
      files: { 'a.ts': '1', 'b.ts': '2' },
      reads: ['a.ts'],
      steps: [{ write: 'b.ts', content: '3' }],
      waiting: [],
    },
    {
      name: 'widened by a setting',
      files: { 'a.ts': '1', 'b.ts': '2' },
      reads: ['a.ts'],
      steps: [{ write: 'b.ts', content: '3' }],
      options: { widened: matchGlobs(['*.ts']) },
      waiting: ['`b.ts` changed'],
    },
    {
      name: 'a denied file',
      files: { '.env': 'KEY=1' },
      steps: [{ write: '.env', content: 'KEY=2' }, 'settle', 'look'],
      options: { denied: matchGlobs(['**/.env*']) },
      waiting: [],
    },
    {
      name: 'two files, two reminders',
      files: { 'a.ts': '1', 'b.ts': '2' },
      steps: [
        { write: 'a.ts', content: 'x' },
        { write: 'b.ts', content: 'x' },
      ],
      waiting: ['`a.ts`', '`b.ts`'],
    },
    {
      name: 'a burst is one, lost events included',
      files: many,
      steps: Object.keys(many).map((path, index) => ({ write: path, content: 'y', silent: index >= 9 })),
      waiting: ['12 files are not on disk as they were'],
    },
    {
      name: 'not a file any more',
      steps: [
        { remove: a, silent: true },
        { hint: a, kind: 'changed' },
      ],
      waiting: ['deleted'],
    },
  ];
  rows.forEach(checkWatch);
});

describe('in the loop', () => {
  const paths = { path: 'a.ts' };

  test('a change is in the next prompt, though no event came, and reading again clears the next one', async () => {
    const model = new TestModel([[call('c1', 'read_file', paths)], done, [call('c2', 'read_file', paths)], done, done]);
    const { session, loop, root, files, settle } = await startLoop({ files: { 'a.ts': '1' }, model });
    await (
      await loop.send('One.')
    ).run;
    await writeFile(join(root, 'a.ts'), '22');
    await (
      await loop.send('Two.')
    ).run;
    expect(shapeOf(session)).toBe('user call result assistant user envelope call result assistant');
    await files.look();
    await settle();
    expect(session.state.pending.keys()).toEqual([]);
    await (
      await loop.send('Three.')
    ).run;
    expect(shapeOf(session)).toMatch(/assistant user assistant$/);
  });

  test('a change that was told of and waits goes when the agent reads the file', async () => {
    const model = new TestModel([
      [call('c1', 'read_file', paths)],
      async function* () {
        await writeFile(join(setup.root, 'a.ts'), '22');
        setup.events.fire({ path: join(setup.root, 'a.ts'), kind: 'changed' });
        await setup.settle();
        expect(setup.session.directives().map((directive) => directive.state)).toEqual(['queued']);
        yield call('c2', 'read_file', paths);
      },
      done,
    ]);
    const setup = await startLoop({ files: { 'a.ts': '1' }, model });
    await (
      await setup.loop.send('One.')
    ).run;
    expect(setup.session.directives().map((directive) => directive.state)).toEqual(['cleared']);
    expect(shapeOf(setup.session)).toBe('user call result call result assistant');
  });

  test('the agent is not told of its own doing', async () => {
    const model = new TestModel([
      [call('c1', 'read_file', paths), call('c2', 'read_file', { path: 'b.ts' })],
      [
        call('c3', 'write_file', { path: 'a.ts', content: '2' }),
        call('c4', 'edit_file', { path: 'a.ts', old_text: '2', new_text: '3' }),
        call('c5', 'run_command', { command: 'echo more >> a.ts; rm b.ts' }),
      ],
      done,
    ]);
    const { session, loop, records, files, events, root } = await startLoop({
      files: { 'a.ts': '1', 'b.ts': '1' },
      model,
      allow: true,
    });
    session.onDidAppend(() => {
      for (const path of ['a.ts', 'b.ts']) events.fire({ path: join(root, path), kind: 'changed' });
    });
    await (
      await loop.send('One.')
    ).run;
    await files.look();
    expect(kindsOf(records, /^(transcript\.)?reminder\./)).toEqual([]);
    await writeFile(join(root, 'b.ts'), 'new');
    await files.look();
    expect(session.directives().map((directive) => directive.body)).toEqual([
      expect.stringContaining('`b.ts` was created'),
    ]);
  });

  test('what a person changed before a command ran is told of', async () => {
    const model = new TestModel([
      [call('c1', 'read_file', paths)],
      async function* () {
        await writeFile(join(setup.root, 'a.ts'), 'mine');
        yield call('c2', 'run_command', { command: 'true' });
      },
      done,
    ]);
    const setup = await startLoop({ files: { 'a.ts': '1' }, model, allow: true });
    await (
      await setup.loop.send('One.')
    ).run;
    expect(shapeOf(setup.session)).toBe('user call result call result envelope assistant');
  });

  test('on focus the known files are looked at', async () => {
    const model = new TestModel([[call('c1', 'read_file', paths)], done]);
    const { session, loop, root, focus } = await startLoop({ files: { 'a.ts': '1' }, model });
    await (
      await loop.send('One.')
    ).run;
    await writeFile(join(root, 'a.ts'), '2');
    focus.fire();
    await expect.poll(() => session.directives().length).toBe(1);
  });

  test('what is known survives a reload', async () => {
    const model = new TestModel([[call('c1', 'read_file', paths)], done]);
    const first = await startLoop({ files: { 'a.ts': '1' }, model });
    await (
      await first.loop.send('One.')
    ).run;
    first.session.dispose();
    await writeFile(join(first.root, 'a.ts'), '2');
    const second = await startLoop({ again: { folder: first.folder, root: first.root } });
    await second.files.look();
    expect(second.session.directives().map((directive) => directive.state)).toEqual(['queued']);
    await writeFile(join(first.root, 'a.ts'), '1');
    await second.files.look();
    expect(second.session.directives().map((directive) => directive.state)).toEqual(['cleared']);
  });
});

describe('a followed session', () => {
  interface Followed {
    readonly name: string;
    readonly steps: readonly (
      Step | { readonly use: string; readonly number: number; readonly time_ms?: number | null }
    )[];
    readonly states: readonly string[];
  }
  const late = Date.now() + 60_000;
  const rows: readonly Followed[] = [
    {
      name: 'a used file that changes',
      steps: [
        { use: 'a.ts', number: 3 },
        { write: 'a.ts', content: '2' },
      ],
      states: ['queued'],
    },
    {
      name: 'used again: cleared',
      steps: [{ use: 'a.ts', number: 3 }, { write: 'a.ts', content: '2' }, 'settle', { use: 'a.ts', number: 7 }],
      states: ['cleared'],
    },
    {
      name: 'told of the same use again: it stays',
      steps: [{ use: 'a.ts', number: 3 }, { write: 'a.ts', content: '2' }, 'settle', { use: 'a.ts', number: 3 }],
      states: ['queued'],
    },
    {
      name: 'outside the workspace',
      steps: [{ use: '/etc/hostname', number: 1 }, { use: '../x', number: 1 }, 'look'],
      states: [],
    },
    { name: 'a file that is gone already', steps: [{ use: 'gone.ts', number: 1 }, 'look'], states: [] },
  ];
  for (const row of rows) {
    test(row.name, async () => {
      const setup = await startLoop({ files: { 'a.ts': '1' } });
      for (const step of row.steps) {
        if (typeof step === 'object' && 'use' in step)
          await setup.files.track([{ path: step.use, use: step.number, time_ms: step.time_ms ?? null }]);
        else await perform(setup, step);
      }
      await setup.settle();
      expect(setup.session.directives().map((directive) => directive.state)).toEqual(row.states);
    });
  }

  test.each([
    { name: 'known from before and used since', time_ms: late, states: ['cleared'] },
    { name: 'known from before, nothing says that it was used since', time_ms: null, states: ['queued'] },
  ])('$name', async ({ time_ms, states }) => {
    const first = await startLoop({ files: { 'a.ts': '1' } });
    await first.files.track([{ path: 'a.ts', use: 1, time_ms: null }]);
    await writeFile(join(first.root, 'a.ts'), '2');
    await first.files.look();
    first.session.dispose();
    const second = await startLoop({ again: { folder: first.folder, root: first.root } });
    await second.files.track([{ path: join(first.root, 'a.ts'), use: 1, time_ms }]);
    await second.files.look();
    expect(second.session.directives().map((directive) => directive.state)).toEqual(states);
  });
});

test.each([
  { globs: ['**/.env*'], path: '.env', matches: true },
  { globs: ['**/.env*'], path: 'a/.env.local', matches: true },
  { globs: ['**/*.key'], path: 'a/b.key', matches: true },
  { globs: ['**/*.key'], path: 'a/b.keys', matches: false },
  { globs: [], path: 'a', matches: false },
])('$globs and $path', ({ globs, path, matches }) => {
  expect(matchGlobs(globs)(path)).toBe(matches);
});

test('disposing it lets go of everything, and nothing is said any more', async () => {
  const setup = await startLoop({ files: { 'a.ts': '1' } });
  await mkdir(join(setup.root, 'd'));
  await setup.files.track([{ path: 'a.ts', use: 1, time_ms: null }]);
  setup.files.dispose();
  expect([setup.events.size, setup.focus.size]).toEqual([0, 0]);
  await writeFile(join(setup.root, 'a.ts'), '2');
  await setup.files.look();
  expect(setup.session.directives()).toEqual([]);
});
