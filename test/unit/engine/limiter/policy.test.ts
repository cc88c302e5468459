// When the next request may leave, in edge cases of every reason to wait. What follows from a request and from its answer
// is in answers.test.ts, and how everything works together in limiter.test.ts and models.test.ts.
import { describe, expect, test } from 'vitest';
import type { Lane } from '../../../../src-main/contract/model.ts';
import type { LimiterMemory } from '../../../../src-main/engine/limiter/memory.ts';
import {
  dayLimitOf,
  limitsOf,
  nextSlot,
  paceOf,
  rateOf,
  type Load,
  type Slot,
} from '../../../../src-main/engine/limiter/policy.ts';
import { intervalMs, nowMs, pro, remembered } from '../../../support/limiter-world.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

describe('the limits', () => {
  test.each([
    [50, 48, 3, 10],
    [1_000, 960, 3, 10],
    [49, 47.04, 2, 9],
    [25, 24, 2, 5],
    [24, 23.04, 1, 4],
    [4, 3.84, 1, 1],
    [1, 0.96, 1, 1],
  ])(
    'of %i a minute: %d at even pace, %i at once, %i when few wait',
    (perMinute, pace, burst, smallBurst) => {
      const limits = limitsOf({ ...pro, perMinute });
      expect(limits).toMatchObject({ perMinute, burst, smallBurst });
      expect(limits.pace).toBeCloseTo(pace);
    },
  );

  test('are the share of the account that is ours, rounded down, and never nothing', () => {
    expect(limitsOf({ ...pro, perMinute: 9, perDay: 99, share: 0.5 })).toMatchObject({
      perMinute: 4,
      perDay: 49,
    });
    expect(limitsOf({ ...pro, perMinute: 9, perDay: 9, share: 0.1 })).toMatchObject({
      perMinute: 1,
      perDay: 1,
    });
  });

  test('of the day keep a part for clicks, and never all', () => {
    const day = (perDay: number): number[] =>
      (['user', 'upload', 'background'] as const).map((lane) =>
        dayLimitOf(lane, limitsOf({ ...pro, perDay })),
      );
    expect(day(1_000)).toEqual([1_000, 980, 950]);
    expect(day(1)).toEqual([1, 1, 1]);
  });

  test('after a cut the pace is the smaller of the two', () => {
    const limits = limitsOf(pro);
    expect(rateOf(remembered(), limits)).toBe(48);
    expect(rateOf(remembered({ cutTo: 20 }), limits)).toBe(20);
    expect(rateOf(remembered({ cutTo: 200 }), limits)).toBe(48);
  });
});

// ---------------------------------------------------------------- when

const idle: Load = {
  minuteUsed: 0,
  dayUsed: 0,
  minuteFreeAtMs: () => null,
  dayFreeAtMs: () => null,
  lastSentMs: null,
  dailyUploadAtMs: () => null,
  backlog: () => 1_000,
};
const slot = (
  memory: Partial<LimiterMemory>,
  load: Partial<Load> = {},
  lane: Lane = 'upload',
  rules = pro,
): Slot => nextSlot(remembered(memory), { ...idle, ...load }, rules, nowMs, lane);
const now: Slot = { kind: 'now' };
const at = (atMs: number, why: 'minute' | 'pace' | 'day' | 'daily-uploads' | 'rate'): Slot => ({
  kind: 'at',
  atMs,
  why,
});

describe('the next request', () => {
  test.each(['user', 'upload', 'background'] as const)('of lane %s leaves at once from rest', (lane) => {
    expect(slot({}, {}, lane)).toEqual(now);
  });

  test('waits for the end of a pause, and leaves when it ends', () => {
    expect(slot({ pausedUntilMs: nowMs + 1 })).toEqual(at(nowMs + 1, 'rate'));
    expect(slot({ pausedUntilMs: nowMs })).toEqual(now);
  });

  test('waits 30 s after a pause for the trial request, if that left after the pause', () => {
    const pausedUntilMs = nowMs - 10_000;
    expect(slot({ streak: 1, pausedUntilMs }, { lastSentMs: pausedUntilMs })).toEqual(
      at(nowMs + 20_000, 'rate'),
    );
    expect(slot({ streak: 1, pausedUntilMs }, { lastSentMs: pausedUntilMs - 1 })).toEqual(now);
    expect(slot({ streak: 1, pausedUntilMs }, { lastSentMs: null })).toEqual(now);
    expect(slot({ streak: 0, pausedUntilMs }, { lastSentMs: pausedUntilMs })).toEqual(now);
  });

  test('waits until the minute has room again below the limit', () => {
    const minuteFreeAtMs = (count: number): number => nowMs + count;
    expect(slot({}, { minuteUsed: 49, minuteFreeAtMs })).toEqual(now);
    expect(slot({}, { minuteUsed: 50, minuteFreeAtMs })).toEqual(at(nowMs + 1, 'minute'));
    expect(slot({}, { minuteUsed: 52, minuteFreeAtMs })).toEqual(at(nowMs + 3, 'minute'));
  });

  test('waits for the day as well, by the limit of its lane', () => {
    const load = { dayUsed: 4_900, dayFreeAtMs: (count: number): number => nowMs + count };
    expect(slot({}, load, 'user')).toEqual(now);
    expect(slot({}, load, 'upload')).toEqual(at(nowMs + 1, 'day'));
    expect(slot({}, load, 'background')).toEqual(at(nowMs + 151, 'day'));
  });

  test('waits for the daily uploads only if it is an upload', () => {
    const load = { dailyUploadAtMs: () => nowMs + 5 };
    expect(slot({}, load, 'upload')).toEqual(at(nowMs + 5, 'daily-uploads'));
    expect(slot({}, load, 'user')).toEqual(now);
    expect(slot({}, load, 'background')).toEqual(now);
  });

  test('waits for the latest of several reasons, and names it', () => {
    const load = (minuteMs: number, dayMs: number, dailyMs: number): Partial<Load> => ({
      minuteUsed: 50,
      minuteFreeAtMs: () => nowMs + minuteMs,
      dayUsed: 5_000,
      dayFreeAtMs: () => nowMs + dayMs,
      dailyUploadAtMs: () => nowMs + dailyMs,
    });
    const pausedUntilMs = nowMs + 5;
    expect(slot({ pausedUntilMs }, load(1, 2, 3))).toEqual(at(nowMs + 5, 'rate'));
    expect(slot({ pausedUntilMs }, load(9, 2, 3))).toEqual(at(nowMs + 9, 'minute'));
    expect(slot({ pausedUntilMs }, load(6, 9, 3))).toEqual(at(nowMs + 9, 'day'));
    expect(slot({ pausedUntilMs }, load(6, 7, 9))).toEqual(at(nowMs + 9, 'daily-uploads'));
    expect(slot({ pausedUntilMs }, load(5, 5, 5))).toEqual(at(nowMs + 5, 'rate'));
  });

  test('waits for an answer when nothing frees by itself, however late everything else is', () => {
    const pausedUntilMs = nowMs + DAY_MS;
    const later = { dayUsed: 5_000, dayFreeAtMs: () => nowMs + 2 * DAY_MS };
    expect(slot({ pausedUntilMs }, { minuteUsed: 50, ...later })).toEqual({
      kind: 'after-answer',
      why: 'minute',
    });
    expect(slot({ pausedUntilMs }, { dayUsed: 5_000, minuteUsed: 50 })).toEqual({
      kind: 'after-answer',
      why: 'minute',
    });
    expect(slot({}, { dayUsed: 5_000 })).toEqual({ kind: 'after-answer', why: 'day' });
  });
});

