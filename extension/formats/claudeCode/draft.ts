import { IdTable } from '../idTable';

/** Types of records. `progress`, `queue` and `snapshot` are no rows; `known` are types that say nothing to the model. */
export const TYPE = {
  unknown: 0,
  user: 1,
  assistant: 2,
  system: 3,
  progress: 4,
  summary: 5,
  attachment: 6,
  queue: 7,
  snapshot: 8,
  known: 9,
  title: 10,
} as const;
export type RecordType = (typeof TYPE)[keyof typeof TYPE];

/** The types by the word in the record. */
export const TYPES: ReadonlyMap<string, RecordType> = new Map<string, RecordType>([
  ['user', TYPE.user],
  ['assistant', TYPE.assistant],
  ['system', TYPE.system],
  ['progress', TYPE.progress],
  ['summary', TYPE.summary],
  ['attachment', TYPE.attachment],
  ['queue-operation', TYPE.queue],
  ['file-history-snapshot', TYPE.snapshot],
  ['custom-title', TYPE.title],
  ['ai-title', TYPE.title],
  ...[
    'agent-color',
    'agent-name',
    'agent-setting',
    'api-request',
    'api-request-blob',
    'attribution-snapshot',
    'bridge-session',
    'content-replacement',
    'file-history-delta',
    'last-prompt',
    'mode',
    'permission-mode',
    'pr-link',
    'speculation-accept',
    'tag',
    'task-summary',
    'worktree-state',
  ].map((name): [string, RecordType] => [name, TYPE.known]),
]);

/** What is kept of a record in one number of bits. */
export const FLAG = {
  sidechain: 1,
  meta: 2,
  compactSummary: 4,
  synthetic: 8,
  usage: 16,
  /** A user record with something beside tool results. */
  prompt: 32,
  /** A user record with tool results. */
  results: 64,
  compaction: 128,
  microcompaction: 256,
  parentNull: 512,
  parentGiven: 1024,
  /** Its place in the tree or its message cannot be trusted: it stays where it is in the file and starts no branch. */
  loose: 2048,
  apiError: 4096,
  toolCalls: 8192,
} as const;

/** What a call's id was seen as. */
export const CALL = { call: 1, result: 2, failed: 4 } as const;

/** The ids of one file, each kind numbered by itself. */
export interface Ids {
  readonly records: IdTable;
  readonly messages: IdTable;
  readonly calls: IdTable;
  readonly agents: IdTable;
}

export function createIds(): Ids {
  return { records: new IdTable(), messages: new IdTable(), calls: new IdTable(), agents: new IdTable() };
}

/** What the index wants to know of one record; filled by the byte scanner or, where that is unsure, from the parsed value. */
export class Draft {
  type: RecordType = TYPE.unknown;
  /** False where the record has no `type` that is a string. */
  typed = false;
  flags = 0;
  /** Numbers of ids; -1 where there is none. */
  uuid = -1;
  parent = -1;
  logicalParent = -1;
  message = -1;
  agent = -1;
  /** Input, cache creation, cache read, output. */
  usage = new Float64Array(4);
  /** Thinking blocks with a signature. */
  signed = 0;
  calls = 0;
  callIds = new Int32Array(16);
  callKinds = new Uint8Array(16);
  /** What is wrong with the shape, or null. */
  wrong: string | null = null;
  version: string | null = null;
  cwd: string | null = null;
  gitBranch: string | null = null;
  sessionId: string | null = null;
  model: string | null = null;
  /** How the message looks: absent, an object, or anything else. */
  messageShape: 'absent' | 'object' | 'other' = 'absent';
  contentShape: 'absent' | 'text' | 'blocks' | 'other' = 'absent';
  blocks = 0;
  otherBlocks = 0;
  resultBlocks = 0;
  brokenBlocks = 0;
  brokenResults = 0;
  uuidWrong = false;
  parentWrong = false;
  subtypeCode = 0;

