// Four kinds of tests, one per folder, each with its time limit for a busy machine. `npm test` runs the fast ring,
// `npm run test:deep` all of them (rings.ts).
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isDeep } from '../test/support/deep.ts';
import { takeSurroundings } from '../test/support/surroundings.ts';
import { deepOnly, longest } from './rings.ts';

takeSurroundings();

const root = path.resolve(import.meta.dirname, '..');

/** A file named on the command line runs in either ring. */
const isWhole = isDeep || process.argv.some((argument) => argument.endsWith('.test.ts'));

/** The factor for all time limits: Windows under Wine is slow. */
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
    // The limit for a condition that a test waits for. On an idle machine it holds within a second.
    expect: { poll: { timeout: 30_000 } },
  },
});

/** One project after the other: Vitest ends a process when the next file in the queue is of another project. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const first = longest.flatMap((name) =>
      files.filter(({ moduleId }) => moduleId === path.join(root, name)),
    );
    const others = files.filter((file) => !first.includes(file));
    const sorted = [...first, ...(await super.sort(others))];
    return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flat();
  }
}

/** They replace a module of Node, which must be loaded for the first time. */
const apart = ['test/adapters/hostile-folder.test.ts'];

const unit = kind('unit', 60_000);
const adapters = kind('adapters', 120_000);
const flow = kind('flow', 180_000);
const app = kind('app', 240_000);

export default defineConfig({
  root,
  // Rune state (`*.svelte.ts`) and components are tested in the node environment, without a browser.
  plugins: [svelte({ configFile: false })],
  test: {
    // Processes rather than threads: tests change environment variables, umask and working folder.
    pool: 'forks',
    // In the deep ring each command is a process, which tests wait for. In the fast one they compute for half of the time.
    maxWorkers: Math.ceil(availableParallelism() * (isDeep ? 2.5 : 1.5)),
    // The time limit of a test reports that it hangs. Its fork then has this long to end.
    teardownTimeout: 5_000,
    unstubEnvs: true,
    restoreMocks: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      // No state outlives a test, so one process runs many files and loads its modules once. Unit tests compute and do
      // not wait, so they run by themselves, in one process for each core.
      {
        ...unit,
        test: {
          ...unit.test,
          isolate: false,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      {
        ...adapters,
        test: { ...adapters.test, isolate: false, exclude: [...adapters.test.exclude, ...apart] },
      },
      { ...adapters, test: { ...adapters.test, name: 'adapters apart', include: [...apart] } },
      // Commands get everything that they read and write as arguments; those that need a process have one.
      { ...flow, test: { ...flow.test, isolate: false, globalSetup: ['test/support/build.ts'] } },
      // In the deep ring five browsers share the cores, and a click may be lost while a page is laid out. So a test that
      // fails there runs once more, and the end names it: it is to be mended.
      { ...app, test: { ...app.test, retry: isDeep ? 1 : 0, globalSetup: ['test/support/build.ts'] } },
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
