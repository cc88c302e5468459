// How many uploads are under way at once, as the ledger records it.
import { expect, test } from 'vitest';
import { minuteMs, started } from '../../../support/fake-world.ts';

const many = 40;

const mostAtOnce = async (concurrentUploads: number): Promise<number> => {
  const { world, run } = await started({
    settings: { concurrentUploads, requestsPerMinute: 1e9, requestsPerDay: 1e9, burstFiles: 1000 },
  });
  await run.call('queue.pause', { untilMs: null });
  for (let n = 1; n <= many; n += 1) world.disk.write(`/tray/file${n}.txt`, 'x'.repeat(n));
  await world.clock.advance(minuteMs);
  const inState = (...kinds: string[]): number =>
    world.rows().filter(({ state }) => kinds.includes(state.kind)).length;
  expect(inState('ready')).toBe(many);
  let most = 0;
  await run.call('queue.resume', {});
  await world.clock.runUntil(() => {
    most = Math.max(most, inState('sending', 'committing'));
    return inState('uploaded') === many;
  }, minuteMs);
  expect(world.service.stored).toHaveLength(many);
  return most;
};

test('the ledger never has more uploads under way at once than the settings allow', async () => {
  expect(await mostAtOnce(1)).toBe(1);
  expect(await mostAtOnce(4)).toBe(4);
});
