import type { Draft, RecordType } from './draft';

/** Records of a file in order, each once, as columns of numbers (about 50 bytes a record). */
export class RecordTable {
  size = 0;
  /** Byte offset of the record in the file. */
  start = new Float64Array(1024);
  /** Bytes, without the line end. */
  length = new Uint32Array(1024);
  /** Line of the file, from 1. */
  line = new Uint32Array(1024);
  type = new Uint8Array(1024);
  flags = new Uint32Array(1024);
  /** Numbers of ids; -1 for none. */
  uuid = new Int32Array(1024);
  parent = new Int32Array(1024);
  message = new Int32Array(1024);
  agent = new Int32Array(1024);
  /** Tokens of the request as reported, cached input and output included; 0 where none are. */
  usage = new Uint32Array(1024);
  /** First of its calls in the call table; they end where those of the next record begin. */
  firstCall = new Uint32Array(1024);
  /** Record by number of its uuid; -1 while none was seen. */
  private recordOfId = new Int32Array(2048).fill(-1);
  /** Logical parents of compaction boundaries: number of an id by record. */
  readonly logicalParent = new Map<number, number>();

  callSize = 0;
  callId = new Int32Array(1024);
  callKind = new Uint8Array(1024);

  /** Record with this uuid, or -1. */
  find(id: number): number {
    return id >= 0 && id < this.recordOfId.length ? this.recordOfId[id]! : -1;
  }

  typeOf(record: number): RecordType {
    return this.type[record] as RecordType;
  }

  has(record: number, flag: number): boolean {
    return (this.flags[record]! & flag) !== 0;
  }

  /** End of a record's calls in the call table. */
  endOfCalls(record: number): number {
    return record + 1 < this.size ? this.firstCall[record + 1]! : this.callSize;
  }

  push(draft: Draft, start: number, length: number, line: number): number {
    if (this.size === this.start.length) this.grow();
    const record = this.size++;
    this.start[record] = start;
    this.length[record] = length;
    this.line[record] = line;
    this.type[record] = draft.type;
    this.flags[record] = draft.flags;
    this.uuid[record] = draft.uuid;
    this.parent[record] = draft.parent;
    this.message[record] = draft.message;
    this.agent[record] = draft.agent;
    const [input = 0, creation = 0, read = 0, output = 0] = draft.usage;
    this.usage[record] = input + creation + read + output;
    this.firstCall[record] = this.callSize;
    if (draft.logicalParent >= 0) this.logicalParent.set(record, draft.logicalParent);
    if (draft.uuid >= 0) {
      if (draft.uuid >= this.recordOfId.length) {
        const grown = new Int32Array(Math.max(this.recordOfId.length * 2, draft.uuid + 1)).fill(-1);
        grown.set(this.recordOfId);
        this.recordOfId = grown;
      }
      this.recordOfId[draft.uuid] = record;
    }
    for (let i = 0; i < draft.calls; i++) {
      if (this.callSize === this.callId.length) {
        this.callId = enlarged(this.callId, new Int32Array(this.callSize * 2));
        this.callKind = enlarged(this.callKind, new Uint8Array(this.callSize * 2));
      }
      this.callId[this.callSize] = draft.callIds[i]!;
      this.callKind[this.callSize++] = draft.callKinds[i]!;
    }
    return record;
  }

  private grow(): void {
    const size = this.size * 2;
    this.start = enlarged(this.start, new Float64Array(size));
    this.length = enlarged(this.length, new Uint32Array(size));
    this.line = enlarged(this.line, new Uint32Array(size));
    this.type = enlarged(this.type, new Uint8Array(size));
    this.flags = enlarged(this.flags, new Uint32Array(size));
    this.uuid = enlarged(this.uuid, new Int32Array(size));
    this.parent = enlarged(this.parent, new Int32Array(size));
    this.message = enlarged(this.message, new Int32Array(size));
    this.agent = enlarged(this.agent, new Int32Array(size));
    this.usage = enlarged(this.usage, new Uint32Array(size));
    this.firstCall = enlarged(this.firstCall, new Uint32Array(size));
  }
}

function enlarged<T extends { set(from: ArrayLike<number>): void }>(old: ArrayLike<number>, grown: T): T {
  grown.set(old);
  return grown;
}
