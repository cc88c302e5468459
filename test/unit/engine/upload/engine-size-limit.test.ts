// The account's largest size: a refusal by the service decides. Its number has no unit and fails no file.
import { expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { createWorld, hourMs, minuteMs, share, type World } from '../../../support/fake-world.ts';

const open = async (maxFileSize: number): Promise<World> => {
  const world = createWorld({ settings: { concurrentUploads: 3 } });
  world.service.stats.limits.max_file_size = maxFileSize;
  await world.start();
  // The sizes are told in bytes.
  await share(world, 'first.txt', 'x'.repeat(1500));
  return world;
};

/** The service takes no more than this. Returns how many uploads it refused. */
const refuseOver = (world: World, mostBytes: () => number, status: 403 | 413) => {
  let refused = 0;
  const { upload } = world.service.api;
  world.service.api.upload = async (request) => {
    if (request.sizeBytes <= mostBytes()) return upload(request);
    refused += 1;
    throw new AppError(status === 413 ? 'too-large' : 'limit', 'Too large.', '', { status });
  };
  return () => refused;
};

test('a limit in megabytes beside sizes in bytes keeps no file back', async () => {
  const world = await open(2048);
  for (const name of ['a', 'b', 'c']) world.disk.write(`/tray/${name}.bin`, name.repeat(5000));
  await world.clock.runUntil(() => world.service.stored.length === 4, minuteMs);
});

test.each([403, 413] as const)(
  'of several files over the limit one is refused with %d, and all fail',
  async (status) => {
    const world = await open(2048);
    const refused = refuseOver(world, () => 2048, status);
    for (const name of ['a', 'b', 'c']) world.disk.write(`/tray/${name}.bin`, name.repeat(5000));
    world.disk.write('/tray/small.txt', 'small');
    await world.clock.runUntil(() => world.ledger.uploads.countInState('failed') === 3, minuteMs);
    await world.until('small.txt', 'uploaded');
    expect(refused()).toBe(1);
  },
);

test('what was refused is tried again when the service tells a larger limit', async () => {
  const world = await open(2048);
  let mostBytes = 2048;
  refuseOver(world, () => mostBytes, 403);
  await world.put('large.bin', 'x'.repeat(5000), 'failed', minuteMs);
  mostBytes = 9000;
  world.service.stats = { ...world.service.stats, limits: { max_file_size: 9000, daily_uploads: 0 } };
  await world.running().call('stats.get', { refresh: true });
  world.disk.write('/tray/next.txt', 'next');
  await world.until('large.bin', 'uploaded', minuteMs);
});

test('a 403 for a large file is about the day when the uploads of the day are used up', async () => {
  const world = await open(2048);
  world.service.stats.limits.daily_uploads = 1;
  world.service.faults.push({ code: 'limit', status: 403 });
  world.disk.write('/tray/large.bin', 'x'.repeat(5000));
  await world.clock.advance(10_000);
  expect(world.running().engine.status().gate).toMatchObject({ reason: 'daily-uploads' });
  await world.until('large.bin', 'uploaded', 26 * hourMs);
});
