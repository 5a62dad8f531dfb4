import type { JsonObject, Message } from '../../engine/transcript/message';
import { isObject } from '../../engine/transcript/message';
import type { Facts } from '../facts';
import { LineReader } from '../lineReader';
import type { Lent } from '../reader';
import { callIdOf, hasFailed, isCall, isOutput, messageOf } from './items';

const ITEMS: ReadonlySet<unknown> = new Set(['message', 'reasoning', 'other', 'compaction', 'ghost_snapshot']);
const RECORDS: ReadonlySet<unknown> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
]);

/** Reads a Codex rollout: records with a payload, or bare items under a first line without a type (the old shape). */
export class CodexReader extends LineReader {
  private readonly versions = new Set<string>();
  private readonly calls = new Set<string>();
  private readonly failed = new Set<string>();
  private messages = 0;
  private signed = 0;
  private compactions = 0;
  private usage: number | null = null;
  private shown: Message[] = [];

  constructor(
    lent: Lent,
    private readonly format: 'codex' | 'codex-old',
  ) {
    super(lent);
  }

  facts(): Facts {
    return {
      format: this.format,
      versions: [...this.versions].sort(),
      lines: this.lines.lines,
      malformed: this.lines.malformed,
      messages: this.messages,
      tool_calls: this.calls.size,
      tool_errors: this.failed.size,
      signed: this.signed,
      compactions: this.compactions,
      microcompactions: 0,
      real_forks: 0,
      sidechain_records: 0,
      last_usage: this.usage,
    };
  }

  context(): Message[] {
    return [...this.shown];
  }

  protected take(record: JsonObject, line: number): void {
    if (this.format === 'codex') this.takeRecord(record, line);
    else this.takeBare(record, line);
  }

  private takeRecord(record: JsonObject, line: number): void {
    const { type, payload } = record;
    if (!RECORDS.has(type)) {
      this.lines.report(line, 'unknown-record', 'This type of record is not known here; it is left as it is.');
      return;
    }
    if (!isObject(payload)) {
      this.lines.report(line, 'wrong-shape', 'This record has no payload.');
      return;
    }
    const version = payload['cli_version'];
    if (type === 'session_meta' && typeof version === 'string') this.versions.add(version);
    if (type === 'response_item') this.takeItem(payload, line);
    if (type === 'event_msg') this.takeUsage(payload);
    if (type === 'compacted') {
      this.compactions++;
      const history = payload['replacement_history'];
      if (Array.isArray(history)) {
        this.shown = (history as unknown[]).flatMap((item) => {
          const message = isObject(item) ? messageOf(item) : null;
          return message ? [message] : [];
        });
      } else if (typeof payload['message'] === 'string') {
        this.shown = [{ role: 'user', content: payload['message'] }];
      }
    }
  }

  private takeBare(record: JsonObject, line: number): void {
    if (record['type'] !== undefined) this.takeItem(record, line);
    else if (record['record_type'] === undefined && line > 1) {
      this.lines.report(line, 'unknown-record', 'This record has no type; it is left as it is.');
    }
  }

  private takeItem(item: JsonObject, line: number): void {
    const id = callIdOf(item);
    if (item['type'] === 'message') {
      if (item['role'] === 'user' || item['role'] === 'assistant') this.messages++;
    } else if (item['type'] === 'reasoning') {
      if (typeof item['encrypted_content'] === 'string' && item['encrypted_content'] !== '') this.signed++;
    } else if (isCall(item) || isOutput(item)) {
      if (id === null) this.lines.report(line, 'wrong-shape', 'This call or result has no id.');
      else if (isCall(item)) this.calls.add(id);
      else if (hasFailed(item)) this.failed.add(id);
    } else if (!ITEMS.has(item['type'])) {
      this.lines.report(line, 'unknown-record', 'This type of item is not known here; it is left as it is.');
    }
    const message = messageOf(item);
    if (message) this.shown.push(message);
  }

  private takeUsage(event: JsonObject): void {
    const info = isObject(event['info']) ? event['info'] : {};
    const last = isObject(info['last_token_usage']) ? info['last_token_usage'] : {};
    if (typeof last['total_tokens'] === 'number') this.usage = last['total_tokens'];
  }
}
