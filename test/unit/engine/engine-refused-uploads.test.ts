// Uploads are refused, statistics are not: those alone must not open the queue.
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../src-main/contract/errors.ts';
import { createWorld } from '../../support/fake-world.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe('a refusal of uploads while the statistics are open', () => {
  test.each<[ErrorCode, number, number]>([
    ['limit', 403, 8],
    ['wrong-address', 404, 97],
  ])('%s: was tried with four files at once, and never less often', async (code, status, most) => {
    const world = createWorld();
    await world.start();
    const { upload } = world.service.api;
    world.service.api.upload = async (request) => {
      world.service.faults.unshift({ code, status });
      return await upload(request);
    };
    for (let n = 1; n <= 10; n += 1) world.disk.write(`/tray/file${n}.txt`, 'x'.repeat(n));
    await world.clock.advance(minuteMs);
    const before = world.service.count('upload');
    await world.clock.advance(24 * hourMs);
    expect(world.service.count('upload') - before).toBeLessThanOrEqual(most);
    expect(world.service.count('upload') - before).toBeGreaterThan(most / 2);
    world.service.api.upload = upload;
    await world.clock.runUntil(() => world.service.stored.length === 10, 7 * hourMs);
  });
});
