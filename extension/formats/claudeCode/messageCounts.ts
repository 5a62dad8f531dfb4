import { FLAG, TYPE } from './draft';
import { fitted } from './fitted';
import type { RecordTable } from './recordTable';
import type { Tree } from './tree';

/** Counts the messages that each branch and each sidechain has of its own, record by record. */
export class MessageCounts {
  /** By a branch's number, or -2 minus a sidechain's number. */
  private readonly counts = new Map<number, number>();
  /** By message id: where it was counted last; -1 for nowhere. */
  private placeOf = new Int32Array(0);

  constructor(private readonly records: RecordTable) {}

  /** Takes the next record that the tree has. */
  take(tree: Tree, record: number): void {
    const { records } = this;
    const type = records.type[record];
    if (type !== TYPE.user && type !== TYPE.assistant) return;
    const place = tree.branchOf[record]!;
    const message = records.message[record]!;
    if (message >= 0 && !records.has(record, FLAG.loose)) {
      this.placeOf = fitted(this.placeOf, message + 1, -1);
      if (this.placeOf[message] === place) return;
      this.placeOf[message] = place;
    }
    this.counts.set(place, this.at(place) + 1);
  }

  /** Messages of a branch, or of a sidechain by -2 minus its number. */
  at(place: number): number {
    return this.counts.get(place) ?? 0;
  }
}
