// Uploads are refused, statistics are not: those alone must not open the queue.
import { describe, expect, test } from 'vitest';
import { AppError, type ErrorCode } from '../../../../src-main/contract/errors.ts';
import type { UploadFault } from '../../../support/fake-service.ts';
import { hourMs, minuteMs, started } from '../../../support/fake-world.ts';

/** A lost upload is being looked up; the list is on its way until it is refused. */
const looking = async () => {
  const { world, run } = await started();
  const refusal = Promise.withResolvers<never>();
  let isListing = false;
  world.service.api.list = () => {
    isListing = true;
    return refusal.promise;
  };
  world.service.faults.push('answer-lost');
  world.disk.write('/tray/lost.txt', 'x');
  await world.clock.runUntil(() => isListing, minuteMs);
  const refuse = (): void =>
    refusal.reject(new AppError('limit', 'The service denies access.', '', { status: 403 }));
  return { world, run, refuse };
};

describe('a refusal of uploads while the statistics are accessible', () => {
  test.each<[ErrorCode, number, number]>([
    ['limit', 403, 8],
    ['wrong-address', 404, 97],
  ])(
    '%s: causes only as many uploads a day as probes are due, and then all files are uploaded',
    async (code, status, most) => {
      const { world } = await started();
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
    },
  );
});

describe('a probe', () => {
  test.each<[string, UploadFault, number]>([
    ['after the network was away', { code: 'offline' }, minuteMs],
    ['after a limit', { code: 'limit', status: 403 }, 16 * minuteMs],
  ])('%s is one upload, and the others wait for its result', async (_, fault, limitMs) => {
    const { world, run } = await started();
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

  test('that succeeds does not open a gate that closed for the plan while it was on its way', async () => {
    const { world, run, refuse } = await looking();
    world.service.faults.push({ code: 'offline' });
    world.disk.write('/tray/first.txt', 'xx');
    await world.clock.runUntil(() => run.engine.status().gate.kind === 'closed', minuteMs);
    world.service.latencyMs = 5000;
    world.disk.write('/tray/second.txt', 'xxx');
    await world.clock.runUntil(() => run.engine.status().sending === 1, minuteMs);
    refuse();
    const stored = world.service.stored.length;
    await world.clock.runUntil(() => run.engine.status().sending === 0, minuteMs);
    expect(world.service.stored).toHaveLength(stored + 1);
    const before = world.service.requests.length;
    await world.clock.advance(14 * minuteMs);
    expect(run.engine.status().gate).toMatchObject({ kind: 'closed', reason: 'plan' });
    expect(world.service.requests).toHaveLength(before);
  });
});

test('statistics that were requested before a refusal do not open the gate after it', async () => {
  const { world, run, refuse } = await looking();
  world.service.latencyMs = 5000;
  // The next upload requests them again.
  await world.clock.advance(24 * hourMs);
  await run.call('queue.resume', {});
  const { stats } = world.service.api;
  let isAsked = false;
  world.service.api.stats = (signal) => {
    isAsked = true;
    return stats(signal);
  };
  world.disk.write('/tray/more.txt', 'xx');
  await world.clock.runUntil(() => isAsked, minuteMs);
  refuse();
  await world.clock.advance(14 * minuteMs);
  expect(run.engine.status().gate).toMatchObject({ kind: 'closed', reason: 'plan' });
  expect(world.service.namesOf()).not.toContain('more.txt');
});
