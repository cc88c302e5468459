// A file whose end comes before it is uploaded. Its content does not go later without that end.
import { describe, expect, test } from 'vitest';
import { begin, hourMs, minuteMs, type World } from '../../../support/fake-world.ts';

const ended = async () => {
  const { world, run } = await begin();
  await run.call('queue.pause', { untilMs: null });
  world.disk.write('/tray/ours.txt', 'ours');
  await world.clock.advance(minuteMs);
  const expire = { atMs: world.clock.wallMs() + 10 * minuteMs };
  await run.call('files.upload', { paths: ['/tray/ours.txt'], expire });
  await world.clock.advance(hourMs);
  await run.call('queue.resume', {});
  await world.clock.advance(minuteMs);
  expect(world.row('ours.txt').state).toEqual({ kind: 'skipped', rule: 'expired' });
  return { world, run };
};

describe('it is not uploaded', () => {
  test.each<[string, (world: World) => Promise<void> | void]>([
    ['renamed', ({ disk }) => disk.rename('/tray/ours.txt', '/tray/other.txt')],
    ['touched', ({ disk }) => disk.touch('/tray/ours.txt')],
    ['copied', ({ disk }) => disk.write('/tray/other.txt', 'ours')],
    [
      'deleted and restored',
      async ({ disk, clock }) => {
        disk.remove('/tray/ours.txt');
        await clock.advance(minuteMs);
        disk.write('/tray/ours.txt', 'ours');
      },
    ],
  ])('when it is %s', async (_, change) => {
    const { world } = await ended();
    await change(world);
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
  });
});

test('it is uploaded when a person gives it again, and another content of it is', async () => {
  const { world, run } = await ended();
  await run.call('files.upload', { paths: ['/tray/ours.txt'], expire: 'never' });
  await world.clock.advance(hourMs);
  expect(world.service.stored.map(({ name }) => name)).toEqual(['ours.txt']);
  world.disk.write('/tray/ours.txt', 'another');
  await world.clock.advance(hourMs);
  expect(world.service.stored).toHaveLength(2);
});
