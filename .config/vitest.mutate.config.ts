// The tests that mutation testing runs (stryker.config.mjs): those aimed at the mutated files, the quick ones first.
// A mutant has to fall to them; that a test of the whole engine would notice it too says little and takes long.
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The first test that fails settles a mutant, so the one that takes seconds comes last. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = (file: TestSpecification): number => Number(file.moduleId.includes('-property.'));
    return (await super.sort(files)).toSorted((a, b) => isSlow(a) - isSlow(b));
  }
}

export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    include: [
      'test/unit/engine/{names,links,settle,recover,retry}.test.ts',
      'test/unit/limiter{,-*}.test.ts',
    ],
    // Hours of virtual time against six models of a service: what they hold together, the others hold one by one.
    exclude: ['test/unit/limiter-models.test.ts'],
    environment: 'node',
    sequence: { sequencer: QuickFirst },
  },
});
