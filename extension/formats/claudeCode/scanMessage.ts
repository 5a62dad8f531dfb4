import { JsonScanner } from '../jsonScanner';
import type { Draft, Ids } from './draft';
import { FLAG } from './draft';
import { Repeated } from './repeated';
import { Places, TARGET } from './shapes';
import { KEY, WORD } from './words';

const QUOTE = 0x22;
const TRUE = 0x74;
const NULL = 0x6e;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/** The part of the record scanner that walks over a message: its id, model, usage and content blocks. */
export class MessageScanner extends JsonScanner {
  /** The record is to be parsed: a member that matters has escapes, or comes twice. */
  unsure = false;
  /** The variable places of the record that was walked last. */
  readonly places = new Places();
  private readonly model: Repeated;

  constructor(
    protected readonly ids: Ids,
    protected readonly draft: Draft,
    decode: (bytes: Uint8Array) => string,
  ) {
    super();
    this.model = new Repeated(decode);
  }

  protected override passed(start: number, end: number, isNumber: boolean): void {
    this.places.add(start, end, isNumber, TARGET.none);
  }

  /** True when the key whose first byte is at `start` is just this word. */
  protected is(start: number, word: Uint8Array): boolean {
    const { bytes } = this;
    const length = word.length;
    if (bytes[start + length] !== QUOTE) return false;
    for (let i = 0; i < length; i++) if (bytes[start + i] !== word[i]) return false;
    return true;
  }

  protected scanMessage(start: number): number {
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
