import type { LogEvent, LogRecord } from '../../engine/state/record';
import { reduceRecord } from '../../engine/state/reduce';
import { initialState } from '../../engine/state/state';
import type { JsonObject, Message } from '../../engine/transcript/message';
import { isObject } from '../../engine/transcript/message';
import type { Facts } from '../facts';
import { LineReader } from '../lineReader';

import { MessageTally } from '../tallies';

/** Reads our own session log: `{id, event: {kind, payload, headers, occurred_at_ms}}`, one record a line. */
export class HarnReader extends LineReader {
  private readonly tally = new MessageTally();
  private readonly ids = new Set<string>();
  private state = initialState('');
  private compactions = 0;
  private usage: number | null = null;

  facts(): Facts {
    return {
      format: 'harn',
      versions: [],
      lines: this.lines.lines,
      malformed: this.lines.malformed,
      messages: this.tally.messages,
      tool_calls: this.tally.toolCalls,
      tool_errors: this.tally.toolErrors,
      signed: this.tally.signed,
      compactions: this.compactions,
      microcompactions: 0,
      real_forks: 0,
      sidechain_records: 0,
      last_usage: this.usage,
    };
  }

  context(): Message[] {
    return [...this.state.messages];
  }

  protected take(value: JsonObject, line: number): void {
    const record = recordOf(value);
    if (!record) {
      this.lines.report(
        line,
        'wrong-shape',
        'This is no record of a session log: it lacks an id or an event with a kind.',
      );
      return;
    }
    if (this.ids.has(record.id)) {
      this.lines.report(line, 'duplicate', 'This record was there before (same id); only the first one counts.');
      return;
    }
    this.ids.add(record.id);
    const { kind, payload } = record.event;
    if (kind === 'message.appended' && isObject(payload['message'])) this.tally.take(payload['message']);
    if (kind === 'transcript.compaction') this.compactions++;
    if (kind === 'usage.reported') this.usage = usageOf(payload) ?? this.usage;
    this.state = reduceRecord(this.state, record);
  }
}

function recordOf({ id, event }: JsonObject): LogRecord | null {
  if (typeof id !== 'string' || id === '' || !isObject(event) || typeof event['kind'] !== 'string') return null;
  const { kind, payload, headers, occurred_at_ms } = event;
  const whole: LogEvent = {
    kind,
    payload: isObject(payload) ? payload : {},
    headers: isObject(headers) ? (headers as LogEvent['headers']) : {},
    occurred_at_ms: typeof occurred_at_ms === 'number' ? occurred_at_ms : 0,
  };
  return { id, event: whole };
}

function usageOf(payload: JsonObject): number | null {
  const usage = isObject(payload['usage']) ? payload['usage'] : payload;
  const figures = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens']
    .map((key) => usage[key])
    .filter((figure): figure is number => typeof figure === 'number');
  return figures.length === 0 ? null : figures.reduce((sum, figure) => sum + figure, 0);
}
