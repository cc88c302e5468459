// Uploads that go together share the flushes of the disk that their durable points need: the next one begins with the
// flush that records how the last one ended.
import { expect, test } from 'vitest';
import { createWorld } from '../../support/fake-world.ts';

const minuteMs = 60_000;
const many = 40;

const send = async (concurrentUploads: number) => {
  const world = createWorld({
    settings: { concurrentUploads, requestsPerMinute: 1e9, requestsPerDay: 1e9, burstFiles: 1000 },
  });
  const run = await world.start();
  await run.call('queue.pause', { untilMs: null });
  for (let n = 1; n <= many; n += 1) world.disk.write(`/tray/file${n}.txt`, 'x'.repeat(n));
  await world.clock.advance(minuteMs);
  const inState = (...kinds: string[]): number =>
    world.rows().filter(({ state }) => kinds.includes(state.kind)).length;
  expect(inState('ready')).toBe(many);
  const before = run.life.commits();
  let mostAtOnce = 0;
  await run.call('queue.resume', {});
  await world.clock.runUntil(() => {
    mostAtOnce = Math.max(mostAtOnce, inState('sending', 'committing'));
    return inState('uploaded') === many;
  }, minuteMs);
  expect(world.service.stored).toHaveLength(many);
  return { commits: run.life.commits() - before, mostAtOnce };
};

test('the next upload begins with the flush that records how the last one ended', async () => {
  // One of them looks at the file once more when it is up, and is no part of the upload.
  expect((await send(1)).commits).toBeGreaterThanOrEqual(4 * many);
  expect((await send(4)).commits).toBeLessThanOrEqual(1.8 * many);
});

test('by the ledger no more are on their way at once than the settings allow', async () => {
  expect((await send(1)).mostAtOnce).toBe(1);
  expect((await send(4)).mostAtOnce).toBe(4);
});
