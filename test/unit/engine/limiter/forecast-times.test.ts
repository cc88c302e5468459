// The times of a forecast, to the millisecond: at the pace, at the edges of the windows, with a slow connection.
import { expect, test } from 'vitest';
import { forecast, type Backlog, type Forecast } from '../../../../src-main/engine/limiter/forecast.ts';
import type { LimiterRules } from '../../../../src-main/engine/limiter/policy.ts';
import type { BudgetSnapshot } from '../../../../src-main/engine/limiter/snapshot.ts';
import { intervalMs, pro, world } from '../../../support/limiter-world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The window of the day as the limiter counts it, and the minute of the answer. */
const DAY_WINDOW_MS = 86_430_000 + MINUTE_MS;
const answerMs = 500;

/** A budget at rest, at the beginning of a minute. */
const atRest = world().limiter.snapshot();
const { nowMs } = atRest;

type Given = {
  memory?: Partial<BudgetSnapshot['memory']>;
  budget?: Partial<BudgetSnapshot>;
  rules?: Partial<LimiterRules>;
  backlog?: Partial<Backlog>;
};

/** The forecast, and when a file is done, counted from now. */
const foresee = (files: number, given: Given = {}): Forecast & { after: (n: number) => number | null } => {
  const memory = { ...atRest.memory, ...given.memory };
  const backlog = { files, bytes: 0, bytesPerSecond: null, concurrency: 10, ...given.backlog };
  const seen = forecast({ ...atRest, ...given.budget, memory }, { ...pro, ...given.rules }, backlog);
  const after = (n: number): number | null => {
    const doneAtMs = seen.doneAtMs(n);
    return doneAtMs === null ? null : doneAtMs - nowMs;
  };
  return { ...seen, after };
};

/** How long after the one before it the last file is done. */
const lastGapMs = (files: number, given: Given): number => {
  const { after } = foresee(files, given);
  return (after(files) ?? NaN) - (after(files - 1) ?? NaN);
};

test('three files leave at once, the others one after the other at the pace', () => {
  const { after, nextSlotAtMs, allDoneAtMs, doneWithinDay } = foresee(40);
  expect([1, 3, 4, 5].map(after)).toEqual([
    answerMs,
    answerMs,
    intervalMs + answerMs,
    2 * intervalMs + answerMs,
  ]);
  expect(allDoneAtMs).toBe(nowMs + 37 * intervalMs + answerMs);
  expect(nextSlotAtMs).toBeNull();
  expect(doneWithinDay).toBe(40);
});

test('only waiting files have a forecast', () => {
  const { after } = foresee(40);
  expect([after(0), after(41), after(4_000)]).toEqual([null, null, null]);
});

test('ten files leave at once where no more wait, but not on the day after a 429', () => {
  expect(foresee(10).after(10)).toBe(answerMs);
  expect(foresee(10, { memory: { cautiousUntilMs: nowMs } }).after(10)).toBe(answerMs);
  const cautious = foresee(10, { memory: { cautiousUntilMs: nowMs + DAY_MS } });
  // 95.2 % of 50 a minute.
  expect([3, 4].map(cautious.after)).toEqual([answerMs, Math.round(MINUTE_MS / 47.6) + answerMs]);
});

test('requests that left a moment ago count', () => {
  const oneLeft = foresee(40, { memory: { dueMs: nowMs + intervalMs } });
  expect([2, 3].map(oneLeft.after)).toEqual([answerMs, intervalMs + answerMs]);
  const manyLeft = foresee(40, { memory: { dueMs: nowMs + 10_000 } });
  expect(manyLeft.nextSlotAtMs).toBe(nowMs + 7_500);
  expect([1, 2].map(manyLeft.after)).toEqual([7_500 + answerMs, 7_500 + intervalMs + answerMs]);
});

test('a pace that was cut rises a little each minute', () => {
  const memory = { cutTo: 24 };
  const { after } = foresee(40, { memory });
  expect([3, 4, 5].map(after)).toEqual([answerMs, 2_500 + answerMs, 5_000 + answerMs]);
  // Two or three minutes later, by a quarter of a request each.
  expect(lastGapMs(60, { memory })).toBeGreaterThanOrEqual(Math.floor(MINUTE_MS / 24.75));
  expect(lastGapMs(60, { memory })).toBeLessThanOrEqual(Math.ceil(MINUTE_MS / 24.25));
});

