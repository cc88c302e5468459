// When a followed link is checked next, as the details of its file show it, and what a check means that does not find it.
import { expect, test } from 'vitest';
import { begin, hourMs, minuteMs, share } from '../../../support/fake-world.ts';
import { checks as checksIn, following, told } from '../../../support/follow-world.ts';

test('a followed link shows when it is checked next, and what all of them cost', async () => {
  const { world, run } = await begin();
  const files = [{ fileId: await share(world, 'a.txt') }, { fileId: await share(world, 'b.txt') }];
  await run.call('files.follow', { files });
  const stateOf = async (name: string) =>
    (await run.call('file.story', { uploadId: world.row(name).id })).follow;
  const checks = (): number => world.service.count('info');
  expect((await stateOf('a.txt'))?.nextCheckMs).toBe(world.clock.wallMs());
  await world.clock.advance(16 * minuteMs);
  const nowMs = world.clock.wallMs();
  const [first, second] = [await stateOf('a.txt'), await stateOf('b.txt')];
  const price = { links: 2, requestsPerDay: 192, everyMs: 15 * minuteMs, waits: null };
  expect(first).toMatchObject({ price });
  expect(second).toMatchObject({ price });
  const waits = [first, second].map((state) => (state?.nextCheckMs ?? 0) - nowMs).toSorted((a, b) => a - b);
  expect(waits[0]).toBeGreaterThan(0);
  expect(waits[0]).toBeLessThanOrEqual(7.5 * minuteMs);
  expect((waits[1] ?? 0) - (waits[0] ?? 0)).toBe(7.5 * minuteMs);
  const before = checks();
  // With the time that a request takes.
  await world.clock.advance((waits[0] ?? 0) + 100);
  expect(checks()).toBe(before + 1);
  await run.call('files.unfollow', { files });
  expect(await stateOf('a.txt')).toBeNull();
});

test('a single answer that a followed link does not exist ends nothing', async () => {
  const { world } = await following(['a.txt']);
  await world.clock.advance(minuteMs);
  world.service.refuse = { code: 'not-found', status: 404 };
  await world.clock.advance(16 * minuteMs);
  world.service.refuse = null;
  await world.clock.advance(20 * minuteMs);
  world.service.refuse = { code: 'not-found', status: 404 };
  await world.clock.advance(15 * minuteMs);
  world.service.refuse = null;
  await world.clock.advance(hourMs);
  expect(told(world, 'lost')).toEqual([]);
  expect(world.ledger.watched.count('downloads')).toBe(1);
});

test('a link that two checks in a row do not find is no longer followed, even with a restart between them', async () => {
  const { world, run } = await following(['a.txt']);
  await world.clock.advance(minuteMs);
  for (const file of world.service.stored) file.deleted = true;
  const before = checksIn(world);
  await world.clock.runUntil(() => checksIn(world) > before, hourMs);
  await world.clock.advance(minuteMs);
  expect(told(world, 'lost')).toEqual([]);
  await run.stop();
  await world.start();
  await world.clock.advance(20 * minuteMs);
  expect(told(world, 'lost')).toHaveLength(1);
});

test.each<[string, boolean]>([
  ['serves something', false],
  ['cannot be read', true],
])(
  'a file that no check finds is not lost while its link %s, and is not uploaded again',
  async (_, linksBroken) => {
    const { world } = await following(['a.txt']);
    await world.clock.advance(minuteMs);
    world.service.linksBroken = linksBroken;
    world.service.refuse = { code: 'not-found', status: 404 };
    await world.clock.advance(3 * hourMs);
    world.service.refuse = null;
    world.disk.remove('/tray/a.txt');
    await world.clock.advance(hourMs);
    world.disk.write('/tray/a.txt', 'a.txt');
    await world.clock.advance(hourMs);
    expect(told(world, 'lost')).toEqual([]);
    expect(told(world, 'downloaded')).toEqual([]);
    expect(world.ledger.watched.count('downloads')).toBe(1);
    expect(world.service.stored).toHaveLength(1);
  },
);
