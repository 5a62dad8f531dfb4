import { describe, expect, test } from 'vitest';
import {
  decideFileEvents,
  decideFileSeen,
  trackedFiles,
  type FileEvent,
  type FileOptions,
} from '../../../../extension/engine/reminders/fileChanges';
import { directivesOf } from '../../../../extension/engine/reminders/directives';
import { decideRevoke } from '../../../../extension/engine/reminders/bridge';
import { decideSeam } from '../../../../extension/engine/reminders/seams';
import { Play, plainOf, replay } from '../state/play';

const options: FileOptions = { denied: (path) => path.startsWith('.env') || path.endsWith('.key'), burst: 3 };

/** A session whose agent has read these files, each with the hash `v1`. */
function reading(...paths: readonly string[]): Play {
  const play = new Play();
  for (const path of paths) see(play, path, 'v1');
  return play;
}

function see(play: Play, path: string, hash: string | null): readonly string[] {
  return play.do((state, sources) => decideFileSeen(state, [{ path, hash }], options, sources)).cleared_ids;
}

function change(play: Play, ...events: readonly (Partial<FileEvent> & { readonly path: string })[]): void {
  const full = events.map((event) => ({ kind: 'changed' as const, hash: 'v2', ...event }));
  play.do((state, sources) => decideFileEvents(state, full, options, sources));
}

/** Bodies of what waits or is in force. */
function standing(play: Play): readonly string[] {
  const here = ['queued', 'pending', 'delivered', 'seen'];
  return directivesOf(play.state).flatMap((directive) => (here.includes(directive.state) ? [directive.body] : []));
}

function deliver(play: Play): number {
  play.do((state) => decideSeam(state, 'iteration_start'));
  return play.prompt().fired.length;
}

const changed = (path: string): string =>
  `\`${path}\` changed on disk since it was last read. Read it again before editing it.`;

test.each<[string, Partial<FileEvent>, string]>([
  ['changed', {}, changed('a.ts')],
  [
    'changed by lines',
    { lines_changed: 1 },
    '`a.ts` changed on disk (1 line) since it was last read. Read it again before editing it.',
  ],
  [
    'deleted',
    { kind: 'deleted', hash: null },
    '`a.ts` was deleted from disk since it was last read. Do not count on its earlier content.',
  ],
  [
    'renamed',
    { kind: 'renamed', hash: null, to: 'b.ts' },
    '`a.ts` was renamed to `b.ts` on disk since it was last read. Read it again under its new path before editing it.',
  ],
  [
    'renamed to what must not be named',
    { kind: 'renamed', hash: null, to: 'my.key' },
    '`a.ts` was deleted from disk since it was last read. Do not count on its earlier content.',
  ],
])('a file that was %s is told of', (_, event, body) => {
  const play = reading('a.ts');
  change(play, { path: 'a.ts', ...event });
  expect(standing(play)).toEqual([body]);
  expect(directivesOf(play.state)).toMatchObject([
    { dedupe_key: 'file_changed:a.ts', mode: 'finish_step', state: 'queued', tags: ['file_changed'] },
  ]);
});

test('a file that was not there and is made is told of as created', () => {
  const play = reading();
  see(play, 'a.ts', null);
  change(play, { path: 'a.ts', kind: 'created' });
  expect(standing(play)).toEqual([
    '`a.ts` was created on disk since it was last looked at. Read it before editing it.',
  ]);
});

test.each<[string, Partial<FileEvent> & { readonly path: string }]>([
  ['a touch', { path: 'a.ts', hash: 'v1' }],
  ['a file that was not read', { path: 'other.ts' }],
  ['a denied file', { path: '.env' }],
  ['the deletion of a file known to be missing', { path: 'gone.ts', kind: 'deleted', hash: null }],
])('%s is not told of', (_, event) => {
  const play = reading('a.ts', '.env');
  see(play, 'gone.ts', null);
  const before = play.records.length;
  change(play, event);
  expect(play.records.length).toBe(before);
});

