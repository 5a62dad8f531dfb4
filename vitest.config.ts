import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts', 'test/structure.test.ts'] } },
      { test: { name: 'vectors', include: ['test/vectors/**/*.test.ts'] } },
      {
        test: { name: 'webview', include: ['test/webview/**/*.test.tsx'], environment: 'jsdom' },
      },
    ],
    testTimeout: 60_000,
  },
});
