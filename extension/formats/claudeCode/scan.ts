import { JsonScanner } from '../jsonScanner';
import type { Draft, Ids } from './draft';
import { FLAG, TYPE, type RecordType } from './draft';
import { Repeated } from './repeated';
import { Places, TARGET } from './shapes';
import { KEY, TYPES_BY_LENGTH, WORD } from './words';

const QUOTE = 0x22;
const TRUE = 0x74;
const NULL = 0x6e;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

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
export class RecordScanner extends JsonScanner {
  unsure = false;
  /** The variable places of the record that was walked last. */
  readonly places = new Places();
  private readonly version: Repeated;
  private readonly cwd: Repeated;
  private readonly gitBranch: Repeated;
  private readonly sessionId: Repeated;
  private readonly model: Repeated;

  constructor(
    private readonly ids: Ids,
    public draft: Draft,
    decode: (bytes: Uint8Array) => string,
  ) {
    super();
    this.version = new Repeated(decode);
    this.cwd = new Repeated(decode);
    this.gitBranch = new Repeated(decode);
    this.sessionId = new Repeated(decode);
    this.model = new Repeated(decode);
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

  protected override passed(start: number, end: number, isNumber: boolean): void {
    this.places.add(start, end, isNumber, TARGET.none);
  }

  private escapedKey(): number {
    this.unsure = true;
    return 0;
  }

  /** True when the key whose first byte is at `start` is just this word. */
  private is(start: number, word: Uint8Array): boolean {
    const { bytes } = this;
    const length = word.length;
    if (bytes[start + length] !== QUOTE) return false;
    for (let i = 0; i < length; i++) if (bytes[start + i] !== word[i]) return false;
    return true;
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

  private scanMessage(start: number): number {
    const { draft, bytes } = this;
    let seen = 0;
    let at = this.skipBlanks(start + 1);
    if (bytes[at] === 0x7d) return at + 1;
    while (at >= 0) {
      const key = at + 1;
      at = this.skipKey(at);
      if (at < 0) return -1;
      let bit = 0;
      if (this.escaped) this.unsure = true;
      else if (this.is(key, KEY.content)) bit = 1;
      else if (this.is(key, KEY.id)) bit = 2;
      else if (this.is(key, KEY.usage)) bit = 4;
      else if (this.is(key, KEY.model)) bit = 8;
      if (seen & bit) this.unsure = true;
      seen |= bit;
      const first = bytes[at];
      if (bit === 1) {
        if (first === OPEN_BRACKET) {
          draft.contentShape = 'blocks';
          at = this.scanContent(at);
        } else {
          draft.contentShape = first === QUOTE ? 'text' : 'other';
          at = this.skipValue(at);
        }
      } else if (bit === 4 && first === OPEN_BRACE) {
        at = this.scanUsage(at);
      } else if ((bit === 2 || bit === 8) && first === QUOTE) {
        const after = this.skipString(at + 1);
        if (after < 0) return -1;
        if (this.escaped) this.unsure = true;
        else if (bit === 2) {
          draft.message = this.ids.messages.intern(this.view, at + 1, after - 1);
          this.places.add(at + 1, after - 1, false, TARGET.message);
        } else {
          draft.model = this.model.read(bytes, at + 1, after - 1);
          if (draft.model === '<synthetic>') draft.flags |= FLAG.synthetic;
        }
        at = after;
      } else at = this.skipValue(at);
      if (at < 0) return -1;
      at = this.nextMember(at);
    }
    return at === -2 ? this.errorAt : -1;
  }

  private scanUsage(start: number): number {
    const { draft, bytes } = this;
    draft.flags |= FLAG.usage;
    let seen = 0;
    let at = this.skipBlanks(start + 1);
    if (bytes[at] === 0x7d) return at + 1;
    while (at >= 0) {
      const key = at + 1;
      at = this.skipKey(at);
      if (at < 0) return -1;
      let slot = -1;
      if (this.escaped) this.unsure = true;
      else if (this.is(key, KEY.input_tokens)) slot = 0;
      else if (this.is(key, KEY.cache_creation_input_tokens)) slot = 1;
      else if (this.is(key, KEY.cache_read_input_tokens)) slot = 2;
      else if (this.is(key, KEY.output_tokens)) slot = 3;
      const value = at;
      at = this.skipValue(at);
      if (at < 0) return -1;
      if (slot >= 0) {
        if (bytes[value] !== NULL) this.places.target[this.places.size - 1] = TARGET.usage + slot;
        if (seen & (1 << slot)) this.unsure = true;
        seen |= 1 << slot;
        let number = 0;
        for (let i = value; i < at; i++) {
          const digit = bytes[i]! - 0x30;
          if (digit < 0 || digit > 9) {
            if (bytes[value] !== NULL) this.unsure = true;
            number = 0;
            break;
          }
          number = number * 10 + digit;
        }
        draft.usage[slot] = number;
      }
      at = this.nextMember(at);
    }
    return at === -2 ? this.errorAt : -1;
  }

  private scanContent(start: number): number {
    const { draft, bytes } = this;
    let at = this.skipBlanks(start + 1);
    if (bytes[at] === 0x5d) return at + 1;
    while (at >= 0) {
      if (bytes[at] === OPEN_BRACE) at = this.scanBlock(at);
      else {
        draft.brokenBlocks++;
        at = this.skipValue(at);
      }
      if (at < 0) return -1;
      at = this.nextItem(at);
    }
    return at === -2 ? this.errorAt : -1;
  }

  private scanBlock(start: number): number {
    const { draft, bytes } = this;
    let type: 'thinking' | 'tool_use' | 'tool_result' | 'other' = 'other';
    let id = -1;
    let resultOf = -1;
    let signed = false;
    let failed = false;
    let seen = 0;
    let idPlace = -1;
    let resultPlace = -1;
    const { places } = this;
    let at = this.skipBlanks(start + 1);
    if (bytes[at] === 0x7d) {
      draft.addBlock('other', -1, false, false);
      return at + 1;
    }
    while (at >= 0) {
      const key = at + 1;
      at = this.skipKey(at);
      if (at < 0) return -1;
      let bit = 0;
      if (this.escaped) this.unsure = true;
      else if (this.is(key, KEY.type)) bit = 1;
      else if (this.is(key, KEY.id)) bit = 2;
      else if (this.is(key, KEY.tool_use_id)) bit = 4;
      else if (this.is(key, KEY.is_error)) bit = 8;
      else if (this.is(key, KEY.signature)) bit = 16;
      if (seen & bit) this.unsure = true;
      seen |= bit;
      const value = at;
      const isText = bytes[value] === QUOTE;
      if (bit === 1 && isText) {
        at = this.skipString(value + 1);
        if (at < 0) return -1;
        if (this.escaped) this.unsure = true;
        type = this.blockType(value + 1);
      } else {
        at = this.skipValue(at);
        if (at < 0) return -1;
        if (bit === 8) failed = bytes[value] === TRUE;
        else if (bit === 16) {
          signed = isText && at - value > 2;
          if (signed) places.target[places.size - 1] = TARGET.signature;
          else if (isText) places.overflow = true;
        } else if (bit !== 0 && isText) {
          if (this.escaped) this.unsure = true;
          else if (bit === 2) {
            id = this.internCall(value, at);
            idPlace = places.size - 1;
          } else {
            resultOf = this.internCall(value, at);
            resultPlace = places.size - 1;
          }
        }
      }
      at = this.nextMember(at);
    }
    if (at !== -2) return -1;
    draft.addBlock(type, type === 'tool_result' ? resultOf : id, signed, failed);
    const place = type === 'tool_result' ? resultPlace : type === 'tool_use' ? idPlace : -1;
    if (place >= 0) places.target[place] = TARGET.call;
    return this.errorAt;
  }

  private internCall(value: number, after: number): number {
    return after - value > 2 ? this.ids.calls.intern(this.view, value + 1, after - 1) : -1;
  }

  private blockType(start: number): 'thinking' | 'tool_use' | 'tool_result' | 'other' {
    if (this.is(start, WORD.tool_use)) return 'tool_use';
    if (this.is(start, WORD.tool_result)) return 'tool_result';
    return this.is(start, WORD.thinking) ? 'thinking' : 'other';
  }
}
