// A wall clock that is wrong, or is set by a person or by the network, delays nothing that was planned, and nothing is
// sent twice because of it.
import { describe, expect, test } from 'vitest';
import { createSince, createSteady, sinceMark } from '../../../src-main/engine/shared/time.ts';
import { createWorld, loseAnswer, minuteMs, share, started, type World } from '../../support/fake-world.ts';
import { beforeMs, forgotten, stopped } from '../../support/older-ledger.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const yearMs = 365 * 24 * 60 * minuteMs;

describe('a wall clock set back by a year', () => {
  test('does not delay the lookup of a lost upload', async () => {
    const { world } = await started();
    await loseAnswer(world, 'a.txt', 'the content');
    world.clock.jumpWall(-yearMs);
    await world.until('a.txt', 'uploaded', minuteMs);
  });

  test('does not delay sending again an upload that never arrived', async () => {
    const { world } = await started();
    world.service.faults.push('tail-lost');
    await world.put('a.txt', 'the content', 'uncertain');
    world.clock.jumpWall(-yearMs);
    const lostAtMs = world.clock.monoMs();
    await world.until('a.txt', 'uploaded', 20 * minuteMs);
    expect(world.clock.monoMs() - lostAtMs).toBeGreaterThan(15 * minuteMs);
  });

  test('does not delay sending it again across a restart either', async () => {
    const { world } = await started();
    world.service.faults.push('tail-lost');
    await world.put('a.txt', 'the content', 'uncertain');
    await world.running().stop();
    world.clock.jumpWall(-yearMs);
    await world.start();
    await world.until('a.txt', 'uploaded', 35 * minuteMs);
  });

  test.each(['uncertain', 'committing'] as const)(
    'does not make an upload look foreign in the list while it is %s',
    async (kind) => {
      const { world, run } = await started();
      world.service.latencyMs = 20_000;
      world.service.faults.push('answer-lost');
      world.disk.write('/tray/a.txt', 'the content');
      await world.until('a.txt', kind, 2 * minuteMs);
      world.service.latencyMs = 20;
      world.clock.jumpWall(-yearMs);
      await run.call('files.refresh', {});
      expect(world.row('a.txt').state.kind).toBe(kind);
      await world.until('a.txt', 'uploaded', 20 * minuteMs);
      expect(world.service.stored).toHaveLength(1);
    },
  );

  test('while the list is read takes nothing in it for deleted', async () => {
    const { world, run } = await started();
    await share(world, 'a.txt', 'the content');
    await world.clock.advance(60 * minuteMs);
    world.service.latencyMs = 1000;
    const refreshed = run.client.call('files.refresh', {});
    await world.clock.advance(500);
    world.clock.jumpWall(-yearMs);
    await world.during(refreshed);
    const { rows } = await run.call('files.page', {});
    expect(rows).toMatchObject([{ name: 'a.txt', place: 'this-machine' }]);
  });

  test.each(['while it runs', 'before a restart'])('%s, does not delay a locked file', async (when) => {
    const { world } = await started();
    await world.put('a.txt', 'the content', 'settling');
    world.disk.hide('/tray/a.txt', true);
    await world.until('a.txt', 'waiting');
    if (when === 'before a restart') await world.running().stop();
    world.clock.jumpWall(-yearMs);
    if (when === 'before a restart') await world.start();
    world.disk.hide('/tray/a.txt', false);
    await world.until('a.txt', 'uploaded', minuteMs);
  });

  test('before an upload was lost does not speed up its lookups', async () => {
    const { world } = await started();
    world.clock.jumpWall(-yearMs);
    world.service.listLagMs = 14 * minuteMs;
    await loseAnswer(world, 'a.txt', 'the content');
    await world.until('a.txt', 'uploaded', 20 * minuteMs);
    expect(world.service.stored).toHaveLength(1);
    expect(world.service.count('list')).toBeLessThan(6);
  });
});

describe('a wall clock set forward by an hour', () => {
  /** The list shows the file ten minutes after its tail; until then nothing shows that the service has it. */
  const slowly = async (given: Parameters<typeof createWorld>[0] = {}) => {
    const world = createWorld(given);
    await world.start();
    world.service.listLagMs = 10 * minuteMs;
    return world;
  };
  const foundOnce = async (world: World) => {
    await world.until('a.txt', 'uploaded', 20 * minuteMs);
    expect(world.service.stored).toHaveLength(1);
  };

  test.each([{}, { boot: null }])(
    'while an answer is pending does not speed up lookups, %o',
    async (given) => {
      const world = await slowly(given);
      world.service.latencyMs = 20_000;
      world.service.faults.push('answer-lost');
      await world.put('a.txt', 'the content', 'committing');
      world.clock.jumpWall(60 * minuteMs);
      await world.until('a.txt', 'uncertain');
      await foundOnce(world);
    },
  );

  test('before a crash does not either, where the machine counts the time since its boot', async () => {
    const world = await slowly();
    await loseAnswer(world, 'a.txt', 'the content');
    world.clock.jumpWall(60 * minuteMs);
    world.running().life.kill();
    await world.start();
    await foundOnce(world);
  });
});

