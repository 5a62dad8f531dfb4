import { fitted } from './fitted';
import type { RecordTable } from './recordTable';
import type { Tree } from './tree';
import { isAlternative } from './tree';

/** Which records a lane holds. */
export interface Members {
  /** By record of those there are; 1 for yes. */
  inside(): Uint8Array;
  /** Whether it holds a record that came after them; asked once for each of those, in order of the file. */
  takes(record: number): boolean;
}

/** The records on the way through the session that ends with this branch. */
export function membersOfBranch(records: RecordTable, tree: Tree, branch: number): Members {
  return branch === 0 ? membersAt(tree, 0) : new OtherBranch(records, tree, branch);
}

/** The records of a sidechain. */
export function membersOfSidechain(tree: Tree, sidechain: number): Members {
  return membersAt(tree, -2 - sidechain);
}

function membersAt(tree: Tree, place: number): Members {
  return {
    inside: () => Uint8Array.from(tree.branchOf.subarray(0, tree.size), (at) => (at === place ? 1 : 0)),
    takes: (record) => tree.branchOf[record] === place,
  };
}

/** A branch that is not the active one holds what it shares with others as well. */
class OtherBranch implements Members {
  private is: Uint8Array;
  /** By message id: 1 where one of its records is inside. */
  private seen = new Uint8Array(0);

  constructor(
    private readonly records: RecordTable,
    private readonly tree: Tree,
    branch: number,
  ) {
    const { parent, branches, size } = tree;
    this.is = new Uint8Array(size);
    for (let i = branches[branch]!.leaf; i >= 0 && this.is[i] === 0; i = parent[i]!) this.is[i] = 1;
    for (let i = 0; i < size; i++) this.takes(tree.at(i));
  }

  inside(): Uint8Array {
    return this.is.subarray(0, this.tree.size);
  }

  takes(record: number): boolean {
    const { records, tree } = this;
    this.is = fitted(this.is, record + 1);
    if (tree.branchOf[record]! < 0) return false;
    const message = records.message[record]!;
    if (this.is[record] === 0) {
      const above = tree.parent[record]!;
      const joins = !isAlternative(records, record) || (message >= 0 && this.seen[message] === 1);
      if (joins && (above < 0 || this.is[above] === 1)) this.is[record] = 1;
    }
    if (this.is[record] === 1 && message >= 0) {
      this.seen = fitted(this.seen, message + 1);
      this.seen[message] = 1;
    }
    return this.is[record] === 1;
  }
}
