// The command on Node for Windows, under Wine: `npm run windows`. One test computer at a time, because all programs of
// a Wine prefix share one console and one registry.
import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    name: 'windows',
    include: ['test/windows/**/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/support/build.ts', 'test/windows/support/computer.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    passWithNoTests: false,
  },
});
