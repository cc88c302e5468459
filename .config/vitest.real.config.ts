// Tests of the whole command with real proxies, disks and users: `npm run real`. They need Debian packages and root,
// and take real time, so `.ci/run` runs them and `npm test` does not.
import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    name: 'real',
    include: ['test/real/**/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/support/build.ts'],
    pool: 'forks',
    // The tests mostly wait. Each file has a process, and its tests may run in parallel.
    maxWorkers: 8,
    testTimeout: 600_000,
    hookTimeout: 60_000,
    teardownTimeout: 5_000,
    passWithNoTests: false,
  },
});
