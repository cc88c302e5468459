// `.ci/run` ends with one line for all its parts: the sum of theirs.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { countOf } from '../support/run-parts.ts';
import { posixTest } from '../support/posix.ts';

const inShell = posixTest('a shell of POSIX runs the parts');
const run = (...commands: string[]) => {
  const { stdout, status } = spawnSync(process.execPath, ['test/support/run-parts.ts', ...commands], {
    encoding: 'utf8',
  });
  return { last: stdout.trimEnd().split('\n').at(-1), status };
};

inShell(
  'the last lines of all parts are summed, and skipped tests are named only when there are some',
  () => {
    expect(run('echo noise; echo 3 passed, 0 failed', 'echo 4 passed, 0 failed')).toEqual({
      last: '7 passed, 0 failed',
      status: 0,
    });
    expect(run('echo 3 passed, 0 failed, 2 skipped', 'echo 1 passed, 0 failed').last).toBe(
      '4 passed, 0 failed, 2 skipped',
    );
  },
);

inShell('every part runs, even after a failed one, and the result is a failure', () => {
  expect(run('echo 1 passed, 1 failed; exit 1', 'echo 2 passed, 0 failed')).toEqual({
    last: '3 passed, 1 failed',
    status: 1,
  });
});

inShell('a part without such a last line counts as one failure, whatever its exit code', () => {
  expect(run('echo 2 passed, 0 failed; echo more', 'echo 5 passed, 0 failed')).toEqual({
    last: '5 passed, 1 failed',
    status: 1,
  });
  expect(countOf('', 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('a part that fails although its last line reports no failure counts as one failure', () => {
  expect(countOf('9 passed, 0 failed', 1)).toEqual({ passed: 9, failed: 1, skipped: 0 });
  expect(countOf('9 passed, 0 failed', null)).toEqual({ passed: 9, failed: 1, skipped: 0 });
  expect(countOf('9 passed, 2 failed', 1)).toEqual({ passed: 9, failed: 2, skipped: 0 });
});

inShell('lines that name a failure are printed again under the part that printed them', () => {
  const { stdout } = spawnSync(
    process.execPath,
    ['test/support/run-parts.ts', String.raw`printf '✗ a: no\n ok\n0 passed, 1 failed'; exit 1`],
    { encoding: 'utf8' },
  );
  const told = stdout.split('\n');
  expect(told.slice(-4, -1)).toEqual([expect.stringMatching(/^✗ printf/), '  ✗ a: no', '0 passed, 1 failed']);
});

inShell('a part that does not end is ended with what it started, and counts as one failure', () => {
  const { stdout, status } = spawnSync(
    process.execPath,
    ['test/support/run-parts.ts', 'sleep 60 & sleep 60; echo 1 passed, 0 failed', 'echo 2 passed, 0 failed'],
    { encoding: 'utf8', env: { ...process.env, OUTTRAY_PART_SECONDS: '0.2' } },
  );
  expect(stdout).toContain('✗ It had not ended after 0.2 s.');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('2 passed, 1 failed');
  expect(status).toBe(1);
});

test('without any part nothing was tried, so the result is a failure', () => {
  expect(run()).toEqual({ last: '0 passed, 0 failed', status: 1 });
});

inShell('colours that an earlier program left open do not hide the last line', () => {
  expect(run(String.raw`printf 'hints\n\033[0m1 passed, 0 failed\n'`)).toEqual({
    last: '1 passed, 0 failed',
    status: 0,
  });
});
