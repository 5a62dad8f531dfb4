import type { Facts } from '../facts';
import type { Usage } from './entry';
import type { Draft } from './draft';
import { CALL, FLAG, TYPE } from './draft';
import { fitted } from './fitted';

/** What the records say about the session as a whole. */
export interface About {
  readonly sessionId: string | null;
  readonly cwd: string | null;
  readonly gitBranch: string | null;
  readonly model: string | null;
  readonly version: string | null;
  /** Of the last request of the main chain. */
  readonly lastUsage: Usage | null;
}

/** Counts the facts of a session, record by record. */
export class Tally {
  private messages = 0;
  private toolCalls = 0;
  private toolErrors = 0;
  private signed = 0;
  private compactions = 0;
  private microcompactions = 0;
  private forks = 0;
  private sidechain = 0;
  private readonly versions = new Set<string>();
  private readonly usage = new Float64Array(4);
  private hasUsage = false;
  /** Calls that were marked as failed by another result than their first. */
  relapses = 0;
  private latest: { -readonly [K in keyof About]: About[K] } = {
    sessionId: null,
    cwd: null,
    gitBranch: null,
    model: null,
    version: null,
    lastUsage: null,
  };
  /** By number of a message id: 1 when it was counted. */
  private messageSeen = new Uint8Array(1024);
  /** By number of a call id: the kinds it was seen as. */
  private callSeen = new Uint8Array(1024);
  /** By number of a parent's id: 0, the first alternative among its children, or -1 for a fork. */
  private alternative = new Int32Array(1024);

  get about(): About {
    const [input = 0, creation = 0, read = 0, output = 0] = this.usage;
    return {
      ...this.latest,
      lastUsage: this.hasUsage
        ? {
            input_tokens: input,
            cache_creation_input_tokens: creation,
            cache_read_input_tokens: read,
            output_tokens: output,
          }
        : null,
    };
  }

  /** Takes a finished draft that is no duplicate; `record` is the number it has or would have. */
  take(draft: Draft, record: number): void {
    const { latest } = this;
    if (draft.version !== null && draft.version !== latest.version) {
      latest.version = draft.version;
      this.versions.add(draft.version);
    }
    latest.sessionId ??= draft.sessionId;
    latest.cwd ??= draft.cwd;
    if (draft.gitBranch !== null) latest.gitBranch = draft.gitBranch;
    const flags = draft.flags;
    if (flags & FLAG.sidechain) this.sidechain++;
    if (flags & FLAG.compaction) this.compactions++;
    if (flags & FLAG.microcompaction) this.microcompactions++;
    if (draft.type !== TYPE.user && draft.type !== TYPE.assistant) return;
    this.signed += draft.signed;
    if (draft.type === TYPE.user || draft.message < 0) this.messages++;
    else {
      this.messageSeen = fitted(this.messageSeen, draft.message + 1);
      if (this.messageSeen[draft.message] === 0) {
        this.messageSeen[draft.message] = 1;
        this.messages++;
      }
    }
    for (let i = 0; i < draft.calls; i++) this.takeCall(draft.callIds[i]!, draft.callKinds[i]!);
    if (draft.type === TYPE.assistant && !(flags & FLAG.sidechain) && !(flags & FLAG.synthetic)) {
      if (draft.model !== null) latest.model = draft.model;
      if (flags & FLAG.usage) {
        this.usage.set(draft.usage);
        this.hasUsage = true;
      }
    }
    if (draft.parent >= 0) this.takeChild(draft, record);
  }

  /** A record that is written again is no new message, but its signed blocks are there twice. */
  takeDuplicate(draft: Draft): void {
    this.signed += draft.signed;
  }

  /** True when a result of this call (by number of its id) was marked as failed. */
  hasFailed(call: number): boolean {
    return call >= 0 && call < this.callSeen.length && (this.callSeen[call]! & CALL.failed) !== 0;
  }

  /** True when a result of this call (by number of its id) was seen. */
  isAnswered(call: number): boolean {
    return call >= 0 && call < this.callSeen.length && (this.callSeen[call]! & CALL.result) !== 0;
  }

  private takeCall(id: number, kind: number): void {
    this.callSeen = fitted(this.callSeen, id + 1);
    const seen = this.callSeen[id]!;
    if (kind & CALL.call && !(seen & CALL.call)) this.toolCalls++;
    if (kind & CALL.failed && !(seen & CALL.failed)) {
      this.toolErrors++;
      if (seen & CALL.result) this.relapses++;
    }
    this.callSeen[id] = seen | kind;
  }

  /** A parent is a fork once two of its children are different prompts or belong to different assistant messages. */
  private takeChild(draft: Draft, record: number): void {
    let key: number;
    if (draft.type === TYPE.assistant) key = draft.message >= 0 ? draft.message * 2 + 2 : record * 2 + 1;
    else if (draft.flags & FLAG.prompt) key = record * 2 + 1;
    else return;
    this.alternative = fitted(this.alternative, draft.parent + 1);
    const first = this.alternative[draft.parent]!;
    if (first === 0) this.alternative[draft.parent] = key;
    else if (first > 0 && first !== key) {
      this.alternative[draft.parent] = -1;
      this.forks++;
    }
  }

  facts(): Omit<Facts, 'format' | 'lines' | 'malformed'> {
    const usage = this.about.lastUsage;
    return {
      versions: [...this.versions].sort(),
      messages: this.messages,
      tool_calls: this.toolCalls,
      tool_errors: this.toolErrors,
      signed: this.signed,
      compactions: this.compactions,
      microcompactions: this.microcompactions,
      real_forks: this.forks,
      sidechain_records: this.sidechain,
      last_usage: usage && Object.values(usage as unknown as Record<string, number>).reduce((sum, n) => sum + n, 0),
    };
  }
}