describe('the pace', () => {
  test('lets three requests leave ahead of it', () => {
    const aheadMs = 2 * intervalMs;
    expect(slot({ dueMs: nowMs + aheadMs })).toEqual(now);
    expect(slot({ dueMs: nowMs + aheadMs + 1 })).toEqual(at(nowMs + 1, 'pace'));
  });

  test('is lower in the day after a 429, unless it is cut further, and lets only three leave ahead', () => {
    const careful = { cautiousUntilMs: nowMs + 1 };
    const aheadMs = (2 * MINUTE_MS) / 47.6;
    const slow = { ...careful, cutTo: 20, dueMs: nowMs + 6_001 };
    expect(slot({ ...careful, dueMs: nowMs + aheadMs })).toEqual(now);
    expect(slot({ ...careful, dueMs: nowMs + aheadMs + 1 })).toEqual(at(nowMs + 1, 'pace'));
    expect(slot({ ...careful, dueMs: nowMs + aheadMs + 1 }, { backlog: () => 1 })).toEqual(
      at(nowMs + 1, 'pace'),
    );
    expect(slot({ cautiousUntilMs: nowMs, dueMs: nowMs + aheadMs }).kind).toBe('at');
    expect(slot(slow)).toEqual(at(nowMs + 1, 'pace'));
  });

  test('is the minimum of the limits and of the day after a 429', () => {
    const limits = limitsOf(pro);
    expect(paceOf(limits, nowMs, nowMs)).toBe(48);
    expect(paceOf(limits, nowMs + 1, nowMs)).toBeCloseTo(47.6);
  });

  test('lets ten of a small backlog leave ahead, each beyond the three at twice the price', () => {
    const few = { backlog: () => 10, minuteUsed: 9 };
    const aheadMs = 15 * intervalMs;
    expect(slot({ dueMs: nowMs + aheadMs }, few)).toEqual(now);
    expect(slot({ dueMs: nowMs + aheadMs + 1 }, few)).toEqual(at(nowMs + 1, 'pace'));
    expect(slot({ dueMs: nowMs + aheadMs, cautiousUntilMs: nowMs }, few)).toEqual(now);
    const asMany = at(nowMs + 13 * intervalMs, 'pace');
    expect(slot({ dueMs: nowMs + aheadMs }, { ...few, backlog: () => 11 })).toEqual(asMany);
    expect(slot({ dueMs: nowMs + aheadMs }, { ...few, minuteUsed: 10 })).toEqual(asMany);
  });

  test('of a small limit lets fewer leave ahead, and of the smallest none', () => {
    const few = { backlog: () => 1 };
    // 20 a minute: an interval of 3.125 s, one at once, four of a small backlog.
    const of = (perMinute: number, dueMs: number): Slot =>
      slot({ dueMs }, few, 'upload', { ...pro, perMinute });
    expect(of(20, nowMs + 5 * 3_125)).toEqual(now);
    expect(of(20, nowMs + 5 * 3_125 + 1)).toEqual(at(nowMs + 1, 'pace'));
    expect(of(5, nowMs + 1)).toEqual(at(nowMs + 1, 'pace'));
  });

  test('queries the number of waiting requests only when it matters', () => {
    let asked = 0;
    const backlog = (): number => ++asked;
    slot({}, { backlog });
    slot({ dueMs: nowMs + 20 * intervalMs }, { backlog, minuteUsed: 10 });
    slot({ dueMs: nowMs + 20 * intervalMs, cautiousUntilMs: nowMs + 1 }, { backlog });
    expect(asked).toBe(0);
    slot({ dueMs: nowMs + 20 * intervalMs }, { backlog });
    expect(asked).toBe(1);
  });
});
