import { closeSync, openSync, writeSync } from 'node:fs';
import type { Facts } from '../../extension/formats/facts';

/** What is generated. The same options give the same bytes. */
export interface GenerateOptions {
  readonly seed: number;
  /** Stop after the turn that passes this size … */
  readonly bytes?: number;
  /** … or after so many requests; default 200. */
  readonly turns?: number;
  /** Cut the last line in its middle. */
  readonly torn?: boolean;
  /** Requests between two compactions; default 120; 0: none. */
  readonly compact_every?: number;
}

interface Fields {
  readonly [key: string]: unknown;
}

const WORDS = (
  'lantern harbour ledger copper meadow signal kettle orchard timber violet anchor basket canyon drifting ember feather ' +
  'glacier hollow island juniper kernel lattice marble nutmeg opal prairie quartz river saddle thicket umbra valley willow'
).split(' ');
const TOOLS = ['Read', 'Bash', 'Edit', 'Grep', 'Write'];
const FILES = Array.from({ length: 60 }, (_, i) => `/home/someone/garden/src/${WORDS[i % WORDS.length]!}${i}.ts`);

/** A stream of chance from a seed (mulberry32). */
class Chance {
  constructor(private state: number) {}
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }
  is(probability: number): boolean {
    return this.next() < probability;
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
  hex(length: number): string {
    let text = '';
    while (text.length < length) text += this.below(16).toString(16);
    return text;
  }
}

/**
 * Writes a session in the shape of Claude Code's files, of any size: streamed answers over several records, thinking
 * with signatures, calls in parallel, failures that are repaired, sub-agents in the same file, rewinds, progress,
 * micro-compactions and compactions, all text invented. Gives its facts, an oracle for readers; of a torn session those
 * that a reader must find.
 */
export function generateSession(options: GenerateOptions, write: (text: string) => void): Facts {
  return new Generator(options, write).run();
}

/** As `generateSession`, into a file. */
export function writeSession(file: string, options: GenerateOptions): Facts {
  const descriptor = openSync(file, 'w');
  try {
    return generateSession(options, (text) => writeSync(descriptor, text));
  } finally {
    closeSync(descriptor);
  }
}

class Generator {
  private readonly chance: Chance;
  private readonly prose: readonly string[];
  private readonly sessionId: string;
  private readonly messages = new Set<string>();
  private readonly facts: { -readonly [K in keyof Facts]: Facts[K] } = {
    format: 'claude-code',
    versions: ['2.1.20'],
    lines: 0,
    malformed: 0,
    messages: 0,
    tool_calls: 0,
    tool_errors: 0,
    signed: 0,
    compactions: 0,
    microcompactions: 0,
    real_forks: 0,
    sidechain_records: 0,
    last_usage: null,
  };
  private bytes = 0;
  private clock = Date.UTC(2026, 2, 1);
  private readonly main: Side = { id: '', last: null };
  private context = 12_000;
  private callIds: string[] = [];
  private rewindTo: string | null = null;
  private pending: { readonly text: string; readonly undo: () => void } | null = null;
  private buffer = '';

  constructor(
    private readonly options: GenerateOptions,
    private readonly write: (text: string) => void,
  ) {
    this.chance = new Chance(options.seed);
    this.prose = Array.from({ length: 400 }, () => this.sentence());
    this.sessionId = this.uuid();
  }

  run(): Facts {
    const { bytes = 0, turns = 200, torn = false, compact_every = 120 } = this.options;
    let turn = 0;
    for (let left = 0; bytes > 0 ? this.bytes < bytes : turn < turns; turn++, left--) {
      if (left <= 0) {
        this.prompt();
        left = 2 + this.chance.below(10);
      }
      if (compact_every > 0 && turn > 0 && turn % compact_every === 0) this.compact();
      else if (compact_every > 0 && turn % compact_every === compact_every >> 1 && turn > 0) this.microcompact();
      this.request(null);
    }
    this.flush(torn);
    this.empty();
    return { ...this.facts };
  }

