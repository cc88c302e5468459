// What the policy remembers about a request that leaves, and learns from its answer, in edge cases.
import { describe, expect, test } from 'vitest';
import type { LimiterMemory } from '../../../../src-main/engine/limiter/memory.ts';
import {
  answered,
  limitsOf,
  risenRate,
  spend,
  type AnswerMeaning,
} from '../../../../src-main/engine/limiter/policy.ts';
import { intervalMs, nowMs, pro, remembered } from '../../../support/limiter-world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

describe('a request that leaves', () => {
  const dueAfter = (dueMs: number, more: Partial<LimiterMemory> = {}): number =>
    spend(remembered({ dueMs, ...more }), pro, nowMs).dueMs - nowMs;

  test('delays the next one by an interval, counted from now if it was due before', () => {
    expect(dueAfter(nowMs - 5_000)).toBe(intervalMs);
    expect(dueAfter(nowMs)).toBe(intervalMs);
    expect(dueAfter(nowMs + 700)).toBe(700 + intervalMs);
  });

  test('costs twice as much when it is more than three intervals ahead, apart from rounding', () => {
    const aheadMs = 2 * intervalMs;
    expect(dueAfter(nowMs + aheadMs + 1)).toBe(aheadMs + 1 + intervalMs);
    expect(dueAfter(nowMs + aheadMs + 2)).toBe(aheadMs + 2 + 2 * intervalMs);
  });

  test('costs more after a cut', () => {
    expect(dueAfter(nowMs, { cutTo: 24 })).toBe(2 * intervalMs);
  });

  test('changes nothing else in the memory', () => {
    const before = remembered({ cutTo: 24, streak: 2, cleanMinutes: 5 });
    expect(spend(before, pro, nowMs)).toEqual({ ...before, dueMs: nowMs + 2 * intervalMs });
  });
});

const seen = { sentMs: nowMs - 100, minuteUsed: 30, chance: () => 0.5 };
const after = (
  memory: Partial<LimiterMemory>,
  answer: AnswerMeaning,
  more: Partial<typeof seen> = {},
  rules = pro,
): LimiterMemory => answered(remembered(memory), rules, nowMs, answer, { ...seen, ...more });
const limited = (retryAfterMs: number | null = null): AnswerMeaning => ({
  kind: 'rate-limited',
  retryAfterMs,
});
const ok: AnswerMeaning = { kind: 'ok' };

/** The last 429 was less than an hour ago. */
const again = { pausedAtMs: nowMs - HOUR_MS + 1 };

describe('a 429', () => {
  test('pauses everything for 10 to 20 s and ends bursts for a day; the pace stays', () => {
    expect(after({ cleanMinutes: 7, cutTo: 40 }, limited())).toEqual(
      remembered({
        streak: 1,
        cutTo: 40,
        cutBefore: 40,
        pausedAtMs: nowMs,
        pausedUntilMs: nowMs + 15_000,
        cautiousUntilMs: nowMs + DAY_MS,
      }),
    );
  });

  test('pauses twice as long each time, up to four times, and from the sixth on for 15 minutes', () => {
    const pauses = [0, 1, 2, 3, 4, 5, 9].map(
      (streak) => (after({ streak }, limited()).pausedUntilMs - nowMs) / 1_000,
    );
    expect(pauses).toEqual([15, 30, 60, 60, 60, 900, 900]);
  });

  test('pauses as long as the service demands, at least a second, and up to a second more', () => {
    expect(after({}, limited(30_000)).pausedUntilMs).toBe(nowMs + 30_500);
    expect(after({}, limited(20)).pausedUntilMs).toBe(nowMs + 1_500);
  });

  test('pauses twice as long each time in a row, up to five minutes, or as long as the service demands', () => {
    const secondsOf = (streak: number, askedMs: number): number =>
      (after({ streak }, limited(askedMs)).pausedUntilMs - nowMs) / 1000;
    expect([0, 1, 2, 5, 6, 8].map((streak) => secondsOf(streak, 5000))).toEqual([5.5, 11, 22, 176, 300, 300]);
    expect([0, 1, 8].map((streak) => secondsOf(streak, 3_600_000))).toEqual([3600.5, 3600.5, 3600.5]);
  });

  test('stays in force while no answer arrives: only an answer ends the streak', () => {
    const pausing = { streak: 3, pausedAtMs: nowMs - 9_000, pausedUntilMs: nowMs - 1_000 };
    expect(after(pausing, { kind: 'no-answer' }).streak).toBe(3);
    expect(after(pausing, ok).streak).toBe(0);
  });

  test('never shortens a pause', () => {
    expect(after({ pausedUntilMs: nowMs + 99_000 }, limited(5_000)).pausedUntilMs).toBe(nowMs + 99_000);
  });

  test('to a request that left before the pause counts as the same event', () => {
    const pausing = { streak: 1, pausedAtMs: nowMs - 99, pausedUntilMs: nowMs + 9_901 };
    const memory = remembered(pausing);
    expect(answered(memory, pro, nowMs, limited(), seen)).toBe(memory);
    // It may still extend the pause.
    expect(after(pausing, limited(30_000))).toEqual(
      remembered({ ...pausing, pausedUntilMs: nowMs + 30_500 }),
    );
    expect(after(pausing, limited(2_000))).toEqual(remembered(pausing));
    expect(after({ ...pausing, pausedAtMs: nowMs - 100 }, limited()).streak).toBe(2);
    expect(after({ ...pausing, streak: 0 }, limited()).streak).toBe(1);
  });

  test('within an hour of another one cuts the pace by 30 %', () => {
    expect(after(again, limited())).toMatchObject({ cutTo: 48 * 0.7, cutAtMs: nowMs, roseAtMs: nowMs });
    expect(after({ ...again, cutTo: 20 }, limited()).cutTo).toBe(14);
    expect(after({ pausedAtMs: nowMs - HOUR_MS }, limited()).cutTo).toBeNull();
    expect(after({ pausedAtMs: nowMs - HOUR_MS, cutTo: 20 }, limited()).cutTo).toBe(20);
  });

  test('lets the pace recover in large steps if it cut the full pace, but not if it cut a reduced pace', () => {
    expect(after({ ...again, cleanMinutes: 7 }, limited()).cleanMinutes).toBe(40);
    // A twelfth of the limit a minute, never less than the usual quarter of a request.
    const cleanAt = (perMinute: number): number =>
      after(again, limited(), {}, { ...pro, perMinute }).cleanMinutes;
    expect([1, 3, 5, 10, 100].map(cleanAt)).toEqual([0, 0, 7, 17, 50]);
    expect(after({ ...again, cleanMinutes: 7, cutTo: 47 }, limited()).cleanMinutes).toBe(0);
    expect(after({ ...again, cutAtMs: nowMs - 1, cutTo: 33.6, cleanMinutes: 40 }, limited())).toMatchObject({
      cutTo: 33.6,
      cleanMinutes: 0,
    });
  });

  test('cuts at most once a minute', () => {
    const careful = { ...again, cutTo: 20 };
    expect(after({ ...careful, cutAtMs: nowMs - MINUTE_MS + 1 }, limited()).cutTo).toBe(20);
    expect(after({ ...careful, cutAtMs: nowMs - MINUTE_MS }, limited()).cutTo).toBe(14);
  });

  test('leaves at least one request a minute, or what the limit allows', () => {
    const careful = { ...again, cutTo: 1.1 };
    expect(after(careful, limited()).cutTo).toBe(1);
    expect(after(careful, limited(), {}, { ...pro, perMinute: 1 }).cutTo).toBe(0.96);
  });

  test('that means a used-up day does not cut the pace', () => {
    expect(after({ ...again, streak: 5, cutTo: 20 }, limited()).cutTo).toBe(20);
    expect(after({ ...again, streak: 4, cutTo: 20 }, limited()).cutTo).toBe(14);
  });

  test('remembers the pace before the streak', () => {
    expect(after({ cutTo: 20, cutBefore: 30 }, limited()).cutBefore).toBe(20);
    expect(after({ cutTo: 20, cutBefore: 30, streak: 1 }, limited()).cutBefore).toBe(30);
  });
});

