import { isDeep } from '../../../support/deep.ts';
// A large drop against services that count requests in different ways, with up to two seconds each way: no 429, and
// hardly any of the allowance unused, also when the process is killed in the middle; and a day that is used up.
import { describe, expect, test } from 'vitest';
import { minuteMs, started, type World } from '../../../support/fake-world.ts';
import { models, seeded, type ModelName } from '../../../support/limiter-models.ts';

const perMinute = 50;

const drop = async (count: number, given: Parameters<typeof started>[0] = {}): Promise<World> => {
  const { world } = await started({
    ...given,
    settings: { burstFiles: 100_000, concurrentUploads: 8, ...given.settings },
  });
  await world.clock.advance(1000);
  for (let n = 1; n <= count; n += 1) world.disk.write(`/tray/file${n}.bin`, 'x'.repeat(n));
  return world;
};
const isDone = (world: World, count: number) => () => world.service.stored.length >= count;
/** Each file once, and every one of them. */
const expectEachOnce = (world: World, count: number): void => {
  const sizes = world.service.stored.map((file) => file.bytes.length);
  expect(new Set(sizes).size).toBe(count);
  expect(sizes).toHaveLength(count);
};

// The fast ring runs these services with the limiter alone (models.test.ts).
describe.each<ModelName>(isDeep ? ['fixed', 'slidingLog', 'bucket50', 'twoBuckets'] : [])(
  '120 files, limit counted as %s',
  (model) => {
    const run = async (killAfter: number | null): Promise<{ world: World; used: number }> => {
      const world = await drop(120, { seed: 7 });
      const chance = seeded(11);
      world.service.latencyMs = () => chance() * 2000;
      world.service.accepts = models[model](perMinute, chance);
      if (killAfter !== null) {
        await world.clock.runUntil(isDone(world, killAfter), 10 * minuteMs);
        world.running().life.kill();
        await world.clock.advance(2000);
        await world.start();
      }
      await world.clock.runUntil(isDone(world, 120), 30 * minuteMs);
      const { requests } = world.service;
      const firstMs = requests[0]?.atMs ?? 0;
      const lastMs = requests.at(-1)?.atMs ?? 0;
      const late = requests.filter((request) => request.atMs - firstMs >= minuteMs);
      return { world, used: late.length / ((perMinute * (lastMs - firstMs - minuteMs)) / minuteMs) };
    };

    test('are uploaded with no 429 and at least 95 % of the allowance used after the first minute', async () => {
      const { world, used } = await run(null);
      expect(world.service.requests.filter((request) => !request.ok)).toEqual([]);
      expect(used).toBeGreaterThanOrEqual(0.95);
      expectEachOnce(world, 120);
    });

    test.runIf(isDeep)(
      'are uploaded with no 429 and each once when the process is killed in the middle',
      async () => {
        const { world } = await run(60);
        expect(world.service.requests.filter((request) => !request.ok)).toEqual([]);
        await world.clock.advance(20 * minuteMs);
        expectEachOnce(world, 120);
      },
    );
  },
);

describe('the requests of a day', () => {
  test('are spread so that no 24 hours have more, and the rest is uploaded on the next day', async () => {
    const [perDay, files] = isDeep ? [200, 260] : [50, 65];
    const world = await drop(files, { settings: { requestsPerDay: perDay } });
    await world.clock.advance(12 * 60 * minuteMs);
    const first = world.service.requests.length;
    expect(first).toBeLessThanOrEqual(perDay);
    // Two of a hundred are kept for the user's clicks.
    expect(first).toBeGreaterThanOrEqual(0.97 * perDay);
    const status = world.running().engine.status();
    expect(status.nextSlotAtMs).toBeGreaterThan(world.clock.wallMs());
    expect(status.doneAtMs).toBeGreaterThan(world.clock.wallMs() + 10 * 60 * minuteMs);
    await world.clock.runUntil(isDone(world, files), 24 * 60 * minuteMs);
    expectEachOnce(world, files);
    const times = world.service.requests.map((request) => request.atMs);
    for (const [index, atMs] of times.entries()) {
      const before = times[index - perDay];
      if (before !== undefined) expect(atMs - before).toBeGreaterThanOrEqual(24 * 60 * minuteMs);
    }
    expect(world.running().engine.wait()?.waitMs).toBeGreaterThan(0);
  });
});
