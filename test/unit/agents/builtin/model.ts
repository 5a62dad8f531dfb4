import type { ModelClient, ModelPart, ModelRequest } from '../../../../extension/agents/builtin/model';

/** One answer of the test's model: its parts, or something that makes or awaits them. */
export type Turn =
  | readonly ModelPart[]
  | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelPart> | Iterable<ModelPart>);

/** A model that gives the answers it was made with, and keeps what it was asked, as the text that would be sent. */
export class TestModel implements ModelClient {
  readonly id = 'test/model';
  readonly name = 'Test model';
  readonly window = 1000;
  readonly requests: ModelRequest[] = [];
  /** The message array of each request as JSON, taken at once, so that a later change would show. */
  readonly sent: string[][] = [];

  constructor(private readonly turns: readonly Turn[]) {}

  async *send(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    const turn = this.turns[this.requests.length] ?? [text('Nothing more to say.')];
    this.requests.push(request);
    this.sent.push(request.messages.map((message) => JSON.stringify(message)));
    yield* typeof turn === 'function' ? turn(request, signal) : turn;
  }
}

export function text(said: string): ModelPart {
  return { type: 'text', text: said };
}

export function call(id: string, name: string, input: unknown = {}): ModelPart {
  return { type: 'call', id, name, input };
}

export const list = (id: string): ModelPart => call(id, 'list_files');
