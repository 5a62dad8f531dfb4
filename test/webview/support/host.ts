import type { Method, Params, Requests, Result, Row, ToHost, ToWebview } from '../../../extension/protocol';
import type { InspectorView } from '../../../extension/protocol';
import type { Host } from '../../../webview/state/host';

type Answers = { readonly [M in Method]?: (params: Params<M>) => Result<M> | Promise<Result<M>> };

/** What the webview asked for. */
export interface Asked {
  readonly method: Method;
  readonly params: unknown;
}

/** Rows by number; a million of them need not exist. */
export interface RowSource {
  readonly count: number;
  at(row: number): Row;
}

/** The other side of the window, in the same process. */
export interface FakeHost extends Host {
  readonly asked: readonly Asked[];
  readonly posted: readonly ToHost[];
  view: InspectorView;
  rows: RowSource;
  /** Answers in place of the ones below; throw to refuse. */
  answers: Answers;
  /** Sends anything at all. */
  send(message: unknown): void;
  /** Sends the view again with the next revision, with what has changed. */
  change(change: Partial<InspectorView>): void;
  /** Told before an answer is delivered. */
  onAnswer: ((method: Method, params: unknown) => void) | null;
}

interface Options {
  readonly view: InspectorView;
  readonly rows: RowSource;
  readonly saved?: unknown;
  /** Delivers an answer some time later; at once after the current work without it. */
  readonly later?: (deliver: () => void) => void;
}

export const sourceOf = (rows: readonly Row[]): RowSource => ({
  count: rows.length,
  at: (row) => rows[row] as Row,
});

export function createFakeHost({ view, rows, saved, later = (deliver) => queueMicrotask(deliver) }: Options): FakeHost {
  const listeners = new Set<(message: unknown) => void>();
  const asked: Asked[] = [];
  const posted: ToHost[] = [];
  let state: unknown = saved;

  const standard: { [M in Method]: (params: Params<M>) => Requests[M]['result'] } = {
    rows: ({ start, count }) => ({
      revision: host.view.revision,
      start,
      rows: Array.from({ length: Math.max(0, Math.min(count, host.rows.count - start)) }, (_, index) =>
        host.rows.at(start + index),
      ),
    }),
    body: () => ({ text: 'the whole text', next: null }),
    locate: ({ message }) => ({ row: message }),
    search: () => ({ row: null, wrapped: false, matches: 0, position: 0 }),
    directives: () => ({ revision: host.view.revision, directives: [] }),
    lifecycle: () => ({ revision: host.view.revision, total: 0, kinds: [], start: 0, rows: [] }),
    set_policy: () => null,
    apply_policy: () => null,
    set_turn: () => null,
    set_lane: () => null,
    set_filter: () => null,
    remind: () => ({ reminder_id: 'new' }),
    revoke: () => ({ status: 'revoked' }),
    fire_preview: () => ({ turn: 12, starts_turn: true, others: 1 }),
    fire: () => ({ turn: 12, starts_turn: true, others: 1 }),
    send: () => null,
    stop: () => null,
    permit: () => null,
    open: () => null,
    copy: () => null,
    link: () => null,
    command: () => null,
  };

  const answer = async (id: number, method: Method, params: unknown): Promise<void> => {
    const given = host.answers[method] as ((params: unknown) => unknown) | undefined;
    const usual = standard[method] as (params: unknown) => unknown;
    try {
      const result = await (given ?? usual)(params);
      later(() => {
        host.onAnswer?.(method, params);
        host.send({ type: 'answer', id, result });
      });
    } catch (error) {
      later(() => host.send({ type: 'failure', id, error: (error as Error).message }));
    }
  };

  const host: FakeHost = {
    asked,
    posted,
    view,
    rows,
    answers: {},
    onAnswer: null,
    post(message) {
      posted.push(message);
      if (message.type === 'ready') later(() => host.send({ type: 'view', view: host.view } satisfies ToWebview));
      if (message.type !== 'request') return;
      asked.push({ method: message.method, params: message.params });
      void answer(message.id, message.method, message.params);
    },
    saved: () => state,
    save(next) {
      state = next;
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send(message) {
      for (const listener of [...listeners]) listener(message);
    },
    change(change) {
      host.view = { ...host.view, ...change, revision: host.view.revision + 1 };
      host.send({ type: 'view', view: host.view });
    },
  };
  return host;
}
