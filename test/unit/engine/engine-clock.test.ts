// A wall clock that is set back, by a person or by the network, delays nothing that was planned.
import { describe, expect, test } from 'vitest';
import { createSince, createSteady } from '../../../src-main/engine/steady.ts';
import { createWorld } from '../../support/fake-world.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const minuteMs = 60_000;
const yearMs = 365 * 24 * 60 * minuteMs;

describe('a wall clock set back by a year', () => {
  test('does not delay the look for a lost upload', async () => {
    const world = createWorld();
    await world.start();
    // The service has a clock of its own.
    world.service.listLagMs = -2 * yearMs;
    world.service.faults.push('answer-lost');
    world.disk.write('/tray/a.txt', 'the content');
    await world.until('a.txt', 'uncertain');
    world.clock.jumpWall(-yearMs);
    await world.until('a.txt', 'uploaded', minuteMs);
  });

  test('does not delay the end of looking for one that never went through', async () => {
    const world = createWorld();
    await world.start();
    world.service.faults.push('tail-lost');
    world.disk.write('/tray/a.txt', 'the content');
    await world.until('a.txt', 'uncertain');
    world.clock.jumpWall(-yearMs);
    const lostAtMs = world.clock.monoMs();
    await world.until('a.txt', 'uploaded', 20 * minuteMs);
    expect(world.clock.monoMs() - lostAtMs).toBeGreaterThan(15 * minuteMs);
  });

  test('does not delay it over a restart either', async () => {
    const world = createWorld();
    await world.start();
    world.service.faults.push('tail-lost');
    world.disk.write('/tray/a.txt', 'the content');
    await world.until('a.txt', 'uncertain');
    await world.running().stop();
    world.clock.jumpWall(-yearMs);
    await world.start();
    await world.until('a.txt', 'uploaded', 35 * minuteMs);
  });

  test.each(['while it runs', 'before a restart'])('%s, does not delay a locked file', async (when) => {
    const world = createWorld();
    await world.start();
    world.disk.write('/tray/a.txt', 'the content');
    await world.until('a.txt', 'settling');
    world.disk.hide('/tray/a.txt', true);
    await world.until('a.txt', 'waiting');
    if (when === 'before a restart') await world.running().stop();
    world.clock.jumpWall(-yearMs);
    if (when === 'before a restart') await world.start();
    world.disk.hide('/tray/a.txt', false);
    await world.until('a.txt', 'uploaded', minuteMs);
  });

  test('before an upload was lost makes looking no hurry', async () => {
    const world = createWorld();
    await world.start();
    world.clock.jumpWall(-yearMs);
    world.service.listLagMs = 14 * minuteMs;
    world.service.faults.push('answer-lost');
    world.disk.write('/tray/a.txt', 'the content');
    await world.until('a.txt', 'uncertain');
    await world.until('a.txt', 'uploaded', 20 * minuteMs);
    expect(world.service.stored).toHaveLength(1);
    expect(world.service.count('list')).toBeLessThan(6);
  });
});

test('steady time follows a jump forward, ignores one back, and goes on with the monotonic clock', () => {
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

test('what happened is as long ago as the slower clock says, and as this process knows at the least', () => {
  const clock = createVirtualClock({ wallMs: 1_000_000 });
  const since = createSince(clock);
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
