// A clock that is set ends no link early.
import { describe, expect, test } from 'vitest';
import {
  begin,
  dayMs,
  hourMs,
  minuteMs,
  share,
  type Running,
  type World,
} from '../../../support/fake-world.ts';

/** A file is uploaded, and its link ends this long after that. */
const given = async (afterMs: number): Promise<{ world: World; run: Running }> => {
  const { world, run } = await begin();
  world.disk.write('/else/a.txt', 'content');
  await run.call('files.upload', { paths: ['/else/a.txt'], expire: { afterMs } });
  await world.until('a.txt', 'uploaded');
  return { world, run };
};
const served = (world: World): string[] => world.service.namesOf();

describe('the clock', () => {
  test.each([false, true])('set forward ends nothing early, across a restart: %s', async (isRestarted) => {
    const { world, run } = await given(dayMs);
    await world.clock.advance(hourMs);
    if (isRestarted) await run.stop();
    world.clock.jumpWall(400 * dayMs);
    if (isRestarted) await world.start();
    await world.clock.advance(20 * hourMs);
    expect(served(world)).toEqual(['a.txt']);
    await world.clock.advance(4 * hourMs);
    expect(served(world)).toEqual([]);
  });

  test('set forward while the engine runs ends nothing early after a reboot', async () => {
    const { world, run } = await given(dayMs);
    world.clock.jumpWall(400 * dayMs);
    await world.clock.advance(hourMs);
    await run.stop();
    world.clock.reboot();
    await world.start();
    await world.clock.advance(20 * hourMs);
    expect(served(world)).toEqual(['a.txt']);
    await world.clock.advance(4 * hourMs);
    expect(served(world)).toEqual([]);
  });

  test.each(['committing', 'uncertain'] as const)(
    'set forward while an upload is %s ends its link no earlier, also after the clock was set back before',
    async (state) => {
      const { world, run } = await begin();
      world.clock.jumpWall(-6 * hourMs);
      await share(world, 'before.txt', 'before');
      if (state === 'uncertain') world.service.faults.push('answer-lost');
      else world.service.latencyMs = 30_000;
      world.disk.write('/else/a.txt', 'content');
      await run.call('files.upload', { paths: ['/else/a.txt'], expire: { afterMs: 6 * hourMs } });
      await world.until('a.txt', state);
      world.clock.jumpWall(2 * hourMs);
      await world.until('a.txt', 'uploaded', hourMs);
      await world.clock.advance(6 * hourMs - 10 * minuteMs);
      expect(served(world)).toContain('a.txt');
      await world.clock.advance(20 * minuteMs);
      expect(served(world)).not.toContain('a.txt');
    },
  );

  test('set back keeps a link alive for as long as it was set back, not for ever', async () => {
    const { world } = await given(dayMs);
    world.clock.jumpWall(-2 * hourMs);
    await world.clock.advance(dayMs + hourMs);
    expect(served(world)).toEqual(['a.txt']);
    await world.clock.advance(2 * hourMs);
    expect(served(world)).toEqual([]);
  });
});
