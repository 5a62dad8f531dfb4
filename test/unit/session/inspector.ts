import type { Message } from '../../../extension/engine/transcript/message';
import { createSha256 } from '../../../extension/io/hash';
import type { Method, Params, Result, ToWebview } from '../../../extension/protocol/messages';
import type { SessionView } from '../../../extension/protocol/view';
import { Emitter } from '../../../extension/session/disposable';
import type { Entry, InspectedSession, LaneReader, SessionChange } from '../../../extension/session/inspected';
import type { Actions, InspectionHost } from '../../../extension/session/actions';
import { Inspection } from '../../../extension/session/inspection';
import type { KeptPerspective } from '../../../extension/session/perspective';
import type { Session } from '../../../extension/session/session';

interface Boundary {
  readonly boundary: string;
}

interface Other {
  readonly record: string;
}

const isBoundary = (value: Message | Boundary | Other): value is Boundary => 'boundary' in value;
const isOther = (value: Message | Boundary | Other): value is Other => 'record' in value;

/** A lane that is made up as it is asked for. */
export interface FakeLane {
  readonly id?: string;
  entries: number;
  /** The entry of a number, without its own number. */
  readonly entry: (index: number) => Message | Boundary | Other;
  readonly contextStart?: number;
  readonly provisional?: boolean;
  readonly usage?: (message: number) => number | null;
  readonly cleared?: readonly string[];
}

export interface FakeReader extends LaneReader {
  /** Entries that were read so far. */
  readonly reads: { count: number };
}

/** Lanes here have only messages, unless `entry` says otherwise for the first few entries. */
export function readerOf(fake: FakeLane): FakeReader {
  const { id = 'active' } = fake;
  const others: number[] = [];
  for (let index = 0; index < Math.min(fake.entries, 200); index++) {
    const entry = fake.entry(index);
    if (isBoundary(entry) || isOther(entry)) others.push(index);
  }
  const messageOf = (entry: number): number => entry - others.filter((other) => other < entry).length;
  const entryOf = (message: number): number => {
    let entry = message;
    for (const other of others) if (other <= entry) entry++;
    return entry;
  };
  const messageAt = (message: number): Message => {
    const value = fake.entry(entryOf(message));
    return isBoundary(value) || isOther(value) ? {} : value;
  };
  const reads = { count: 0 };
  const reader: FakeReader = {
    reads,
    get lane() {
      return { id, label: id, kind: 'active' as const, messages: reader.messages };
    },
    provisional: fake.provisional ?? false,
    get length() {
      return fake.entries;
    },
    get messages() {
      return fake.entries - others.length;
    },
    context_start: fake.contextStart ?? 0,
    contextStartAt: (message) => (message >= (fake.contextStart ?? 0) ? (fake.contextStart ?? 0) : 0),
    read: (start, end) => {
      const entries: Entry[] = [];
      for (let index = start; index < Math.min(end, fake.entries); index++) {
        reads.count++;
        const value = fake.entry(index);
        if (isBoundary(value)) {
          entries.push({ kind: 'boundary', boundary: 'compaction', text: value.boundary, time_ms: null, line: null });
        } else if (isOther(value)) {
          entries.push({ kind: 'record', name: 'system', text: value.record, time_ms: null, line: null });
        } else {
          const { cleared = [] } = fake;
          entries.push({
            kind: 'message',
            message: messageOf(index),
            value,
            time_ms: index,
            cleared,
            model: null,
            notes: [],
          });
        }
      }
      return Promise.resolve(entries);
    },
    message: (index) => {
      reads.count++;
      return messageAt(index);
    },
    entryOf,
    usageAt: fake.usage ?? (() => null),
    get turns() {
      const answers: number[] = [];
      if (fake.entries <= 5000) {
        for (let index = 0; index < reader.messages; index++) {
          if (messageAt(index)['role'] === 'assistant') answers.push(index);
        }
      }
      return { length: answers.length, at: (index: number) => answers[index] ?? -1 };
    },
  };
  return reader;
}

