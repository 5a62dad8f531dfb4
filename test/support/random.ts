/** How often a random test runs: as often as it says, or TEST_LONG times as often (`npm run test:long`). */
export function runs(count: number): number {
  return count * Number(process.env['TEST_LONG'] ?? 1);
}

/** The seed of a random test: its own, always the same one; in a long run a new one, from TEST_SEED. */
export function seedOf(own: number): number {
  return Number(process.env['TEST_SEED'] ?? own);
}