  private sentence(): string {
    const words = Array.from({ length: 5 + this.chance.below(14) }, () => this.chance.pick(WORDS));
    return `${words.join(' ')}${this.chance.is(0.04) ? ' — größer → 日本' : ''}.`;
  }

  private text(length: number): string {
    let text = '';
    while (text.length < length) {
      text += this.chance.pick(this.prose) + (this.chance.is(0.3) ? '\n  const "quoted" = \\path;\n' : ' ');
    }
    return text;
  }

  private uuid(): string {
    const hex = this.chance.hex(32);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  /** Holds the last line back, so that it can be torn, with what it changed in the facts. */
  private line(record: Fields, count: () => void = () => undefined): void {
    this.flush(false);
    const before = { ...this.facts };
    count();
    this.facts.lines++;
    this.pending = { text: `${JSON.stringify(record)}\n`, undo: () => Object.assign(this.facts, before) };
    this.bytes += this.pending.text.length;
  }

  /** Takes the line that was held back as it is, or torn. */
  private flush(torn: boolean): void {
    if (!this.pending) return;
    const { text, undo } = this.pending;
    this.pending = null;
    if (torn) {
      undo();
      this.facts.lines++;
      this.facts.malformed++;
    }
    this.buffer += torn ? text.slice(0, text.length >> 1) : text;
    if (this.buffer.length > 1 << 18) this.empty();
  }

  private empty(): void {
    this.write(this.buffer);
    this.buffer = '';
  }

  private record(fields: Fields, side: Side | null, count: () => void = () => undefined): string {
    const uuid = this.uuid();
    const chain = side ?? this.main;
    this.line(
      {
        parentUuid: chain.last,
        isSidechain: side !== null,
        userType: 'external',
        cwd: '/home/someone/garden',
        sessionId: this.sessionId,
        version: '2.1.20',
        gitBranch: 'main',
        ...(side ? { agentId: side.id } : {}),
        ...fields,
        uuid,
        timestamp: new Date((this.clock += 500 + this.chance.below(5000))).toISOString(),
      },
      () => {
        if (side) this.facts.sidechain_records++;
        count();
      },
    );
    chain.last = uuid;
    return uuid;
  }

  private user(content: unknown, fields: Fields = {}, side: Side | null = null, failed = false): string {
    return this.record({ type: 'user', message: { role: 'user', content }, ...fields }, side, () => {
      this.facts.messages++;
      if (failed) this.facts.tool_errors++;
    });
  }

  private prompt(): void {
    const rewinds = this.rewindTo !== null && this.chance.is(0.15);
    if (rewinds) this.main.last = this.rewindTo;
    const parent = this.main.last;
    const id = this.user(this.chance.is(0.5) ? this.text(60) : [{ type: 'text', text: this.text(60) }]);
    if (rewinds) {
      this.facts.real_forks++;
      this.rewindTo = null;
    } else this.rewindTo = parent;
    if (this.chance.is(0.5)) {
      this.line({ type: 'file-history-snapshot', messageId: id, snapshot: { trackedFileBackups: {} } });
    }
    if (this.chance.is(0.2)) this.line({ type: 'queue-operation', operation: 'enqueue', sessionId: this.sessionId });
  }

  /** One request of the model: an answer over several records, and the results of its calls. */
  private request(side: Side | null): void {
    const { chance } = this;
    const id = `msg_${chance.hex(24)}`;
    const blocks: Fields[] = [];
    if (chance.is(0.5)) blocks.push({ type: 'thinking', thinking: this.text(300), signature: chance.hex(200) });
    if (chance.is(0.6)) blocks.push({ type: 'text', text: this.text(120) });
    const calls: { readonly id: string; readonly name: string }[] = [];
    for (let left = chance.is(0.15) ? 0 : chance.is(0.2) ? 3 : 1; left > 0; left--) {
      const name = side === null && chance.is(0.02) ? 'Task' : chance.pick(TOOLS);
      const call = { id: `toolu_${chance.hex(24)}`, name };
      calls.push(call);
      blocks.push({ type: 'tool_use', ...call, input: this.input(name) });
    }
    if (blocks.length === 0) blocks.push({ type: 'text', text: this.text(40) });
    const output = 20 + chance.below(800);
    this.context += output;
    const usage = {
      input_tokens: 4,
      cache_creation_input_tokens: 900,
      cache_read_input_tokens: this.context - 900,
      output_tokens: output,
    };
    for (const block of blocks) {
      const message = { model: 'model-of-the-test', id, type: 'message', role: 'assistant', content: [block], usage };
      this.record({ type: 'assistant', message, requestId: `req_${chance.hex(20)}` }, side, () => {
        if (!this.messages.has(id)) this.facts.messages++;
        if (block['type'] === 'thinking') this.facts.signed++;
        if (block['type'] === 'tool_use') this.facts.tool_calls++;
        if (!side) this.facts.last_usage = 4 + this.context + output;
      });
      this.messages.add(id);
    }
    for (const call of calls) this.result(call, side);
    if (chance.is(0.003)) {
      this.record({ type: 'system', subtype: 'api_error', error: { status: 529 }, retryAttempt: 1 }, side);
    }
  }

  private result(call: { readonly id: string; readonly name: string }, side: Side | null): void {
    const { chance } = this;
    for (let left = chance.is(0.25) ? 1 + chance.below(3) : 0; left > 0; left--) {
      const data = { type: 'bash_progress', output: this.text(80), message: { uuid: 'x', type: 'user' } };
      this.record({ type: 'progress', data, toolUseID: call.id }, side);
    }
    if (call.name === 'Task') this.subagent();
    const failed = chance.is(0.08);
    const content = failed ? 'Exit code 1\nnothing of that name' : this.text(200 * 80 ** chance.next());
    const block = { tool_use_id: call.id, type: 'tool_result', content, ...(failed ? { is_error: true } : {}) };
    this.user([block], { toolUseResult: { type: 'text', text: content.slice(0, 4000) } }, side, failed);
    this.context += content.length >> 2;
    this.callIds.push(call.id);
  }

  private input(name: string): Fields {
    const file_path = this.chance.pick(FILES);
    if (name === 'Bash') return { command: `ls ${file_path}`, description: this.text(20) };
    if (name === 'Edit') return { file_path, old_string: this.text(60), new_string: this.text(80) };
    if (name === 'Write') return { file_path, content: this.text(900) };
    if (name === 'Task') return { description: 'Look around', prompt: this.text(200) };
    return name === 'Grep' ? { pattern: this.chance.pick(WORDS), path: file_path } : { file_path };
  }

  private subagent(): void {
    const side: Side = { id: `a${this.chance.hex(6)}`, last: null };
    this.user(this.text(200), {}, side);
    for (let left = 1 + this.chance.below(4); left > 0; left--) this.request(side);
  }

  private microcompact(): void {
    const compactedToolIds = this.callIds.slice(0, -3);
    this.record(
      {
        type: 'system',
        subtype: 'microcompact_boundary',
        content: 'Context microcompacted',
        microcompactMetadata: { trigger: 'auto', preTokens: this.context, tokensSaved: 2000, compactedToolIds },
      },
      null,
      () => this.facts.microcompactions++,
    );
  }

  private compact(): void {
    const logicalParentUuid = this.main.last;
    this.record(
      {
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        parentUuid: null,
        logicalParentUuid,
        compactMetadata: { trigger: 'auto', preTokens: this.context },
      },
      null,
      () => this.facts.compactions++,
    );
    this.user(this.text(2000), { isCompactSummary: true, isVisibleInTranscriptOnly: true });
    this.context = 15_000;
    this.callIds = [];
    this.rewindTo = null;
  }
}

interface Side {
  readonly id: string;
  last: string | null;
}
