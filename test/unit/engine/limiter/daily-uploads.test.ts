// The uploads of a rolling day: how long until one more fits, and how rarely the ledger is queried for it.
import { expect, test } from 'vitest';
import { createDailyUploads } from '../../../../src-main/engine/limiter/daily-uploads.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

const DAY_WINDOW_MS = 86_430_000;

/** Uploads that were committed `agesMs` before the start. */
const world = (...agesMs: number[]) => {
  const clock = createVirtualClock();
  const committed = agesMs.map((ageMs) => clock.wallMs() - ageMs);
  let asked = 0;
  const daily = createDailyUploads(clock, (sinceMs) => {
    asked++;
    return committed.filter((atMs) => atMs >= sinceMs).length;
  });
  return { clock, committed, daily, asked: () => asked };
};

test('without a limit, or with fewer permits spent than it allows, the ledger is not queried', () => {
  const { daily, asked } = world(1_000, 2_000);
  expect(daily.waitMs(null, 500, 0)).toBeNull();
  expect(daily.waitMs(3, 2, 0)).toBeNull();
  expect(asked()).toBe(0);
});

test('permits that caused no upload leave room', () => {
  const { daily } = world(1_000);
  expect(daily.waitMs(2, 2, 0)).toBeNull();
});

test('a full day has room again once the oldest of the last `limit` leaves the window, to the second', () => {
  const { clock, daily, asked } = world(20_000_000, 10_000_000, 5_000_000);
  const waitMs = daily.waitMs(2, 3, 0) ?? 0;
  expect(waitMs).toBeGreaterThan(DAY_WINDOW_MS - 10_000_000);
  expect(waitMs).toBeLessThanOrEqual(DAY_WINDOW_MS - 10_000_000 + 1_000);
  expect(asked()).toBeLessThanOrEqual(18);
  clock.advanceNow(waitMs);
  expect(daily.waitMs(2, 3, 0)).toBeNull();
});

test('the wait is never shorter than a second', () => {
  const { daily } = world(DAY_WINDOW_MS - 1);
  expect(daily.waitMs(1, 1, 0)).toBe(1_000);
});

test('while the day is full the ledger is queried again only after a minute: other processes upload too', () => {
  const { clock, committed, daily, asked } = world(10_000_000);
  const firstMs = daily.waitMs(1, 1, 0) ?? 0;
  const once = asked();
  clock.advanceNow(59_999);
  expect(daily.waitMs(1, 1, 0)).toBe(firstMs - 59_999);
  expect(asked()).toBe(once);
  committed.push(clock.wallMs());
  clock.advanceNow(1);
  expect(daily.waitMs(1, 1, 0)).toBeGreaterThan(DAY_WINDOW_MS - 1_000);
});

test('room within the minute is found at once', () => {
  const { clock, daily, asked } = world(DAY_WINDOW_MS - 20_000);
  const waitMs = daily.waitMs(1, 1, 0) ?? 0;
  expect(waitMs).toBeLessThanOrEqual(21_000);
  const once = asked();
  clock.advanceNow(waitMs);
  expect(daily.waitMs(1, 1, 0)).toBeNull();
  expect(asked()).toBe(once + 1);
});

test('another limit, and an upload that ended, cause a new count at once', () => {
  const { committed, daily } = world(10_000_000);
  expect(daily.waitMs(1, 1, 0)).not.toBeNull();
  expect(daily.waitMs(2, 2, 0)).toBeNull();
  expect(daily.waitMs(1, 1, 0)).not.toBeNull();
  committed.pop();
  expect(daily.waitMs(1, 1, 0)).not.toBeNull();
  daily.forget();
  expect(daily.waitMs(1, 1, 0)).toBeNull();
});

test('uploads under way may still be committed: a day that they fill is checked every minute', () => {
  const { daily } = world(10_000_000);
  expect(daily.waitMs(2, 2, 1)).toBe(60_000);
  expect(daily.waitMs(3, 3, 1)).toBeNull();
});
