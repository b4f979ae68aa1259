import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

/**
 * Workspace packages are read from their sources, so that no test runs against a stale build. Others are found
 * as Node finds them: it has no condition `module`, behind which some packages keep files for bundlers alone.
 */
const conditions = [
  '@gatehouse/source',
  ...defaultServerConditions.filter((condition) => condition !== 'module'),
];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    // Far more than anything takes: they end what hangs, on a machine that does much else too.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000, interval: 10 } },
    pool: 'forks',
    maxWorkers: 2,
    // A test file loads the server in a fraction of a second after the first of its process, and leaves no global changed.
    isolate: false,
  },
});