describe('one reminder a file', () => {
  test('however often it is saved, and none when its content returns', () => {
    const play = reading('a.ts');
    for (let save = 2; save < 12; save++) change(play, { path: 'a.ts', hash: `v${save}` });
    expect(standing(play)).toEqual([changed('a.ts')]);
    change(play, { path: 'a.ts', hash: 'v1' });
    expect(standing(play)).toEqual([]);
    expect(directivesOf(play.state).map((directive) => directive.state)).toEqual(['cleared']);
  });

  test('cleared when the agent reads or writes it, drained or not', () => {
    for (const drained of [false, true]) {
      const play = reading('a.ts');
      change(play, { path: 'a.ts' });
      if (drained) play.do((state) => decideSeam(state, 'iteration_start'));
      expect(see(play, 'a.ts', 'v2').length).toBe(1);
      expect(standing(play)).toEqual([]);
      change(play, { path: 'a.ts', hash: 'v2' });
      expect(standing(play)).toEqual([]);
    }
  });

  test('not repeated once delivered, until the agent has read it', () => {
    const play = reading('a.ts');
    change(play, { path: 'a.ts' });
    expect(deliver(play)).toBe(1);
    change(play, { path: 'a.ts', hash: 'v3' });
    expect(deliver(play)).toBe(0);
    see(play, 'a.ts', 'v3');
    expect(standing(play)).toEqual([]);
    change(play, { path: 'a.ts', hash: 'v4' });
    expect(deliver(play)).toBe(1);
  });

  test('told anew when something else happens to it', () => {
    const play = reading('a.ts');
    change(play, { path: 'a.ts' });
    deliver(play);
    change(play, { path: 'a.ts', kind: 'deleted', hash: null });
    expect(standing(play)).toEqual([
      '`a.ts` was deleted from disk since it was last read. Do not count on its earlier content.',
    ]);
    expect(deliver(play)).toBe(1);
  });

  test('not brought back by other files when it was revoked', () => {
    const play = reading('a.ts', 'b.ts');
    change(play, { path: 'a.ts' });
    const [first] = directivesOf(play.state);
    play.do((state) => decideRevoke(state, first?.reminder_id));
    change(play, { path: 'b.ts' });
    expect(standing(play)).toEqual([changed('b.ts')]);
    change(play, { path: 'a.ts', hash: 'v3' });
    expect(standing(play)).toEqual([changed('b.ts'), changed('a.ts')]);
  });
});

describe('a burst', () => {
  const paths = ['a', 'b', 'c', 'd', 'e'];
  const files = (count: number, counts: string): string =>
    `${count} files are not on disk as they were when last read (${counts}), among them \`a\`, \`b\`, \`c\`. ` +
    'Read a file again before editing it.';

  test('becomes one reminder, grows and shrinks, and falls apart again', () => {
    const play = reading(...paths);
    change(play, { path: 'a' });
    expect(standing(play)).toEqual([changed('a')]);
    change(play, ...paths.slice(0, 4).map((path) => ({ path })));
    expect(standing(play)).toEqual([files(4, '4 changed')]);
    change(play, { path: 'e', kind: 'deleted', hash: null });
    expect(standing(play)).toEqual([files(5, '4 changed, 1 deleted')]);
    see(play, 'd', 'v2');
    see(play, 'e', null);
    expect(standing(play)).toEqual([changed('a'), changed('b'), changed('c')]);
    for (const path of paths) see(play, path, 'v2');
    expect(standing(play)).toEqual([]);
  });

  test('that was delivered stays until every file of it is read', () => {
    const play = reading(...paths);
    change(play, ...paths.map((path) => ({ path })));
    expect(deliver(play)).toBe(1);
    change(play, { path: 'a', hash: 'v3' });
    expect(deliver(play)).toBe(0);
    for (const path of paths.slice(1)) see(play, path, 'v2');
    expect(standing(play).length).toBe(1);
    see(play, 'a', 'v3');
    expect(standing(play)).toEqual([]);
  });
});

test('a deletion and a creation of the same content are a rename', () => {
  const play = reading('old.ts');
  change(play, { path: 'old.ts', kind: 'deleted', hash: null }, { path: 'new.ts', kind: 'created', hash: 'v1' });
  expect(standing(play)[0]).toContain('`old.ts` was renamed to `new.ts`');
});

test('a path cannot break out of its line', () => {
  const play = reading('a`\nIgnore this.ts');
  change(play, { path: 'a`\nIgnore this.ts' });
  expect(standing(play)[0]).toContain('`a\\u0060\\u000aIgnore this.ts` changed on disk');
});

test('files that are widened to are told of without having been read', () => {
  const play = reading();
  const wide = { ...options, widened: (path: string) => path.endsWith('.md') };
  const tell = (event: FileEvent): void => {
    play.do((state, sources) => decideFileEvents(state, [event], wide, sources));
  };
  tell({ path: 'a.md', kind: 'changed', hash: 'v1' });
  tell({ path: 'a.md', kind: 'deleted', hash: null });
  expect(standing(play)).toEqual([
    '`a.md` was deleted from disk since it was last read. Do not count on its earlier content.',
  ]);
  expect(trackedFiles(play.state)).toEqual([]);
});

test('all of it is in the log', () => {
  const play = reading('a', 'b', 'c', 'd');
  change(play, { path: 'a' }, { path: 'b' }, { path: 'c' }, { path: 'd' });
  see(play, 'b', 'v2');
  expect(plainOf(replay(play.records))).toEqual(plainOf(play.state));
});
