// The tests that mutation testing runs (stryker.config.mjs): only quick ones for the mutated files. They have to kill
// each mutant. A test of the whole engine that would also fail proves little and takes long.
import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    include: [
      'test/unit/engine/{shared/sent-name,shared/links,state/next,state/next-writes,discover/quiet-period,reconcile/recover,reconcile/reconcile-rules,upload/classify-failure}.test.ts',
      'test/unit/engine/limiter/*.test.ts',
    ],
    // These run hours of virtual time. The other tests have to check one by one what these check together.
    exclude: ['test/unit/engine/limiter/{models,property}.test.ts'],
    environment: 'node',
    // Each mutant gets a process of its own; its tests can share it.
    isolate: false,
    // A mutant that waits for ever fails here. That is faster than a new process after Stryker's own time limit.
    testTimeout: 9_000,
  },
});
