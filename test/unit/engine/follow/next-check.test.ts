// When a followed link is checked next, as the details of its file say it.
import { expect, test } from 'vitest';
import { begin, minuteMs, share } from '../../../support/fake-world.ts';

test('a followed link says when it is checked next, in its turn, and what all of them cost', async () => {
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