test.each<[string, number, Partial<Backlog>, Partial<LimiterRules>]>([
  ['the connection', 4_000, { bytes: 400_000, bytesPerSecond: 1_000 }, {}],
  ['the connection, and never faster than a byte a second', 4_000, { bytes: 400, bytesPerSecond: 0.1 }, {}],
  [
    'one answer after the other',
    2_500,
    { bytes: 100_000, bytesPerSecond: 1_000, answerMs: 1_500, concurrency: 1 },
    {},
  ],
  [
    'two answers at a time',
    4_000,
    { bytes: 100_000, bytesPerSecond: 1_000, answerMs: 7_000, concurrency: 2 },
    {},
  ],
  ['one answer at a time where no number is known', 2_500, { answerMs: 2_500, concurrency: 0 }, {}],
  [
    'the window of the minute',
    3_200,
    { bytes: 200_000, bytesPerSecond: 1_000, answerMs: 97_750, concurrency: 99 },
    {},
  ],
  ['the share of the account', 6_250, {}, { share: 0.2 }],
])('the pace is that of %s if it is the slowest', (_, gapMs, backlog, rules) => {
  expect(lastGapMs(100, { backlog, rules })).toBe(gapMs);
});

test('a day at the full pace has as many files as the pace allows, and two more at its beginning', () => {
  expect(foresee(100_000, { rules: { perDay: 1_000_000 } }).doneWithinDay).toBe(48 * 1440 + 2);
});

test('a day of large files has those whose answers arrive within it', () => {
  // 100 s each; the answer to the last one would come half a second late.
  const large = { bytes: 1_000 * 1_000_000, bytesPerSecond: 10_000 };
  expect(foresee(1_000, { backlog: large }).doneWithinDay).toBe(863);
  expect(foresee(1_000, { backlog: { ...large, answerMs: 0 } }).doneWithinDay).toBe(864);
});

test('a file that is done exactly at the end of the day is done within it', () => {
  const pausedUntilMs = nowMs + DAY_MS - answerMs;
  expect(foresee(2, { memory: { pausedUntilMs } })).toMatchObject({
    nextSlotAtMs: pausedUntilMs,
    allDoneAtMs: nowMs + DAY_MS,
    doneWithinDay: 2,
  });
  expect(foresee(2, { memory: { pausedUntilMs: pausedUntilMs + 1 } }).doneWithinDay).toBe(0);
});

test('when the day is full, the next file leaves as soon as a request leaves the window', () => {
  const freeing = [
    { atMs: nowMs + 10_000, requests: 10, uploads: 0 },
    { atMs: nowMs + 30_000, requests: 4_887, uploads: 0 },
  ];
  const { after } = foresee(40, { budget: { freeing } });
  expect([3, 4, 7, 13, 14].map(after)).toEqual([
    answerMs,
    10_000 + answerMs,
    10_000 + intervalMs + answerMs,
    10_000 + 7 * intervalMs + answerMs,
    30_000 + answerMs,
  ]);
});

test('a request without an answer counts as answered now', () => {
  const { after } = foresee(40, { budget: { outstanding: { requests: 4_898, uploads: 0 } } });
  expect([2, 3].map(after)).toEqual([answerMs, DAY_WINDOW_MS + answerMs]);
});

test('uploads counted by the account count towards its daily uploads', () => {
  const rules = { dailyUploads: 10 };
  const freeing = [{ atMs: nowMs + 10_000, requests: 20, uploads: 5 }];
  const outstanding = { requests: 4, uploads: 3 };
  const { after } = foresee(40, { rules, budget: { freeing, outstanding } });
  expect([2, 3, 7, 8].map(after)).toEqual([
    answerMs,
    10_000 + answerMs,
    10_000 + 2 * intervalMs + answerMs,
    DAY_WINDOW_MS + answerMs,
  ]);
});

test('a file leaves the window of the day a day after its answer', () => {
  // Nine are for uploads. Each takes a second, and its answer comes in the next minute.
  const slow = { bytes: 40_000, bytesPerSecond: 1_000, answerMs: 59_500, concurrency: 100 };
  const { after } = foresee(40, { rules: { perDay: 10 }, backlog: slow });
  expect(after(10)).toBe(MINUTE_MS + DAY_WINDOW_MS + 60_500);
});

test('an account that allows no uploads is never done', () => {
  const { allDoneAtMs, doneWithinDay, nextSlotAtMs } = foresee(40, { rules: { dailyUploads: 0 } });
  expect({ allDoneAtMs, doneWithinDay, nextSlotAtMs }).toEqual({
    allDoneAtMs: null,
    doneWithinDay: 0,
    nextSlotAtMs: null,
  });
});
