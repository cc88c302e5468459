// Tests of the whole command with real proxies, disks and users: `npm run real`. They need packages of Debian and root,
// and take real time, so `npm test` does not run them; `.ci/run` does.
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
    // The tests wait far more than they compute: each file has a process, and its tests may run side by side.
    maxWorkers: 8,
    testTimeout: 600_000,
    hookTimeout: 60_000,
    teardownTimeout: 5_000,
    passWithNoTests: false,
  },
});
