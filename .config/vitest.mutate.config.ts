// The tests that mutation testing runs (stryker.config.mjs): quick ones, aimed at the mutated files, nothing else.
// A mutant has to fall to them; that a test of the whole engine would notice it too says little and takes long.
import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    include: [
      'test/unit/engine/{shared/sent-name,shared/links,state/next,state/next-writes,discover/quiet-period,reconcile/recover,reconcile/reconcile-rules,upload/classify-failure}.test.ts',
      'test/unit/engine/limiter/*.test.ts',
    ],
    // Hours of virtual time: what they hold together, the others have to hold one by one.
    exclude: ['test/unit/engine/limiter/{models,property}.test.ts'],
    environment: 'node',
    // Each mutant gets a process of its own; its tests can share it.
    isolate: false,
    // One that waits for ever fails by itself: quicker than starting a new process after Stryker's own time limit.
    testTimeout: 9_000,
  },
});
