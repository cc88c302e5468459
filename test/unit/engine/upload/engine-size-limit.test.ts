// The account's largest size: a refusal by the service decides. Its number has no unit and fails no file.
import { expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { createWorld, hourMs, minuteMs, share, type World } from '../../../support/fake-world.ts';

const open = async (maxFileSize: number): Promise<World> => {
  const world = createWorld({ settings: { concurrentUploads: 3 } });
  world.service.stats.limits.max_file_size = maxFileSize;
  await world.start();
  // The sizes are in bytes.
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

test('a limit in megabytes beside sizes in bytes delays no file', async () => {
  const world = await open(2048);
  for (const name of ['a', 'b', 'c']) world.disk.write(`/tray/${name}.bin`, name.repeat(5000));
  await world.clock.runUntil(() => world.service.stored.length === 4, minuteMs);
});

test.each<[what: string, first: (bytes: number) => number, then: (bytes: number) => number]>([
  ['in bytes, and in KiB later', (bytes) => bytes, (bytes) => Math.ceil(bytes / 1024)],
  ['in KiB, and in bytes later', (bytes) => Math.ceil(bytes / 1024), (bytes) => bytes],
  ['in megabytes, rounded to none', (bytes) => Math.round(bytes / 1e6), (bytes) => Math.round(bytes / 1e6)],
  ['in bits', (bytes) => bytes * 8, (bytes) => bytes * 8],
  ['of what is stored encrypted', (bytes) => bytes + 28, (bytes) => bytes + 28],
  ['in bytes, and of what is stored encrypted later', (bytes) => bytes, (bytes) => bytes + 28],
])('sizes that the service reports %s fail no file, and each is sent once', async (_what, first, then) => {
  const world = createWorld();
  const { api } = world.service;
  const { upload, list } = api;
  let told = first;
  api.upload = async (...given) => {
    const receipt = await upload(...given);
    return { ...receipt, size: told(receipt.size) };
  };
  api.list = async (...given) => {
    const page = await list(...given);
    return { ...page, files: page.files.map((file) => ({ ...file, size: told(file.size ?? 0) })) };
  };
  await world.start();
  await world.put('first.txt', 'x'.repeat(15_000), 'uploaded', hourMs);
  told = then;
  for (const name of ['a', 'b', 'c']) await world.put(`${name}.txt`, name.repeat(5000), 'uploaded', hourMs);
  expect(world.service.namesOf().toSorted()).toEqual(['a.txt', 'b.txt', 'c.txt', 'first.txt']);
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

test('refused files are retried when the service reports a larger limit', async () => {
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

test('a 403 for a large file is about the daily limit when the daily uploads are used up', async () => {
  const world = await open(2048);
  world.service.stats.limits.daily_uploads = 1;
  world.service.faults.push({ code: 'limit', status: 403 });
  world.disk.write('/tray/large.bin', 'x'.repeat(5000));
  await world.clock.advance(10_000);
  expect(world.running().engine.status().gate).toMatchObject({ reason: 'daily-uploads' });
  await world.until('large.bin', 'uploaded', 26 * hourMs);
});