describe('a good answer', () => {
  test('changes nothing at full pace', () => {
    const memory = remembered();
    expect(answered(memory, pro, nowMs, ok, seen)).toBe(memory);
  });

  test('to a request that left after the pause ends the streak of 429s', () => {
    expect(after({ streak: 3, pausedAtMs: nowMs - 100 }, ok).streak).toBe(0);
    expect(after({ streak: 3, pausedAtMs: nowMs - 99 }, ok).streak).toBe(3);
  });

  test('after a used-up day restores the earlier pace', () => {
    const cut = { cutTo: 20, cutBefore: 40, roseAtMs: nowMs };
    expect(after({ ...cut, streak: 6 }, ok).cutTo).toBe(40);
    expect(after({ ...cut, streak: 5 }, ok).cutTo).toBe(20);
    expect(after({ ...cut, streak: 0 }, ok).cutTo).toBe(20);
  });

  test('raises the pace by one step a minute', () => {
    const cut = { cutTo: 20, cleanMinutes: 3 };
    expect(after({ ...cut, roseAtMs: nowMs - MINUTE_MS + 1 }, ok).cutTo).toBe(20);
    expect(after({ ...cut, roseAtMs: nowMs - MINUTE_MS }, ok)).toMatchObject({
      cutTo: 20.25,
      cleanMinutes: 4,
      roseAtMs: nowMs,
    });
  });

  test('carries over the rest of a minute, but not of two', () => {
    const roseAt = (agoMs: number): number =>
      after({ cutTo: 20, roseAtMs: nowMs - agoMs }, ok).roseAtMs - nowMs;
    expect(roseAt(119_999)).toBe(-59_999);
    expect(roseAt(120_000)).toBe(0);
  });

  test('in an idle minute, with less than half the pace used, does not raise the pace', () => {
    const cut = { cutTo: 20, roseAtMs: nowMs - 70_000 };
    expect(after(cut, ok, { minuteUsed: 9 })).toEqual(remembered({ ...cut, roseAtMs: nowMs }));
    expect(after(cut, ok, { minuteUsed: 10 }).cutTo).toBe(20.25);
  });
});

test('the steps of a rising pace double every ten minutes, up to 64 times, until the full pace is reached', () => {
  const limits = limitsOf({ ...pro, perMinute: 1_000 });
  const steps = [0, 9, 10, 20, 59, 60, 70, 500].map((minutes) => {
    const { cutTo, cleanMinutes } = risenRate(100, minutes, limits);
    expect(cleanMinutes).toBe(minutes + 1);
    return (cutTo ?? 0) - 100;
  });
  expect(steps).toEqual([0.25, 0.25, 0.5, 1, 8, 16, 16, 16]);
  expect(risenRate(47.7, 0, limitsOf(pro)).cutTo).toBe(47.95);
  expect(risenRate(47.75, 0, limitsOf(pro)).cutTo).toBeNull();
});
