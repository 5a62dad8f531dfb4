/** One measurement: a ratio of two times (or sizes) taken in one run, so that it holds on any machine. */
export interface Bench {
  /** What is measured over what, in words. */
  readonly name: string;
  /** The highest ratio that is accepted. */
  readonly limit: number;
  /** Measures both sides interleaved and gives the ratio. */
  run(): Promise<number>;
}

/** The middle value (the mean of the two middle ones for an even count). */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Milliseconds that `work` takes. */
export async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Runs both in turn, `rounds` times, and gives the ratio of their median times. One round before is not counted. */
export async function ratioOf(work: () => unknown, reference: () => unknown, rounds = 5): Promise<number> {
  const times: number[] = [];
  const references: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const referenceMs = await timeOf(reference);
    const workMs = await timeOf(work);
    if (round > 0) {
      times.push(workMs);
      references.push(referenceMs);
    }
  }
  return median(times) / median(references);
}
