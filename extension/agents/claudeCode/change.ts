/** What changed in a session file that is open. */
export type SessionChange =
  /** The first reading went on. */
  | { readonly kind: 'progress' }
  /** Messages and entries from these numbers on are new or changed; all before are as they were. 0: another lane. */
  | { readonly kind: 'lane'; readonly lane: string; readonly from_message: number; readonly from_entry: number }
  /** Lanes came or went. */
  | { readonly kind: 'lanes' }
  /** The files that the agent used. */
  | { readonly kind: 'files' }
  | { readonly kind: 'issues' }
  /** `problem` was set or taken back. */
  | { readonly kind: 'problem' };

/** How a session file is opened. */
export interface OpenOptions {
  /** Go on reading as the file grows; default true. */
  readonly follow?: boolean;
  /** Entries of the first page; default 50. */
  readonly page?: number;
}
