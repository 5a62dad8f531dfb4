import type { Method, Params, Result } from '../../extension/protocol';

/** Asks the host; rejects with what to tell the person. */
export type Ask = <M extends Method>(method: M, params: Params<M>) => Promise<Result<M>>;
