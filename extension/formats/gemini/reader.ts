import type { Json, JsonObject, Message } from '../../engine/transcript/message';
import { isObject } from '../../engine/transcript/message';
import type { Facts } from '../facts';
import type { Issue } from '../issue';
import { JsonLines } from '../jsonLines';
import type { Lent, LogReader } from '../reader';

const FAILED: ReadonlySet<unknown> = new Set(['error', 'cancelled']);

/**
 * Reads a Gemini CLI chat: one JSON document, or lines with a header, messages that come again with the same id (the
 * last one counts) and `$set` patches. The whole text is kept until it has been read.
 */
export class GeminiReader implements LogReader {
  private parts: Uint8Array[] = [];
  private lines: JsonLines;
  private lineCount = 0;
  private chat = new Map<string, JsonObject>();
  private isDocument = false;

  constructor(private readonly lent: Lent) {
    this.lines = this.createLines();
  }

  push(bytes: Uint8Array): boolean {
    this.parts.push(bytes.slice());
    return true;
  }

  settle(): void {
    const bytes = new Uint8Array(this.parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.parts) {
      bytes.set(part, at);
      at += part.length;
    }
    this.parts = [bytes];
    this.chat = new Map();
    const text = this.lent.decode(bytes).replace(/^\uFEFF/u, '');
    this.lineCount = text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    const document = parse(text);
    this.isDocument = isObject(document) && Array.isArray(document['messages']);
    this.lines = this.createLines();
    if (this.isDocument && isObject(document)) {
      (document['messages'] as unknown[]).forEach((message, index) => this.takeMessage(message, index + 1));
      return;
    }
    this.lines.push(bytes);
    this.lines.settle();
  }

  issues(): readonly Issue[] {
    return this.lines.issues();
  }

  get issueCount(): number {
    return this.lines.issueCount;
  }

  facts(): Facts {
    const calls = this.calls();
    let usage: number | null = null;
    for (const message of this.chat.values()) {
      const tokens = isObject(message['tokens']) ? message['tokens'] : {};
      if (typeof tokens['total'] === 'number') usage = tokens['total'];
    }
    return {
      format: 'gemini',
      versions: [],
      lines: this.isDocument ? this.lineCount : this.lines.lines,
      malformed: this.isDocument ? 0 : this.lines.malformed,
      messages: this.chat.size,
      tool_calls: new Set(calls.map(({ id }) => id)).size,
      tool_errors: new Set(calls.filter(({ status }) => FAILED.has(status)).map(({ id }) => id)).size,
      signed: 0,
      compactions: 0,
      microcompactions: 0,
      real_forks: 0,
      sidechain_records: 0,
      last_usage: usage,
    };
  }

  /** Calls and results as parts: `functionCall` in the model's message, `functionResponse` in the one after it. */
  context(): Message[] {
    const messages: Message[] = [];
    for (const record of this.chat.values()) {
      const calls = callsOf(record);
      const text = record['content'];
      if (record['type'] === 'user') {
        messages.push({ role: 'user', parts: partsOf(text) });
        continue;
      }
      const parts = calls.map(({ id, name, args }): Json => ({ functionCall: { id, name, args } }));
      messages.push({ role: 'model', parts: [...partsOf(text), ...parts] });
      if (calls.length > 0) messages.push({ role: 'user', parts: calls.flatMap(({ result }) => result) });
    }
    return messages;
  }

  private createLines(): JsonLines {
    return new JsonLines(this.lent, (record, line) => {
      if (Array.isArray(record['messages']))
        record['messages'].forEach((each: unknown) => this.takeMessage(each, line));
      else if (record['type'] === 'user' || record['type'] === 'gemini') this.takeMessage(record, line);
      else if (!('$set' in record) && !('projectHash' in record) && record['type'] !== 'info') {
        this.lines.report(line, 'unknown-record', 'This type of record is not known here; it is left as it is.');
      }
    });
  }

  private takeMessage(message: unknown, line: number): void {
    if (!isObject(message)) {
      this.lines.report(line, 'wrong-shape', 'A message of this chat is no object.');
    } else if (message['type'] === 'user' || message['type'] === 'gemini') {
      const id = typeof message['id'] === 'string' ? message['id'] : `#${this.chat.size}`;
      this.chat.set(id, message);
    }
  }

  private calls(): readonly Call[] {
    return [...this.chat.values()].flatMap(callsOf);
  }
}

interface Call {
  readonly id: string;
  readonly name: Json;
  readonly args: Json;
  readonly status: Json;
  readonly result: readonly Json[];
}

function callsOf(message: JsonObject): Call[] {
  const calls = message['toolCalls'];
  if (!Array.isArray(calls)) return [];
  return (calls as unknown[]).flatMap((call, index) => {
    if (!isObject(call)) return [];
    const owner = typeof message['id'] === 'string' ? message['id'] : '';
    const id = typeof call['id'] === 'string' ? call['id'] : `${owner}#${index}`;
    const result = Array.isArray(call['result']) ? (call['result'] as readonly Json[]) : [];
    return [{ id, name: call['name'] ?? null, args: call['args'] ?? {}, status: call['status'] ?? null, result }];
  });
}

function partsOf(content: Json | undefined): Json[] {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }];
  return Array.isArray(content) ? [...(content as readonly Json[])] : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