  clear(): void {
    this.type = TYPE.unknown;
    this.typed = false;
    this.flags = 0;
    this.uuid = -1;
    this.parent = -1;
    this.logicalParent = -1;
    this.message = -1;
    this.agent = -1;
    this.usage.fill(0);
    this.signed = 0;
    this.calls = 0;
    this.wrong = null;
    this.version = null;
    this.cwd = null;
    this.gitBranch = null;
    this.sessionId = null;
    this.model = null;
    this.messageShape = 'absent';
    this.contentShape = 'absent';
    this.blocks = 0;
    this.otherBlocks = 0;
    this.resultBlocks = 0;
    this.brokenBlocks = 0;
    this.brokenResults = 0;
    this.uuidWrong = false;
    this.parentWrong = false;
    this.subtypeCode = 0;
  }

  /** A draft of its own with the same content. */
  copy(): Draft {
    const copy = Object.assign(new Draft(), this, {
      usage: Float64Array.from(this.usage),
      callIds: Int32Array.from(this.callIds),
      callKinds: Uint8Array.from(this.callKinds),
    });
    return copy;
  }

  addCall(id: number, kind: number): void {
    if (this.calls === this.callIds.length) {
      const ids = new Int32Array(this.calls * 2);
      ids.set(this.callIds);
      this.callIds = ids;
      const kinds = new Uint8Array(this.calls * 2);
      kinds.set(this.callKinds);
      this.callKinds = kinds;
    }
    this.callIds[this.calls] = id;
    this.callKinds[this.calls++] = kind;
  }

  /** Takes note of one content block. A call or a result without an id is a broken block. */
  addBlock(
    type: 'thinking' | 'tool_use' | 'tool_result' | 'other',
    id: number,
    signed: boolean,
    failed: boolean,
  ): void {
    this.blocks++;
    if (type === 'tool_result') {
      this.resultBlocks++;
      if (id < 0) this.brokenResults++;
      else this.addCall(id, failed ? CALL.result | CALL.failed : CALL.result);
      return;
    }
    this.otherBlocks++;
    if (type === 'thinking' && signed) this.signed++;
    if (type === 'tool_use') {
      if (id < 0) this.brokenResults++;
      else this.addCall(id, CALL.call);
    }
  }

  /** Draws the conclusions once all members are known, whatever their order in the record was. */
  finish(): void {
    if (this.type === TYPE.system) {
      if (this.subtypeCode === 1) this.flags |= FLAG.compaction;
      if (this.subtypeCode === 2) this.flags |= FLAG.microcompaction;
    }
    const wrong: string[] = [];
    const isMessage = this.type === TYPE.user || this.type === TYPE.assistant;
    if (!this.typed) wrong.push('it has no type');
    if (this.uuidWrong || (isMessage && this.uuid < 0)) wrong.push('its uuid is missing or no text');
    if (this.parentWrong) wrong.push('its parentUuid is no text');
    if (isMessage) {
      if (this.messageShape !== 'object') wrong.push('it has no message');
      else if (this.contentShape === 'absent' || this.contentShape === 'other')
        wrong.push('its message has no content');
      if (this.brokenBlocks > 0) wrong.push('a content block is no object');
      if (this.brokenResults > 0) wrong.push('a tool call or result has no id');
    }
    if (wrong.length > 0) this.flags |= FLAG.loose;
    if (this.type === TYPE.assistant && this.contentShape === 'text')
      wrong.push('its content is a text instead of blocks');
    if (wrong.length > 0) this.wrong = wrong.join(', ');
    if (this.uuid < 0 && !isMessage) this.flags |= FLAG.loose;
    if (this.type === TYPE.user) {
      if (this.resultBlocks > 0) this.flags |= FLAG.results;
      if (this.resultBlocks === 0 || this.otherBlocks > 0) this.flags |= FLAG.prompt;
    } else {
      this.flags &= ~FLAG.compactSummary;
    }
    if (this.type === TYPE.assistant) {
      for (let i = 0; i < this.calls; i++) if (this.callKinds[i] === CALL.call) this.flags |= FLAG.toolCalls;
    } else {
      this.message = -1;
      this.flags &= ~(FLAG.usage | FLAG.synthetic);
      this.model = null;
    }
    if (!isMessage) {
      this.calls = 0;
      this.signed = 0;
    }
  }
}
