// Mutation testing: `npm run mutate` breaks the most critical decisions, one small change at a time, and counts the
// changes that no unit test notices. The list of survivors is in coverage/mutation/index.html.
const engine = 'src-main/engine';

export default {
  mutate: [
    `${engine}/limiter/*.ts`,
    ...[
      'state/next',
      'upload/classify-failure',
      'reconcile/recover',
      'reconcile/reconcile-rules',
      'discover/quiet-period',
      'shared/sent-name',
      'shared/links',
    ].map((name) => `${engine}/${name}.ts`),
  ],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: '.config/vitest.mutate.config.ts', pool: 'forks' },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 10_000,
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: 'coverage/mutation/index.html' },
  jsonReporter: { fileName: 'coverage/mutation/mutation.json' },
  tempDirName: 'coverage/mutation/work',
  ignorePatterns: ['out', 'coverage', 'dist', 'screenshots', 'resources', 'src-renderer', '.github', '.ci'],
  allowEmpty: false,
};
