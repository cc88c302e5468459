// The limiter's own time, check by check.
import { describe, expect, test } from 'vitest';
import { firstLook, lookAt, nextLook, type ClockLook } from '../../../../src-main/engine/limiter/elapsed.ts';

const wallMs = 1_900_000_000_000;
const HOUR_MS = 3_600_000;

/** How far each clock is from the first look, and the offset that is stored then. */
type Later = { wall: number; mono: number; stored?: number };
const start = (offsetMs = 0): ClockLook => firstLook(wallMs, 500, offsetMs);
const later = (last: ClockLook, { wall, mono, stored = last.storedOffsetMs }: Later): ClockLook =>
  nextLook(last, wallMs + wall, 500 + mono, stored);
/** Time and offset since the first look. */
const seen = (look: ClockLook): [passedMs: number, offsetMs: number] => [look.nowMs - wallMs, look.offsetMs];

test('the first check continues from the stored offset', () => {
  expect(seen(start(-5_000))).toEqual([-5_000, -5_000]);
  expect(seen(lookAt(wallMs + 70, wallMs, 500, 0))).toEqual([70, 70]);
});

test('time is whole milliseconds, rounded down', () => {
  const look = later(start(), { wall: 1_235, mono: 1_234.9 });
  expect(seen(look)).toEqual([1_234, 0]);
  expect(Number.isInteger(firstLook(wallMs + 0.5, 500.25, 0.75).nowMs)).toBe(true);
  expect(firstLook(wallMs, 500, 0.75)).toMatchObject({ nowMs: wallMs, offsetMs: 0, anchorOffsetMs: 0 });
});

test('clocks that drift apart by up to 200 ms have not jumped: the smaller time has passed, the offset stays', () => {
  const first = start();
  expect(seen(later(first, { wall: 1_200, mono: 1_000 }))).toEqual([1_000, 0]);
  expect(seen(later(first, { wall: 800, mono: 1_000 }))).toEqual([800, 0]);
  expect(later(first, { wall: 800, mono: 1_000 }).anchorMonoMs).toBe(first.anchorMonoMs);
  // With an offset that is stored, the same.
  expect(seen(later(start(-5_000), { wall: 1_100, mono: 1_000 }))).toEqual([-4_000, -5_000]);
});

describe('a wall clock that jumps forward', () => {
  test('lets only the time of the monotonic clock pass, and the jump becomes the offset', () => {
    const look = later(start(), { wall: HOUR_MS + 1_000, mono: 1_000 });
    expect(seen(look)).toEqual([1_000, -HOUR_MS]);
    expect(seen(later(look, { wall: HOUR_MS + 3_000, mono: 3_000 }))).toEqual([3_000, -HOUR_MS]);
    expect(seen(later(start(), { wall: 1_201, mono: 1_000 }))).toEqual([1_000, -201]);
  });

  test('lets its time pass after all when the monotonic clock follows', () => {
    const slept = later(start(), { wall: HOUR_MS, mono: 1_000 });
    expect(seen(later(slept, { wall: HOUR_MS + 500, mono: HOUR_MS + 500 }))).toEqual([HOUR_MS + 500, 0]);
  });
});

describe('a wall clock that jumps backward', () => {
  test('stops the time at the last check, from which it continues', () => {
    const before = later(start(), { wall: 5_000, mono: 5_000 });
    const look = later(before, { wall: 6_000 - HOUR_MS, mono: 6_000 });
    expect(seen(look)).toEqual([5_000, HOUR_MS - 1_000]);
    expect(seen(later(look, { wall: 8_000 - HOUR_MS, mono: 8_000 }))).toEqual([7_000, HOUR_MS - 1_000]);
  });

  test('by a little still lets the time of the wall clock pass', () => {
    const before = later(start(), { wall: 5_000, mono: 5_000 });
    const look = later(before, { wall: 5_300, mono: 6_000 });
    expect(seen(look)).toEqual([5_300, 0]);
    // A new comparison has begun: the clocks agree again.
    expect(look.anchorMonoMs).toBe(6_500);
    expect(seen(later(look, { wall: 6_300, mono: 7_000 }))).toEqual([6_300, 0]);
    expect(later(start(), { wall: 799, mono: 1_000 }).anchorMonoMs).toBe(1_500);
  });

  test('after a jump forward stops the time as well', () => {
    const forward = later(start(), { wall: HOUR_MS, mono: 1_000 });
    expect(seen(later(forward, { wall: 1_500, mono: 2_000 }))).toEqual([1_000, -500]);
  });
});

describe('an offset that another process has stored', () => {
  test('counts, because that process saw the same jump', () => {
    const look = later(start(), { wall: 2_000 - HOUR_MS, mono: 2_000, stored: HOUR_MS });
    expect(seen(look)).toEqual([2_000, HOUR_MS]);
    expect(look).toMatchObject({ storedOffsetMs: HOUR_MS, anchorMonoMs: 2_500 });
  });

  test('counts up to 200 ms beyond the monotonic clock, and no further', () => {
    expect(seen(later(start(), { wall: 2_000, mono: 2_000, stored: 200 }))).toEqual([2_200, 200]);
    const further = later(start(), { wall: 2_000, mono: 2_000, stored: 201 });
    expect(seen(further)).toEqual([2_000, 0]);
    expect(further.storedOffsetMs).toBe(201);
  });

  test('counts once: the same offset again, and our own, restart nothing', () => {
    const first = start(-100);
    expect(later(first, { wall: 1_000, mono: 1_000 }).anchorMonoMs).toBe(first.anchorMonoMs);
    const jumped = later(start(), { wall: HOUR_MS, mono: 0 });
    const stored = later(jumped, { wall: HOUR_MS + 10, mono: 10, stored: -HOUR_MS });
    expect(stored.anchorMonoMs).toBe(jumped.anchorMonoMs);
    expect(stored.storedOffsetMs).toBe(-HOUR_MS);
  });
});
