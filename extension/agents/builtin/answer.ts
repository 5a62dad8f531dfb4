import type { Json, JsonObject, Message } from '../../engine/transcript/message';
import { isObject } from '../../engine/transcript/message';
import type { ModelPart } from './model';

/** A call as a model made it; `input` may be anything. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** An answer of a model while it arrives. */
export class Answer {
  text = '';
  usage: Usage | null = null;
  readonly calls: Call[] = [];
  private id: string | null = null;

  /** True once the model began to answer: the request was taken. */
  began = false;

  add(part: ModelPart): void {
    this.began = true;
    switch (part.type) {
      case 'answer':
        this.id = part.id;
        return;
      case 'text':
        this.text += part.text;
        return;
      case 'call':
        this.calls.push({ id: this.freshId(part.id), name: part.name, input: part.input });
        return;
      case 'usage':
        this.usage = { input_tokens: part.input_tokens, output_tokens: part.output_tokens };
    }
  }

  /** The message for the transcript; null where nothing was said and nothing called. */
  message(): Message | null {
    const said: Json[] = this.text === '' ? [] : [{ type: 'text', text: this.text }];
    const called = this.calls.map((call): JsonObject => ({
      type: 'tool_use',
      id: call.id,
      name: call.name,
      input: toJson(call.input),
    }));
    const content = [...said, ...called];
    if (content.length === 0) return null;
    return { role: 'assistant', ...(this.id === null ? {} : { id: this.id }), content };
  }

  /** Results are found by their call's id, so each call of an answer needs its own. */
  private freshId(given: string): string {
    const wanted = given === '' ? `call_${this.calls.length + 1}` : given;
    let id = wanted;
    for (let count = 2; this.calls.some((call) => call.id === id); count += 1) id = `${wanted}-${count}`;
    return id;
  }
}

/** Deepest nesting that is kept of a call's input; nobody means more, and a value may hold itself. */
const DEEPEST = 200;

/** A value as JSON can hold it; what it cannot hold, and what is nested deeper than that, becomes null. */
function toJson(value: unknown, depth = 0): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (depth === DEEPEST) return null;
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1));
  if (!isObject(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item, depth + 1)]));
}
