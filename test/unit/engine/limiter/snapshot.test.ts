// What the forecast knows about the budget.
import { expect, test } from 'vitest';
import { permitOf, refuse, takeAll, world } from '../../../support/limiter-world.ts';

const HOUR_MS = 3_600_000;

test('a snapshot contains the outstanding requests, the times at which capacity frees, and the next due time', () => {
  const { clock, limiter } = world();
  const startMs = clock.wallMs();
  permitOf(limiter.tryTake('user'));
  permitOf(limiter.tryTake('upload'));
  clock.advanceNow(1_250);
  permitOf(limiter.tryTake('background'));
  expect(takeAll(limiter)).toBe(1);
  clock.advanceNow(58_750);
  expect(takeAll(limiter, 'user', 1)).toBe(1);
  // The clock of tests starts with a minute.
  const firstFreeMs = startMs + 60_000 + 86_430_000;
  expect(limiter.snapshot()).toEqual({
    nowMs: startMs + 60_000,
    minuteUsed: 5,
    memory: {
      dueMs: startMs + 60_000 + 1_250,
      cutTo: null,
      cleanMinutes: 0,
      pausedUntilMs: 0,
      cautiousUntilMs: 0,
    },
    freeing: [
      { atMs: firstFreeMs, requests: 1, uploads: 1 },
      { atMs: firstFreeMs + 60_000, requests: 1, uploads: 0 },
    ],
    outstanding: { requests: 3, uploads: 1 },
  });
});

test('its times are those of the wall clock, even after that was set', () => {
  const { clock, limiter } = world();
  refuse(limiter, 30_000);
  const before = limiter.snapshot();
  clock.jumpWall(HOUR_MS);
  const after = limiter.snapshot();
  const times = ({ nowMs, memory, freeing }: typeof before): number[] => [
    nowMs,
    memory.dueMs,
    memory.pausedUntilMs,
    memory.cautiousUntilMs,
    freeing[0]?.atMs ?? 0,
  ];
  expect(after.nowMs).toBe(clock.wallMs());
  expect(times(after)).toEqual(times(before).map((atMs) => atMs + HOUR_MS));
});