export interface TestInspector {
  readonly inspection: Inspection;
  readonly posted: ToWebview[];
  readonly errors: unknown[];
  readonly calls: unknown[];
  readonly kept: Map<string, KeptPerspective>;
  /** Posts the views that wait. */
  flush(): void;
  /** Waits until nothing is computed, then asks. */
  ask<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
  /** Lets the work stand still, or go on. */
  hold(): void;
  release(): void;
}

export function openInspector(
  options: { readonly policy?: string; readonly respect?: true | false | 'per_turn' } = {},
): TestInspector {
  const posted: ToWebview[] = [];
  const errors: unknown[] = [];
  const calls: unknown[] = [];
  const kept = new Map<string, KeptPerspective>();
  let waiting: (() => void)[] = [];
  let held: (() => void)[] | null = null;
  const note =
    (name: string) =>
    (...args: readonly unknown[]): Promise<void> => {
      calls.push([name, ...args.filter((arg) => typeof arg !== 'object' || arg === null || !('onDidChange' in arg))]);
      return Promise.resolve();
    };
  const permissions = new Emitter<void>((error) => void errors.push(error));
  const actions: Actions = {
    send: note('send'),
    stop: note('stop'),
    permit: (id, allow) => {
      if (id !== 'p1') throw new Error(`There is no question ${id} any more.`);
      calls.push(['permit', id, allow]);
    },
    fire: (session, reminder_id) => session.session.fireNow(reminder_id),
    permissions: () => [{ id: 'p1', tool: 'run_command', title: 'Run password=hunter2', detail: '{}' }],
    onDidChangePermissions: permissions.event,
  };
  const host: InspectionHost = {
    showDiff: note('showDiff'),
    showText: note('showText'),
    copy: note('copy'),
    openLink: note('openLink'),
    run: note('run'),
  };
  const inspection = new Inspection({
    createHash: createSha256,
    onError: (error) => void errors.push(error),
    policy: options.policy ?? 'raw',
    respect_provider_signatures: options.respect ?? 'per_turn',
    pause: () =>
      new Promise((resolve) => {
        if (held) held.push(resolve);
        else setImmediate(resolve);
      }),
    post: (message) => void posted.push(structuredClone(message)),
    schedule: (work) => {
      waiting.push(work);
      return { dispose: () => (waiting = waiting.filter((each) => each !== work)) };
    },
    recall: (id) => kept.get(id) ?? null,
    keep: (id, choice) => void kept.set(id, structuredClone(choice)),
    actions,
    host,
  });
  return {
    inspection,
    posted,
    errors,
    calls,
    kept,
    flush: () => {
      const works = waiting;
      waiting = [];
      for (const work of works) work();
    },
    ask: async (method, params) => {
      await inspection.settled();
      return inspection.request(method, params);
    },
    hold: () => (held ??= []),
    release: () => {
      const works = held ?? [];
      held = null;
      for (const work of works) work();
    },
  };
}

export interface FakeSession extends InspectedSession {
  readonly changes: Emitter<SessionChange>;
}

/** A followed session over made-up lanes. */
export function followed(session: Session, readers: LaneReader[], about: Partial<SessionView> = {}): FakeSession {
  const changes = new Emitter<SessionChange>((error) => {
    throw error;
  });
  return {
    id: session.id,
    session,
    changes,
    view: {
      id: session.id,
      title: session.title,
      agent: 'Claude Code',
      status: 'idle',
      fidelity: 'From its log.',
      live: true,
      no_route: 'no way in',
      no_composer: 'no way in',
      model: null,
      ...about,
    },
    get lanes() {
      return readers.map((reader) => reader.lane);
    },
    reader: (lane) => readers.find((reader) => reader.lane.id === lane),
    issues: { total: 2, first: [{ line: 3, kind: 'invalid-json', text: 'broken' }] },
    progress: null,
    window: 1000,
    own: false,
    problem: null,
    onDidChange: changes.event,
    dispose: () => changes.dispose(),
  };
}
