// `npm test [-- FILES and vitest options]`: says what this machine cannot run, runs everything else, and prints
// the counts as its last line. Without FILES coverage is measured and has to suffice. `--real` (`npm run real`) runs
// the tests with real proxies, disks and users instead.
import { stripVTControlCharacters } from 'node:util';
import { startVitest, type Reporter, type TestModule } from 'vitest/node';
import { missingHere } from './machine.ts';

const filters = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const pattern = optionValue('-t') ?? optionValue('--testNamePattern');
const real = process.argv.includes('--real');
const everything = filters.length === 0 && pattern === null && !real;

if (!real) for (const sentence of missingHere()) console.log(sentence);

const count = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];
/** One line for `run-parts.ts`, which prints it again at the end. */
const addFailures = (where: string, errors: readonly { message: string }[]) => {
  for (const { message } of errors)
    failures.push(`✗ ${where}: ${stripVTControlCharacters(message).split('\n', 1)[0] ?? ''}`);
};

const counting: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], unhandled) {
    for (const module of modules) {
      // A file that could not be loaded has no tests that could fail.
      count.failed += module.errors().length;
      addFailures(module.relativeModuleId, module.errors());
      for (const suite of module.children.allSuites()) {
        count.failed += suite.errors().length;
        addFailures(`${module.relativeModuleId} > ${suite.fullName}`, suite.errors());
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed') count.passed += 1;
        else if (state === 'failed') {
          count.failed += 1;
          addFailures(`${module.relativeModuleId} > ${test.fullName}`, errors.slice(0, 1));
        } else {
          count.skipped += 1;
          if (everything || real) console.log(`Skipped: ${module.relativeModuleId} > ${test.fullName}`);
        }
      }
    }
    count.failed += unhandled.length;
    addFailures('outside of any test', unhandled);
  },
};

const vitest = await startVitest(
  filters.filter((filter) => filter !== pattern),
  {
    config: real ? '.config/vitest.real.config.ts' : '.config/vitest.config.ts',
    run: true,
    watch: false,
    // A run without any test is a wrong filter, not a success.
    passWithNoTests: false,
    reporters: ['default', counting],
    coverage: { enabled: everything },
    ...(pattern === null ? {} : { testNamePattern: pattern }),
  },
);
await vitest.close();

// Vitest sets the exit code for what is no test: coverage below its threshold, no test found.
if (count.failed === 0 && process.exitCode !== undefined && process.exitCode !== 0) {
  count.failed = 1;
  failures.push(
    everything ? '✗ All tests passed, but the coverage asked for was not reached.' : '✗ No test ran.',
  );
}
for (const failure of failures) console.log(failure);
if (count.failed > 0) process.exitCode = 1;
const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped}\n`, () => process.exit());

function optionValue(name: string): string | null {
  const at = process.argv.indexOf(name);
  return at === -1 ? null : (process.argv[at + 1] ?? null);
}
