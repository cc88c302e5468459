// `npm test [-- FILES and vitest options]`: the fast ring. Reports what this machine cannot run, runs the rest, names
// the slowest files, what it cost and what it left to the deep ring, and prints the counts as its last line. `-u` records snapshots.
// `--deep` (`npm run test:deep`): every file, seed and size, every command as a process, and coverage, which must reach
// its limits. `--real` (`npm run real`): the tests with real proxies, disks and users. `--windows`
// (`npm run windows`): the command on the Node of Windows. `--watch`: again after each change.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { startVitest, type Reporter, type TestModule } from 'vitest/node';
import { costLine } from './cost.ts';
import { missingHere, placeInMemory } from './machine.ts';
import { builtProgram } from './program.ts';

const flags = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const pattern = optionValue('-t') ?? optionValue('--testNamePattern');
const filters = process.argv.slice(2).filter((word) => !word.startsWith('-') && word !== pattern);
const ring = ['real', 'windows'].find((name) => flags.includes(`--${name}`));
const isReal = ring !== undefined;
const isDeep = flags.includes('--deep');
const isWatching = flags.includes('--watch');
const isWhole = filters.length === 0 && pattern === null;
const startedAtMs = Date.now();

// A drive that hangs stops the process of a command, and must not stop the test's own, which wakes the drive.
if (isDeep || isReal) process.env['OUTTRAY_PROCESSES'] = '1';
if (isDeep) {
  process.env['OUTTRAY_DEEP'] = '1';
  // What ships: the command is the program of the packages.
  process.env['OUTTRAY_PROGRAM'] = await builtProgram();
}
if (!isReal) for (const sentence of missingHere()) console.log(sentence);

const temporary = isReal ? null : mkdtempSync(path.join(placeInMemory() ?? tmpdir(), 'outtray-tests-'));
if (temporary !== null && !isDeep) {
  // Durable commits take a tenth of the time where the system keeps files in memory.
  process.env['TMPDIR'] = temporary;
  // Tests run programs as other users, too.
  chmodSync(temporary, 0o1777);
}

const count = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];
const slowest: { file: string; ms: number }[] = [];
type Failure = { message: string; stacks?: readonly { file: string; line: number }[] };

/** One line for `run-parts.ts`, which prints it again at the end. */
const addFailures = (where: string, errors: readonly Failure[]) => {
  for (const { message, stacks = [] } of errors) {
    const lines = stripVTControlCharacters(message).split('\n');
    // What Playwright waited for is further down than its first line.
    const waited = lines.find((line) => line.includes('waiting for ')) ?? '';
    const line = stacks.find(({ file }) => file.endsWith('.test.ts'))?.line;
    failures.push(
      `✗ ${where}${line === undefined ? '' : ` (line ${line})`}: ${lines[0] ?? ''} ${waited.trim()}`,
    );
  }
};

const counting: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], unhandled) {
    for (const module of modules) {
      slowest.push({ file: module.relativeModuleId, ms: module.diagnostic().duration });
      // A file that could not be loaded has no tests that could fail.
      count.failed += module.errors().length;
      addFailures(module.relativeModuleId, module.errors());
      for (const suite of module.children.allSuites()) {
        count.failed += suite.errors().length;
        addFailures(`${module.relativeModuleId} > ${suite.fullName}`, suite.errors());
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed') {
          count.passed += 1;
          if (test.diagnostic()?.flaky === true)
            console.log(`Passed at the second try only: ${module.relativeModuleId} > ${test.fullName}`);
        } else if (state === 'failed') {
          count.failed += 1;
          addFailures(`${module.relativeModuleId} > ${test.fullName}`, errors.slice(0, 1));
        } else {
          count.skipped += 1;
          if (isWhole && (isDeep || isReal))
            console.log(`Skipped: ${module.relativeModuleId} > ${test.fullName}`);
        }
      }
    }
    count.failed += unhandled.length;
    addFailures('outside of any test', unhandled);
  },
};

/** The projects of each run, and whether its coverage counts. The unit tests alone reach the required coverage. */
const runs: { project?: string[]; coverage: boolean }[] =
  isDeep && isWhole
    ? [
        { project: ['unit'], coverage: true },
        { project: ['adapters*', 'flow', 'app'], coverage: false },
      ]
    : [{ coverage: false }];
for (const { coverage, ...run } of runs) {
  const failedBefore = count.failed;
  process.exitCode = 0;
  // Each test process loads the same modules: the first one compiles them for all. Not with coverage: V8 counts only
  // what it compiles itself.
  if (temporary !== null && !coverage) process.env['NODE_COMPILE_CACHE'] = path.join(temporary, 'compiled');
  const vitest = await startVitest(filters, {
    config: isReal ? `.config/vitest.${ring}.config.ts` : '.config/vitest.config.ts',
    run: !isWatching,
    watch: isWatching,
    update: flags.includes('-u'),
    // A run without any test is a wrong filter, not a success.
    passWithNoTests: false,
    reporters: isWatching ? ['default'] : ['default', counting],
    coverage: { enabled: coverage },
    ...run,
    ...(pattern === null ? {} : { testNamePattern: pattern }),
  });
  if (isWatching) await new Promise(() => undefined);
  await vitest.close();
  // Vitest sets the exit code for what is no test: coverage below its threshold, no test found.
  if (count.failed > failedBefore || process.exitCode === 0) continue;
  count.failed += 1;
  failures.push(
    coverage
      ? '✗ Unit tests reach too few branches: see “does not meet” above (thresholds in .config/vitest.config.ts).'
      : '✗ No test ran.',
  );
}
if (temporary !== null) rmSync(temporary, { recursive: true, force: true });

for (const failure of failures) console.log(failure);
if (isWhole) sumUp();
if (count.failed > 0) process.exitCode = 1;
const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped}\n`, () => process.exit());

function sumUp(): void {
  const five = slowest.toSorted((a, b) => b.ms - a.ms).slice(0, 5);
  const named = five.map(({ file, ms }) => `${file} ${Math.round(ms / 1000)} s`).join(', ');
  console.log(`Slowest: ${named}.`);
  console.log(`Took ${Math.round((Date.now() - startedAtMs) / 1000)} s. ${costLine()}`);
  if (!isDeep && !isReal)
    console.log(
      'Not run: simulated days, kills, every seed and size, every command as a process, the other states of the window. `npm run test:deep` runs all of it.',
    );
}

function optionValue(name: string): string | null {
  const at = process.argv.indexOf(name);
  return at === -1 ? null : (process.argv[at + 1] ?? null);
}
