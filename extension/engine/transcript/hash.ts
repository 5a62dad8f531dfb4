/** An incremental SHA-256, handed in by whoever calls the engine (the engine itself has no Node). */
export interface Hash {
  /** Feeds more text, as UTF-8. */
  update(text: string): void;
  /** A second hash in the same state; feeding one leaves the other as it was. */
  copy(): Hash;
  /** The digest as 64 lower-case hex digits. The hash is used up. */
  digest(): string;
}

/** Starts a new, empty SHA-256. */
export type CreateHash = () => Hash;
