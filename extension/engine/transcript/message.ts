/** Any value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object whose members are JSON; `undefined` stands for "no such member". */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/**
 * One message of a transcript, exactly as its agent wrote it: chat style, block style or part style (see
 * `results.ts` for the shapes that are understood). Never changed in place; what is not understood is kept.
 */
export type Message = JsonObject;

/** Something that belongs to a transcript and is no message: a pending reminder, a projection, a compaction. */
export interface TranscriptEvent extends JsonObject {
  readonly id: string;
  readonly kind: string;
  readonly role: string;
  readonly visibility: string;
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly metadata: JsonObject;
}

/** The raw transcript. A message's index in `messages` is its identity for projection. */
export interface Transcript {
  readonly id: string;
  readonly messages: readonly Message[];
  readonly events: readonly TranscriptEvent[];
  readonly summary?: string | null;
  readonly metadata: JsonObject;
}

/** True for a plain JSON object: no array, no null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
