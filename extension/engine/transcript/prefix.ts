import { canonicalDraft, canonicalText, mayHoldLone } from './canonical';
import type { CreateHash, Hash } from './hash';
import type { Json, Message } from './message';

/** Text is handed to the hash in pieces of about this many characters: many small updates are slow. */
const PIECE = 1 << 16;

/**
 * The hash over the canonical form of a message array, fed message by message. A copy keeps the hash of the prefix so
 * far, so every prefix of an array can have its hash.
 */
export class PrefixHash {
  private pending = '';
  /** The messages in `pending`, in case it must be written again. */
  private messages: Message[] = [];

  private constructor(
    private readonly hash: Hash,
    private empty: boolean,
  ) {}

  /** The hash of the empty array. */
  static start(createHash: CreateHash): PrefixHash {
    return new PrefixHash(createHash(), true);
  }

  /** Adds one message. */
  add(message: Message): void {
    this.pending += (this.messages.length > 0 ? ',' : '') + canonicalDraft(message);
    this.messages.push(message);
    if (this.pending.length > PIECE) {
      this.flush();
    }
  }

  /** A second hash in the same state. */
  copy(): PrefixHash {
    this.flush();
    return new PrefixHash(this.hash.copy(), this.empty);
  }

  /** `sha256:` and the digest in hex of the array so far, which may still grow. */
  digest(): string {
    const { hash, empty } = this.copy();
    hash.update(empty ? '[]' : ']');
    return `sha256:${hash.digest()}`;
  }

  private flush(): void {
    if (this.messages.length > 0) {
      const text = mayHoldLone(this.pending) ? this.messages.map(canonicalText).join(',') : this.pending;
      this.hash.update((this.empty ? '[' : ',') + text);
      this.empty = false;
      this.pending = '';
      this.messages = [];
    }
  }
}

/** `sha256:` and hex over the canonical form of the array. A lone surrogate is hashed as U+FFFD. */
export function prefixHash(messages: readonly Message[], createHash: CreateHash): string {
  const hash = PrefixHash.start(createHash);
  for (const message of messages) {
    hash.add(message);
  }
  return hash.digest();
}

/** `sha256:` and hex over a text as it is, or over the canonical form of anything else. */
export function contentHash(content: Json, createHash: CreateHash): string {
  const hash = createHash();
  hash.update(typeof content === 'string' ? content : canonicalText(content));
  return `sha256:${hash.digest()}`;
}
