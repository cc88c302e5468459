import { isDeep, some } from '../../../support/deep.ts';
import { describe, expect, test } from 'vitest';
import { models, realLimiter, simulate, type ModelName } from '../../../support/limiter-models.ts';

// Hours of virtual time: on a busy machine some of these take seconds.
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const seeds = isDeep ? [1, 2] : [1];
const names = Object.keys(models).filter((name): name is ModelName => name in models);

/** A client alone draws no 429 from these; the counter with two buckets forgets how its requests were spread. */
const strict: readonly ModelName[] = ['fixed', 'slidingLog', 'slidingLogRejects', 'bucket50'];
const mostPerMille = (model: ModelName): number =>
  strict.includes(model) ? 0 : model === 'bucket10' ? 0.5 : 3;
/** Two buckets: an hour with two 429s has two pauses in it and a pace that comes back. */
const leastUsed = (model: ModelName): number => (model === 'twoBuckets' ? 0.9 : 0.95);

describe.each(some(names, 2))('a client alone on a service that counts like %s', (model) => {
  test.each(isDeep ? [0, 500, 2_000] : [500])(
    'uses its allowance and draws no 429, with up to %i ms each way',
    (jitterMs) => {
      for (const seed of seeds) {
        const result = simulate({ model, clients: [realLimiter()], forMs: HOUR_MS, jitterMs, seed });
        expect(result.perMille).toBeLessThanOrEqual(mostPerMille(model));
        expect(result.used).toBeGreaterThanOrEqual(leastUsed(model));
      }
    },
  );

  test('does so even when it is killed every ten minutes', () => {
    for (const seed of seeds) {
      const killEveryMs = 10 * MINUTE_MS;
      const result = simulate({ model, clients: [realLimiter()], forMs: HOUR_MS, killEveryMs, seed });
      expect(result.perMille).toBeLessThanOrEqual(mostPerMille(model));
      expect(result.used).toBeGreaterThanOrEqual(leastUsed(model));
    }
  });
});

test.each(['fixed', 'slidingLog', 'bucket50', 'bucket10'] as const)(
  'all of 120 files on %s arrive without a 429 at the pace of the limit, including a kill in the middle',
  (model) => {
    for (const seed of seeds) {
      const plain = simulate({
        model,
        clients: [realLimiter()],
        forMs: HOUR_MS,
        warmMs: 0,
        files: 120,
        seed,
      });
      expect(plain.doneMs).toHaveLength(120);
      expect(plain.rejected).toBe(0);
      expect(Math.max(...plain.doneMs)).toBeLessThan(117 * 1_250 + 10_000);
      // With the kill, those in flight are sent again, so a few more than 120 are counted.
      const killEveryMs = 80_000;
      const killed = simulate({
        model,
        clients: [realLimiter()],
        forMs: HOUR_MS,
        warmMs: 0,
        files: 120,
        killEveryMs,
        seed,
      });
      expect(killed.doneMs.length).toBeGreaterThanOrEqual(120);
      expect(killed.rejected).toBe(0);
    }
  },
);

test.each(some(['fixed', 'slidingLog', 'bucket50', 'twoBuckets'] as const, 2))(
  'five machines on one account with %s share it evenly and use most of it',
  (model) => {
    const results = seeds.map((seed) =>
      simulate({
        model,
        clients: Array.from({ length: 5 }, () => realLimiter()),
        forMs: 4 * HOUR_MS,
        warmMs: HOUR_MS,
        seed,
      }),
    );
    const mean = (of: (result: (typeof results)[number]) => number): number =>
      results.reduce((sum, result) => sum + of(result), 0) / results.length;
    expect(mean((result) => result.jain)).toBeGreaterThanOrEqual(0.97);
    expect(mean((result) => result.used)).toBeGreaterThanOrEqual(0.9);
    expect(mean((result) => result.perMille)).toBeLessThan(20);
  },
);

test.each(some(names, 2))('bursts of ten files leave at once and draw no 429 on %s', (model) => {
  for (const seed of seeds) {
    const clumps = { files: 10, everyMs: 20_000 };
    const result = simulate({
      model,
      clients: [realLimiter()],
      forMs: HOUR_MS,
      jitterMs: 500,
      atOnce: 16,
      clumps,
      seed,
    });
    expect(result.rejected).toBe(0);
    expect(result.doneMs.length).toBeGreaterThanOrEqual(1_780);
    expect(result.doneMs[9]).toBeLessThan(20_000 + 1_000);
  }
});
