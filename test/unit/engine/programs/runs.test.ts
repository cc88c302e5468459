// Which files a program that hears of uploads wrote itself, while many others wait for their run.
import { expect, test } from 'vitest';
import { createRuns } from '../../../../src-main/engine/programs/runs.ts';

/** Files wait in their order; each run takes a second and writes `each` files. Returns how many runs began until one did not. */
const runsUntilStopped = (each: number, most: number): number => {
  const runs = createRuns();
  const waiting: (number | null)[] = [null];
  for (let count = 0; count < most; count += 1) {
    const fromMs = count * 1000;
    const writtenMs = waiting.shift() ?? null;
    if (runs.isTooLong(writtenMs)) return count;
    const ended = runs.begin(writtenMs, fromMs);
    for (let file = 0; file < each; file += 1) waiting.push(fromMs + 500);
    ended(fromMs + 999);
  }
  return most;
};

test.each([
  [1, 11],
  [2, 2 ** 11 - 1],
])('a program that writes %d files each time is stopped after %d runs', (each, count) => {
  expect(runsUntilStopped(each, 5000)).toBe(count);
});
