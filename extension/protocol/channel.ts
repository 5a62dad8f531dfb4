import type { Method, Params, Result, ToHost } from './messages';

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** A request could not be answered because the other side is gone. */
export class ChannelClosed extends Error {
  override readonly name = 'ChannelClosed';
  constructor() {
    super('The inspector was closed before the answer came.');
  }
}

/** The asking end of the channel: every request settles once, with an answer, a failure, or `ChannelClosed`. */
export interface Channel {
  request<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
  /** Hands in an answer from the other side; one that nobody waits for is ignored. */
  settle(id: number, outcome: { readonly result: unknown } | { readonly error: string }): void;
  /** Rejects whatever still waits, and every later request. */
  close(): void;
}

export function createChannel(post: (message: ToHost) => void): Channel {
  const waiting = new Map<number, Waiting>();
  let next = 1;
  let closed = false;
  return {
    request(method, params) {
      if (closed) return Promise.reject(new ChannelClosed());
      const id = next++;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        post({ type: 'request', id, method, params });
      });
    },
    settle(id, outcome) {
      const request = waiting.get(id);
      if (!request) return;
      waiting.delete(id);
      if ('error' in outcome) request.reject(new Error(outcome.error));
      else request.resolve(outcome.result as never);
    },
    close() {
      closed = true;
      for (const request of waiting.values()) request.reject(new ChannelClosed());
      waiting.clear();
    },
  };
}
