import type { CreateHash } from '../../transcript/hash';
import type { Message } from '../../transcript/message';
import { PrefixHash } from '../../transcript/prefix';

/** What is hashed: the projected messages in order, found by the index of their raw message. */
export interface HashedView {
  /** How many raw messages there are. */
  readonly length: number;
  readonly synthetic: Message | null;
  /** The first raw index from `index` on whose message is shown; `length` or more when there is none. */
  nextShown(index: number): number;
  /** What is shown of a raw message. */
  shown(index: number): Message;
}

/** The hash of everything shown before a raw index. */
interface Checkpoint {
  readonly index: number;
  readonly hash: PrefixHash;
}

/** Nothing smaller than this is worth a checkpoint of its own. */
const SMALLEST_GAP = 2;

/**
 * The hash of a growing array. It keeps a few checkpoints, dense at the end and sparse at the beginning, so that a
 * change costs about as much as hashing what comes after it, which is the least it can cost.
 */
export class HashTrail {
  private checkpoints: Checkpoint[] = [];

  constructor(private readonly createHash: CreateHash) {}

  /**
   * The hash of the view, of which everything before the raw index `changed` is as it was; below 0: nothing is.
   */
  digest(view: HashedView, changed: number): string {
    while ((this.checkpoints.at(-1)?.index ?? -1) > changed) {
      this.checkpoints.pop();
    }
    const start = this.checkpoints.at(-1);
    const hash = start === undefined ? PrefixHash.start(this.createHash) : start.hash.copy();
    if (start === undefined && view.synthetic !== null) {
      hash.add(view.synthetic);
    }
    const { length } = view;
    let last = start?.index ?? 0;
    for (let index = view.nextShown(last); index < length; index = view.nextShown(index + 1)) {
      if (length - last > SMALLEST_GAP && length - index <= (length - last) / 2) {
        this.checkpoints.push({ index, hash: hash.copy() });
        last = index;
      }
      hash.add(view.shown(index));
    }
    if (start === undefined || start.index < length) {
      this.checkpoints.push({ index: length, hash });
    }
    this.thinOut(length);
    return hash.digest();
  }

  /** Drops checkpoints that are close to their neighbours for their distance from the end. */
  private thinOut(length: number): void {
    const kept: Checkpoint[] = [];
    this.checkpoints.forEach((checkpoint, at) => {
      const older = kept.at(-1);
      const newer = this.checkpoints[at + 1];
      const crowded =
        older !== undefined && newer !== undefined && length - older.index <= 2 * (length - newer.index) + SMALLEST_GAP;
      if (!crowded) {
        kept.push(checkpoint);
      }
    });
    this.checkpoints = kept;
  }
}
