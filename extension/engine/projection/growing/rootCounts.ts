/**
 * Which tokens are roots while messages enter and leave the window: a token of such a message counts unless it is the
 * name of a tool, a supplied one always counts.
 */
export class RootCounts {
  private readonly counts = new Map<string, number>();
  private readonly toolNames = new Set<string>();
  /** Tokens that may have turned, with what they were before. */
  private readonly touched = new Map<string, boolean>();

  constructor(private readonly supplied: ReadonlySet<string>) {}

  isRoot(token: string): boolean {
    return this.supplied.has(token) || (this.counts.has(token) && !this.toolNames.has(token));
  }

  enter(tokens: ReadonlySet<string>): void {
    for (const token of tokens) {
      this.touch(token);
      this.counts.set(token, (this.counts.get(token) ?? 0) + 1);
    }
  }

  leave(tokens: ReadonlySet<string>): void {
    for (const token of tokens) {
      this.touch(token);
      const left = (this.counts.get(token) ?? 0) - 1;
      if (left > 0) {
        this.counts.set(token, left);
      } else {
        this.counts.delete(token);
      }
    }
  }

  addToolName(name: string): void {
    if (!this.toolNames.has(name)) {
      this.touch(name);
      this.toolNames.add(name);
    }
  }

  /** Calls `visit` with every token that became a root, or stopped being one, since the last time. */
  eachTurned(visit: (token: string, isRoot: boolean) => void): void {
    for (const [token, was] of this.touched) {
      const is = this.isRoot(token);
      if (is !== was) {
        visit(token, is);
      }
    }
    this.touched.clear();
  }

  private touch(token: string): void {
    if (!this.touched.has(token)) {
      this.touched.set(token, this.isRoot(token));
    }
  }
}
