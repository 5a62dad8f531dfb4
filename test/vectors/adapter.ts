import type { Json } from '../../extension/engine/transcript/message';

/** One vector as read from a file: a pure call (`given`, `then`) or a session (`given`, `steps`). */
export interface Vector {
  readonly name: string;
  readonly call: string;
  readonly given: Readonly<Record<string, Json>>;
  readonly then?: VectorOutcome;
  /** The steps of a session, in order; only the adapter of that call knows their form. */
  readonly steps?: readonly Json[];
  readonly source?: string;
}

/** What must come out: exactly one of the two. */
export interface VectorOutcome {
  readonly result?: Json;
  readonly error?: { readonly contains?: string | readonly string[] };
}

/**
 * Holds our functions to one vector. Gives one line for every difference, and none when the vector passes. The runner
 * compares `vector` before and after; what the adapter throws counts as a failure.
 */
export type VectorAdapter = (vector: Vector) => readonly string[] | Promise<readonly string[]>;

/** Adapters by the `call` they are for. */
export type VectorAdapters = Readonly<Record<string, VectorAdapter>>;
