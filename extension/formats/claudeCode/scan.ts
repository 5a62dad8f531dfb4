import type { Draft, Ids } from './draft';
import { FLAG, TYPE, type RecordType } from './draft';
import { Repeated } from './repeated';
import { MessageScanner } from './scanMessage';
import { TARGET } from './shapes';
import { KEY, TYPES_BY_LENGTH, WORD } from './words';

const QUOTE = 0x22;
const TRUE = 0x74;
const NULL = 0x6e;
const OPEN_BRACE = 0x7b;

/** Members of a record whose texts are ids. */
const TARGET_OF_BIT = new Map<number, number>([
  [4, TARGET.uuid],
  [8, TARGET.parent],
  [128, TARGET.agent],
  [32768, TARGET.logicalParent],
]);

/**
 * Reads from the bytes of one record what the index wants, without parsing it: a walk that knows at every byte where
 * it is, so that look-alikes inside texts and nested values do not count. `unsure` is set where the value of a
 * member that matters has escapes, or a member comes twice; then the record is to be parsed.
 */
export class RecordScanner extends MessageScanner {
  private readonly version: Repeated;
  private readonly cwd: Repeated;
  private readonly gitBranch: Repeated;
  private readonly sessionId: Repeated;

  constructor(ids: Ids, draft: Draft, decode: (bytes: Uint8Array) => string) {
    super(ids, draft, decode);
    this.version = new Repeated(decode);
    this.cwd = new Repeated(decode);
    this.gitBranch = new Repeated(decode);
    this.sessionId = new Repeated(decode);
  }

  /** From the opening brace of a record to after its closing one, or -1. The draft is filled, not finished. */
  scanRecord(start: number): number {
    const { draft } = this;
    draft.clear();
    this.unsure = false;
    this.places.clear();
    let seen = 0;
    let at = this.skipBlanks(start + 1);
    if (this.bytes[at] === 0x7d) return at + 1;
    while (at >= 0) {
      const key = at + 1;
      at = this.skipKey(at);
      if (at < 0) return -1;
      const bit = this.escaped ? this.escapedKey() : this.recordKey(key);
      if (bit !== 0) {
        if (seen & bit) this.unsure = true;
        seen |= bit;
      }
      at = bit > 1 ? this.recordMember(bit, at) : this.skipValue(at);
      if (at < 0) return -1;
      at = this.nextMember(at);
    }
    return at === -2 ? this.errorAt : -1;
  }

  private escapedKey(): number {
    this.unsure = true;
    return 0;
  }

  private recordKey(key: number): number {
    switch (this.bytes[key]) {
      case 0x74:
        return this.is(key, KEY.type) ? 2 : 0;
      case 0x75:
        return this.is(key, KEY.uuid) ? 4 : 0;
      case 0x70:
        return this.is(key, KEY.parentUuid) ? 8 : 0;
      case 0x69:
        if (this.is(key, KEY.isSidechain)) return 16;
        if (this.is(key, KEY.isMeta)) return 32;
        if (this.is(key, KEY.isCompactSummary)) return 64;
        return this.is(key, KEY.isApiErrorMessage) ? 16384 : 0;
      case 0x61:
        return this.is(key, KEY.agentId) ? 128 : 0;
      case 0x6d:
        return this.is(key, KEY.message) ? 256 : 0;
      case 0x73:
        if (this.is(key, KEY.sessionId)) return 1024;
        return this.is(key, KEY.subtype) ? 512 : 0;
      case 0x76:
        return this.is(key, KEY.version) ? 2048 : 0;
      case 0x63:
        return this.is(key, KEY.cwd) ? 4096 : 0;
      case 0x67:
        return this.is(key, KEY.gitBranch) ? 8192 : 0;
      case 0x6c:
        return this.is(key, KEY.logicalParentUuid) ? 32768 : 0;
      default:
        return 0;
    }
  }

  private recordMember(bit: number, at: number): number {
    const { bytes, draft } = this;
    const first = bytes[at]!;
    if (bit === 256) {
      if (first === OPEN_BRACE) {
        draft.messageShape = 'object';
        return this.scanMessage(at);
      }
      draft.messageShape = 'other';
      return this.skipValue(at);
    }
    if (first !== QUOTE) {
      if (bit === 2) draft.typed = false;
      else if (bit === 4) draft.uuidWrong = true;
      else if (bit === 8) {
        if (first === NULL) draft.flags |= FLAG.parentNull;
        else draft.parentWrong = true;
      } else if (first === TRUE) {
        if (bit === 16) draft.flags |= FLAG.sidechain;
        else if (bit === 32) draft.flags |= FLAG.meta;
        else if (bit === 64) draft.flags |= FLAG.compactSummary;
        else if (bit === 16384) draft.flags |= FLAG.apiError;
      }
      return this.skipValue(at);
    }
    const start = at + 1;
    const after = this.skipString(start);
    if (after < 0) return -1;
    if (this.escaped) {
      this.unsure = true;
      return after;
    }
    const end = after - 1;
    const target = TARGET_OF_BIT.get(bit);
    if (target !== undefined) this.places.add(start, end, false, target);
    switch (bit) {
      case 2:
        draft.typed = true;
        draft.type = this.typeOf(start, end);
        break;
      case 4:
        if (start === end) draft.uuidWrong = true;
        else draft.uuid = this.ids.records.intern(this.view, start, end);
        break;
      case 8:
        if (start === end) {
          draft.parentWrong = true;
          break;
        }
        draft.flags |= FLAG.parentGiven;
        draft.parent = this.ids.records.intern(this.view, start, end);
        break;
      case 128:
        draft.agent = this.ids.agents.intern(this.view, start, end);
        break;
      case 512:
        draft.subtypeCode = this.is(start, WORD.compact_boundary)
          ? 1
          : this.is(start, WORD.microcompact_boundary)
            ? 2
            : 0;
        break;
      case 1024:
        draft.sessionId = this.sessionId.read(bytes, start, end);
        break;
      case 2048:
        draft.version = this.version.read(bytes, start, end);
        break;
      case 4096:
        draft.cwd = this.cwd.read(bytes, start, end);
        break;
      case 8192:
        draft.gitBranch = this.gitBranch.read(bytes, start, end);
        break;
      case 32768:
        draft.logicalParent = this.ids.records.intern(this.view, start, end);
        break;
      default:
        break;
    }
    return after;
  }

  private typeOf(start: number, end: number): RecordType {
    for (const { word, type } of TYPES_BY_LENGTH[end - start] ?? []) if (this.is(start, word)) return type;
    return TYPE.unknown;
  }
}
