// Four kinds of tests, one per folder, each with the time it may take on a machine that is busy with other work. `npm test`
// runs the fast ring of them, `npm run test:deep` all (rings.ts).
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isDeep } from '../test/support/deep.ts';
import { deepOnly, longest } from './rings.ts';

const root = path.resolve(import.meta.dirname, '..');

/** A file that is named on the command line runs in any ring. */
const isWhole = isDeep || process.argv.some((argument) => argument.endsWith('.test.ts'));

/** How many times as long anything may take: Windows under Wine is slow. */
const patience = Number(process.env['OUTTRAY_PATIENCE'] ?? 1);

const kind = (name: keyof typeof deepOnly, timeoutMs: number) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    exclude: isWhole ? [] : [...deepOnly[name]],
    environment: 'node',
    testTimeout: timeoutMs * patience,
    hookTimeout: timeoutMs * patience,
    // A condition that a test waits for: on an idle machine it holds within a second.
    expect: { poll: { timeout: 30_000 } },
  },
});

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const first = longest.flatMap((name) =>
      files.filter(({ moduleId }) => moduleId === path.join(root, name)),
    );
    const others = files.filter((file) => !first.includes(file));
    return [...first, ...(await super.sort(others))];
  }
}

const unit = kind('unit', 60_000);
const flow = kind('flow', 180_000);
const app = kind('app', 240_000);

export default defineConfig({
  root,
  // Rune state (`*.svelte.ts`) and components are tested in the node environment, without a browser.
  plugins: [svelte({ configFile: false })],
  test: {
    // Processes rather than threads: tests change environment variables, umask and working folder.
    pool: 'forks',
    // Tests wait more than they compute: for timers, and for processes of their own.
    maxWorkers: Math.ceil(availableParallelism() * (isDeep ? 2.5 : 3)),
    // A test that hangs is reported by its own time limit; its fork is then given this long to end.
    teardownTimeout: 5_000,
    unstubEnvs: true,
    restoreMocks: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Nothing in them outlives a test: a process runs many files, with its modules loaded once.
      { ...unit, test: { ...unit.test, isolate: false } },
      kind('adapters', 120_000),
      // The commands in it are given all they read and write; those that need a process have one.
      { ...flow, test: { ...flow.test, isolate: false, globalSetup: ['test/support/build.ts'] } },
      { ...app, test: { ...app.test, globalSetup: ['test/support/build.ts'] } },
    ],
    coverage: {
      provider: 'v8',
      include: ['src-main/engine/**/*.ts', 'src-main/contract/**/*.ts'],
      reportsDirectory: path.join(root, 'coverage'),
      // OUTTRAY_COVERAGE_HTML=1 writes coverage/index.html as well.
      reporter: process.env['OUTTRAY_COVERAGE_HTML'] ? ['text-summary', 'html'] : ['text-summary'],
      thresholds: {
        'src-main/engine/**/*.ts': { branches: 94 },
        'src-main/contract/**/*.ts': { branches: 95 },
      },
    },
  },
});
