// The whole engine, the real ledger and the real limiter against a world in which everything goes wrong, under one
// seed each (test/support/simulation). A failing seed says how to see it again. More of them: `npm run simulate`.
import { describe, expect, test } from 'vitest';
import { runDay } from '../../support/simulation/day.ts';

/** Half a day each, so that many fit into a test run. A busy machine may take minutes: it is pure computing. */
const hours = 12;
const seedsPerTest = 40;

const broken = async (seed: number): Promise<string[]> => {
  const day = await runDay(seed, { hours });
  if (day.story.violations.length === 0) return [];
  return [
    `npm run simulate -- --hours ${hours} --seed ${seed}`,
    ...day.story.violations.map(({ invariant, what }) => `${invariant}: ${what}`),
  ];
};

describe('whatever happens to the folder, the network, the service, the machine and the process', () => {
  test.each([1, 2, 3, 4, 5])('every promise is kept (seeds, part %i)', { timeout: 900_000 }, async (part) => {
    for (let seed = (part - 1) * seedsPerTest + 1; seed <= part * seedsPerTest; seed += 1) {
      expect(await broken(seed)).toEqual([]);
    }
  });

  /** Whole days that broke a promise once. */
  test.each([9362268])('every promise is kept (seed %i)', { timeout: 900_000 }, async (seed) => {
    expect((await runDay(seed)).story.violations).toEqual([]);
  });

  test('the same seed gives the same trace', { timeout: 900_000 }, async () => {
    for (const seed of [3, 1001]) {
      const [first, second] = [await runDay(seed, { hours }), await runDay(seed, { hours })];
      expect(second.hash).toBe(first.hash);
      expect(first.requests).toBeGreaterThan(0);
    }
  });
});
