import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: [['default', { summary: false }], './test/support/totals.ts'],
    testTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts', 'test/*.test.ts'] } },
      { extends: true, test: { name: 'vectors', include: ['test/vectors/**/*.test.ts'] } },
      { extends: true, test: { name: 'webview', include: ['test/webview/**/*.test.{ts,tsx}'], environment: 'jsdom' } },
      { extends: true, test: { name: 'package', include: ['test/package/**/*.test.ts'], hookTimeout: 120_000 } },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['test/server/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.e2e.ts'],
          globalSetup: 'test/e2e/support/setup.ts',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
