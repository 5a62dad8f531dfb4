import { expect, test } from 'vitest';
import type { Listing, SessionEntry, Source } from '../../../extension/host/entry';
import { Sessions } from '../../../extension/host/sessions';
import { Emitter } from '../../../extension/session/disposable';
import type { InspectedSession, SessionChange } from '../../../extension/session/inspected';

type Memento = ConstructorParameters<typeof Sessions>[1];

function memento(values: Record<string, unknown> = {}): Memento {
  return {
    keys: () => Object.keys(values),
    get: <T>(key: string, fallback?: T) => (key in values ? values[key] : fallback) as T,
    update: async (key: string, value: unknown) => {
      values[key] = value;
    },
  };
}

const throwIt = (error: unknown): never => {
  throw error;
};
const report = Object.assign(throwIt, { quietly: throwIt });

function entryOf(name: string): SessionEntry {
  return {
    key: `files:${name}`,
    group: 'files',
    id: name,
    file: `/${name}`,
    title: name,
    status: 'idle',
    modified_ms: 1,
    parent: null,
    problem: null,
  };
}

interface Opened extends InspectedSession {
  readonly changes: Emitter<SessionChange>;
  disposed: boolean;
}

/** A source whose sessions open when the test says so. */
class Shelf implements Source {
  readonly group = 'files';
  readonly changes = new Emitter<void>(throwIt);
  readonly onDidChange = this.changes.event;
  readonly opened = new Map<string, Opened>();
  readonly gates = new Map<string, () => void>();
  status: 'idle' | 'running' = 'idle';
  lists = 0;

  constructor(
    private names: readonly string[],
    private readonly gated: readonly string[] = [],
  ) {}

  put(names: readonly string[]): void {
    this.names = names;
    this.changes.fire();
  }

  async list(): Promise<Listing> {
    this.lists++;
    return { entries: this.names.map(entryOf), problems: [], where: ['the shelf'] };
  }

  async open(entry: SessionEntry): Promise<InspectedSession> {
    if (this.gated.includes(entry.id)) await new Promise<void>((resolve) => this.gates.set(entry.id, resolve));
    const changes = new Emitter<SessionChange>(throwIt);
    const about = { disposed: false };
    const session = Object.assign(about, {
      id: entry.id,
      view: { title: entry.id.toUpperCase(), status: this.status },
      changes,
      onDidChange: changes.event,
      dispose: () => void (about.disposed = true),
    }) as unknown as Opened;
    this.opened.set(entry.id, session);
    return session;
  }

  dispose(): void {
    this.changes.dispose();
  }
}

async function open(shelf: Shelf, store = memento()): Promise<Sessions> {
  const sessions = new Sessions([shelf], store, report);
  await sessions.refresh();
  return sessions;
}

test('what an open session says of itself goes before what the list knew', async () => {
  const sessions = await open(new Shelf(['a', 'b']));
  await sessions.select('files:a');
  expect(sessions.entries.map(({ title }) => title)).toEqual(['A', 'b']);
});

test('of two selections the last one wins, however slow the first is', async () => {
  const shelf = new Shelf(['slow', 'fast'], ['slow']);
  const sessions = await open(shelf);
  const selected: (string | undefined)[] = [];
  sessions.onDidSelect((session) => selected.push(session?.entry.id));
  const slow = sessions.select('files:slow');
  await sessions.select('files:fast');
  shelf.gates.get('slow')?.();
  await slow;
  expect(selected).toEqual(['fast']);
  expect(sessions.selected?.entry.id).toBe('fast');
});

test('opening the same session twice opens it once', async () => {
  const sessions = await open(new Shelf(['a']));
  const [one, other] = await Promise.all([sessions.select('files:a'), sessions.select('files:a')]);
  expect(one).toBe(other);
  expect(sessions.openSessions).toHaveLength(1);
});

const closings: readonly (readonly [status: 'idle' | 'running', kept: boolean])[] = [
  ['idle', false],
  ['running', true],
];

test.each(closings)('a session that is %s and no longer selected is kept open: %s', async (status, kept) => {
  const shelf = new Shelf(['a', 'b']);
  shelf.status = status;
  const sessions = await open(shelf);
  await sessions.select('files:a');
  await sessions.select('files:b');
  expect(shelf.opened.get('a')?.disposed).toBe(!kept);
});

test('the selection is found again after a reload, and forgotten with its session', async () => {
  const store = memento();
  const before = await open(new Shelf(['a', 'b']), store);
  await before.select('files:b');
  before.dispose();
  const after = await open(new Shelf(['a', 'b']), store);
  await after.restore();
  expect(after.selected?.entry.id).toBe('b');
  await after.close('files:b');
  expect(after.selected).toBeNull();
  const last = await open(new Shelf(['a', 'b']), store);
  await last.restore();
  expect(last.selected).toBeNull();
});

test('changes that come while it lists are one more round, not many', async () => {
  const shelf = new Shelf([]);
  const sessions = await open(shelf);
  const lists = shelf.lists;
  for (const name of ['a', 'b', 'c', 'd']) shelf.put([name]);
  await sessions.refresh();
  expect(shelf.lists - lists).toBeLessThanOrEqual(2);
  expect(sessions.entries.map(({ id }) => id)).toEqual(['d']);
});

test('a session that is gone says what to do', async () => {
  const sessions = await open(new Shelf(['a']));
  await expect(sessions.select('files:b')).rejects.toThrow('Refresh the list');
});

test('a source that fails is a sentence; the others live', async () => {
  const broken: Source = {
    group: 'own',
    list: () => Promise.reject(new Error('The folder cannot be read.')),
    open: () => Promise.reject(new Error('never')),
    onDidChange: new Emitter<void>(throwIt).event,
    dispose: () => undefined,
  };
  const heard: unknown[] = [];
  const quietly = (error: unknown): void => void heard.push(error);
  const sessions = new Sessions([broken, new Shelf(['a'])], memento(), Object.assign(quietly, { quietly }));
  await sessions.refresh();
  expect(sessions.problems).toEqual(['The folder cannot be read.']);
  expect(sessions.entries).toHaveLength(1);
  expect(heard).toHaveLength(1);
});

test('nothing listens any more once it is disposed of', async () => {
  const shelf = new Shelf(['a']);
  const sessions = await open(shelf);
  await sessions.select('files:a');
  const session = shelf.opened.get('a');
  expect(session?.changes.size).toBe(1);
  sessions.dispose();
  expect(session?.changes.size).toBe(0);
  expect(shelf.changes.size).toBe(0);
  expect(session?.disposed).toBe(true);
});
