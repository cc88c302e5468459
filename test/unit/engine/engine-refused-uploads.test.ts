// Uploads are refused, statistics are not: those alone must not open the queue.
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../src-main/contract/errors.ts';
import type { UploadFault } from '../../support/fake-service.ts';
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

describe('a probe', () => {
  test.each<[string, UploadFault, number]>([
    ['after the network was away', { code: 'offline' }, minuteMs],
    ['after a limit', { code: 'limit', status: 403 }, 16 * minuteMs],
  ])('%s is one upload, and the others wait for what becomes of it', async (_, fault, limitMs) => {
    const world = createWorld();
    const run = await world.start();
    world.service.faults.push(fault, fault, fault, fault);
    for (let n = 1; n <= 6; n += 1) world.disk.write(`/tray/file${n}.txt`, 'x'.repeat(n));
    await world.clock.runUntil(() => run.engine.status().gate.kind === 'closed');
    await world.clock.runUntil(() => run.engine.status().sending === 0, minuteMs);
    world.service.faults = [];
    world.service.latencyMs = 5000;
    await world.clock.runUntil(() => run.engine.status().sending > 0, limitMs + 20_000);
    await world.clock.advance(4000);
    expect(run.engine.status().sending).toBe(1);
    await world.clock.runUntil(() => run.engine.status().sending === 4, minuteMs);
  });
});
