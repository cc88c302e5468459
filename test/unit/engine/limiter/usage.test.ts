// What is counted, and until when.
import { expect, test } from 'vitest';
import { createUsage, totalOf } from '../../../../src-main/engine/limiter/usage.ts';

/** The beginning of a minute. */
const startMs = 60_000 * 30_000_000;
const DAY_WINDOW_MS = 86_430_000;

test('an answer counts in the minute for 60.25 s', () => {
  const usage = createUsage();
  usage.add('upload', startMs);
  usage.add('user', startMs + 10);
  expect(usage.minuteFreeAtMs(1)).toBe(startMs + 60_250);
  expect(usage.minuteFreeAtMs(2)).toBe(startMs + 60_260);
  expect(usage.minuteFreeAtMs(3)).toBeNull();
  usage.expire(startMs + 60_249);
  expect(usage.minuteUsed()).toBe(2);
  usage.expire(startMs + 60_250);
  expect(usage.minuteUsed()).toBe(1);
  expect(usage.minuteLanes()).toEqual({ user: 1, agent: 0, upload: 0, background: 0 });
  expect(usage.minuteFreeAtMs(1)).toBe(startMs + 60_260);
});

test('it counts in the day until its whole minute is a day and 30 s old', () => {
  const usage = createUsage();
  usage.add('upload', startMs);
  usage.add('user', startMs + 59_999);
  usage.add('upload', startMs + 60_000);
  const freeAtMs = startMs + 60_000 + DAY_WINDOW_MS;
  expect([1, 2, 3, 4].map(usage.dayFreeAtMs)).toEqual([freeAtMs, freeAtMs, freeAtMs + 60_000, null]);
  usage.expire(freeAtMs - 1);
  expect(usage.dayUsed()).toBe(3);
  usage.expire(freeAtMs);
  expect(usage.dayUsed()).toBe(1);
  expect(usage.dayLanes()).toEqual({ user: 0, agent: 0, upload: 1, background: 0 });
  expect(usage.dayFreeAtMs(1)).toBe(freeAtMs + 60_000);
});

test('a late report is counted at its own time', () => {
  const usage = createUsage();
  for (const afterMs of [120_000, 0, 60_000, 0, 30_000]) usage.add('background', startMs + afterMs);
  expect([1, 2, 3, 4, 5].map(usage.minuteFreeAtMs)).toEqual(
    [0, 0, 30_000, 60_000, 120_000].map((afterMs) => startMs + afterMs + 60_250),
  );
  const first = startMs / 60_000;
  expect(usage.dayCells()).toEqual(
    [3, 1, 1].map((background, minute) => ({
      cell: first + minute,
      user: 0,
      agent: 0,
      upload: 0,
      background,
    })),
  );
});

test('a result is a copy, and does not change', () => {
  const usage = createUsage();
  usage.add('user', startMs);
  const asked = [usage.minuteLanes(), usage.dayLanes(), ...usage.dayCells()];
  usage.add('user', startMs);
  expect(asked.map(totalOf)).toEqual([1, 1, 1]);
});
