import type { JsonObject, Message } from '../../engine/transcript/message';

/** A tool as a model is told of it. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters: JsonObject;
}

/** One request to a model: exactly what the projection and the envelope made of the transcript. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
}

/** What a model answers, piece by piece. */
export type ModelPart =
  /** The provider's own id of this answer; kept with the message. */
  | { readonly type: 'answer'; readonly id: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'usage'; readonly input_tokens: number; readonly output_tokens: number };

/** A model that the loop can talk to. Throws `ModelError` for what a person can do something about. */
export interface ModelClient {
  readonly id: string;
  readonly name: string;
  /** Context window in tokens; null: not known. */
  readonly window: number | null;
  send(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** A model refused or failed; `message` says what to do. `refused`: the request itself was not accepted. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  constructor(
    message: string,
    readonly refused: boolean,
  ) {
    super(message);
  }
}