describe.each([2, -2])('a wall clock that is off by %i hours when an engine starts', (hours) => {
  test.each([0, 2000, 20 * minuteMs])(
    'hides nothing that an older ledger has forgotten, set right after %i ms',
    async (afterMs) => {
      const world = await stopped();
      forgotten(world, 'a.txt', 'uploaded in the lost hour');
      await world.clock.advance(beforeMs);
      world.clock.jumpWall(hours * 60 * minuteMs);
      const run = await world.start();
      await world.clock.advance(afterMs);
      world.clock.jumpWall(-hours * 60 * minuteMs);
      await run.call('files.refresh', {});
      await world.until('a.txt', 'uploaded', 10 * minuteMs);
      expect(world.service.stored.map(({ name }) => name)).toEqual(['first.txt', 'a.txt']);
    },
  );
});

describe('a wall clock that was three hours ahead when an engine with an older ledger started', () => {
  const aheadMs = 180 * minuteMs;
  /** The doubt stays: an upload of another machine is in the list. `before`: what is there at the start. */
  const begun = async (before: (world: World) => void = () => undefined): Promise<World> => {
    const world = await stopped();
    world.service.addForeign('theirs.txt', 'of another machine');
    before(world);
    await world.clock.advance(beforeMs);
    world.clock.jumpWall(aheadMs);
    const run = await world.start();
    await world.clock.advance(1000);
    world.clock.jumpWall(-aheadMs);
    await run.call('files.refresh', {});
    return world;
  };

  test('gives a lost upload no file that was there before it', async () => {
    const world = await begun();
    await share(world, 'new.txt', 'the list is read before it');
    const { link } = world.service.addForeign('a.txt', 'the content');
    await world.running().call('files.refresh', {});
    await world.clock.advance(minuteMs);
    world.service.faults.push('tail-lost');
    await world.put('a.txt', 'the content', 'uncertain');
    await world.until('a.txt', 'uploaded', 20 * minuteMs);
    expect(world.row('a.txt').publicLink).not.toBe(link);
  });

  test('hides nothing behind what was uploaded since, also after a restart', async () => {
    const world = await begun((world) => {
      forgotten(world, 'late.txt', 'uploaded in the lost hour');
      for (let at = 0; at < 30; at += 1)
        world.service.addForeign(`${String(at)}.txt`, `of another machine ${String(at)}`);
      world.disk.lock('/tray/late.txt', true);
    });
    await share(world, 'new.txt', 'newer than the doubt');
    await world.running().stop();
    await world.clock.advance(20 * minuteMs);
    world.disk.lock('/tray/late.txt', false);
    await world.start();
    await world.until('late.txt', 'uploaded', 20 * minuteMs);
    expect(world.service.stored.filter(({ name }) => name === 'late.txt')).toHaveLength(1);
  });
});

test('statistics that were read by a clock that was days ahead are read again before the next upload', async () => {
  const world = createWorld();
  world.clock.jumpWall(3 * 24 * 60 * minuteMs);
  const run = await world.start();
  await share(world, 'a.txt', 'one');
  await run.stop();
  world.clock.jumpWall(-3 * 24 * 60 * minuteMs);
  await world.start();
  const before = world.service.count('stats');
  await share(world, 'b.txt', 'two');
  expect(world.service.count('stats')).toBe(before + 1);
});

test('the machine’s own count gives the age of a moment of the same boot, and of no other', () => {
  expect(sinceMark({ id: 'a', ms: 10 }, { id: 'a', ms: 35 })).toBe(25);
  expect(sinceMark({ id: 'a', ms: 10 }, { id: 'b', ms: 35 })).toBeNull();
  expect(sinceMark({ id: 'a', ms: 36 }, { id: 'a', ms: 35 })).toBeNull();
  expect(sinceMark({ id: 'a', ms: 10 }, null)).toBeNull();
  expect(sinceMark(undefined, { id: 'a', ms: 35 })).toBeNull();
});

test('steady time follows a jump forward, ignores one back, and continues with the monotonic clock', () => {
  const clock = createVirtualClock({ wallMs: 1_000_000 });
  const steadyMs = createSteady(clock);
  clock.jumpWall(5000);
  expect(steadyMs()).toBe(1_005_000);
  clock.jumpWall(-60_000);
  clock.advanceNow(300);
  expect(steadyMs()).toBe(1_005_300);
  clock.jumpWall(100_000);
  expect(steadyMs()).toBe(1_045_300);
});

test('an event is as old as the slower clock says, and at least as old as this process knows', () => {
  const clock = createVirtualClock({ wallMs: 1_000_000 });
  const since = createSince<number>(clock);
  expect(since.ms(1, 999_000)).toBe(1000);
  since.note(new Set([1]));
  clock.jumpWall(3_600_000);
  clock.advanceNow(10);
  expect(since.ms(1, 999_000)).toBe(1010);
  clock.jumpWall(-7_200_000);
  clock.advanceNow(10);
  expect(since.ms(1, 999_000)).toBe(20);
  since.note(new Set([2]));
  expect(since.ms(1, 999_000)).toBeLessThan(0);
});
