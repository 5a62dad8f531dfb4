import type { Message } from '../engine/transcript/message';
import type { Facts } from './facts';
import type { Issue } from './issue';

/** What the host lends a reader: Node and browsers have it, the language itself has not. */
export interface Lent {
  /** UTF-8 bytes as text; malformed ones become U+FFFD. */
  readonly decode: (bytes: Uint8Array) => string;
  /** A fast check of whether bytes are UTF-8, where the host has one. */
  readonly isUtf8?: (bytes: Uint8Array) => boolean;
}

/** The bytes of the file from `start` to `end`, for a reader that does not keep them. */
export type ReadBytes = (start: number, end: number) => Uint8Array;

/** Reads one session log of one format, from bytes as they come, in pieces cut anywhere. Never fails. */
export interface LogReader {
  /** Takes the next bytes; their memory may be used again. False: the log is to be read anew, with a new reader. */
  push(bytes: Uint8Array): boolean;
  /** Says that the file ends here, for now. */
  settle(): void;
  facts(): Facts;
  /** At most the first 10,000 issues. */
  issues(): readonly Issue[];
  readonly issueCount: number;
  /** The messages that the model sees: those of the active branch since the last compaction. */
  context(read: ReadBytes): Message[];
}
