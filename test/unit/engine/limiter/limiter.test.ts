import { expect, test } from 'vitest';
import { permitOf, refuse, takeAll, takeFor, world } from '../../../support/limiter-world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

// ---------------------------------------------------------------- pace and bursts

test('three go at once, then one every 1.25 s', () => {
  const { clock, limiter } = world();
  expect(takeAll(limiter)).toBe(3);
  expect(limiter.waitFor('upload')).toEqual({ waitMs: 1_250, why: 'pace' });
  clock.advanceNow(1_249);
  expect(takeAll(limiter)).toBe(0);
  clock.advanceNow(1);
  expect(takeAll(limiter)).toBe(1);
  expect(takeFor(clock, limiter, MINUTE_MS + 1_000)).toBe(48);
});

test('a backlog of up to ten goes at once, and pays for it afterwards', () => {
  const { clock, limiter } = world({ backlog: 10 });
  expect(takeAll(limiter)).toBe(10);
  expect(takeFor(clock, limiter, 59_000)).toBeLessThanOrEqual(40);
});

test('a share of the limits is a smaller limit', () => {
  const { limiter } = world({ rules: { share: 0.2 } });
  expect(limiter.view()).toMatchObject({ minute: { limit: 10 }, day: { limit: 1_000 } });
  expect(takeAll(limiter)).toBe(1);
  expect(limiter.waitFor('upload')).toEqual({ waitMs: 6_250, why: 'pace' });
});

test('what is outstanding counts until its answer is a minute old', () => {
  const { clock, limiter } = world({ rules: { perMinute: 2 } });
  const first = permitOf(limiter.tryTake('upload'));
  clock.advanceNow(MINUTE_MS);
  const second = permitOf(limiter.tryTake('upload'));
  clock.advanceNow(5 * MINUTE_MS);
  // Both are outstanding: nothing can free a slot but an answer.
  expect(limiter.waitFor('upload')?.why).toBe('minute');
  limiter.answered(first, { kind: 'ok' });
  expect(limiter.waitFor('upload')?.waitMs).toBe(60_250);
  limiter.answered(second, { kind: 'no-answer' });
  clock.advanceNow(60_250);
  expect(limiter.waitFor('upload')).toBeNull();
});

test('the view counts by lane, outstanding requests included', () => {
  const { clock, limiter } = world();
  permitOf(limiter.tryTake('user'));
  limiter.answered(permitOf(limiter.tryTake('upload')), { kind: 'ok' });
  expect(limiter.view()).toEqual({
    minute: { limit: 50, used: 2 },
    day: { limit: 5_000, used: 2 },
    lanes: {
      minute: { user: 1, upload: 1, background: 0 },
      day: { user: 1, upload: 1, background: 0 },
    },
  });
  clock.advanceNow(2 * MINUTE_MS);
  expect(limiter.view()).toMatchObject({ minute: { used: 1 }, day: { used: 2 } });
});

// ---------------------------------------------------------------- the day

test('the last of the day are kept for the user, and the rest for uploads', () => {
  const { clock, limiter } = world({ rules: { perDay: 200 } });
  expect(takeFor(clock, limiter, HOUR_MS, 'background')).toBe(190);
  expect(takeFor(clock, limiter, HOUR_MS, 'upload')).toBe(6);
  expect(takeFor(clock, limiter, HOUR_MS, 'user')).toBe(4);
  expect(limiter.waitFor('user')?.why).toBe('day');
  const freeInMs = limiter.waitFor('user')?.waitMs ?? 0;
  expect(freeInMs).toBeGreaterThan(21 * HOUR_MS);
  expect(freeInMs).toBeLessThan(21 * HOUR_MS + 3 * MINUTE_MS);
  clock.advanceNow(freeInMs);
  expect(takeAll(limiter, 'user', 1)).toBe(1);
});

test('the daily uploads hold back uploads alone, until the oldest is a day old', () => {
  const committed: number[] = [];
  const committedSince = (sinceMs: number): number => committed.filter((atMs) => atMs >= sinceMs).length;
  const { clock, limiter } = world({ rules: { dailyUploads: 5 }, committedSince });
  const firstMs = clock.wallMs();
  for (let i = 0; i < 5; i++) {
    const permit = permitOf(limiter.tryTake('upload'));
    committed.push(clock.wallMs());
    limiter.answered(permit, { kind: 'ok' });
    clock.advanceNow(MINUTE_MS);
  }
  expect(limiter.waitFor('upload')?.why).toBe('daily-uploads');
  expect(limiter.waitFor('user')).toBeNull();
  const atMs = limiter.nextSlotAt('upload') ?? 0;
  expect(atMs).toBeGreaterThan(firstMs + DAY_MS);
  expect(atMs).toBeLessThan(firstMs + DAY_MS + 40_000);
  clock.advanceNow(atMs - clock.wallMs());
  expect(takeAll(limiter, 'upload', 1)).toBe(1);
});

test('uploads under way count towards the daily uploads, failed ones do not', () => {
  const { limiter, clock } = world({ rules: { dailyUploads: 2 }, committedSince: () => 1 });
  limiter.answered(permitOf(limiter.tryTake('upload')), { kind: 'ok' });
  const underWay = permitOf(limiter.tryTake('upload'));
  clock.advanceNow(MINUTE_MS);
  expect(limiter.waitFor('upload')?.why).toBe('daily-uploads');
  limiter.answered(underWay, { kind: 'no-answer' });
  expect(limiter.waitFor('upload')).toBeNull();
});

// ---------------------------------------------------------------- 429

test('a 429 holds back every lane, and Retry-After says for how long', () => {
  const { clock, limiter } = world();
  refuse(limiter, 30_000);
  for (const lane of ['user', 'upload', 'background'] as const) {
    expect(limiter.waitFor(lane)).toEqual({ waitMs: 30_000, why: 'rate' });
  }
  expect(limiter.pausedBy429UntilMs()).toBe(clock.wallMs() + 30_000);
  clock.advanceNow(30_000);
  expect(limiter.pausedBy429UntilMs()).toBeNull();
  expect(limiter.waitFor('upload')).toBeNull();
});

test('pauses double from 10 to 40 s, and the sixth in a row means that others used up the day', () => {
  const { clock, limiter } = world();
  const pauses: number[] = [];
  for (let i = 0; i < 7; i++) {
    refuse(limiter);
    const waitMs = limiter.waitFor('upload')?.waitMs ?? 0;
    pauses.push(waitMs / 1_000);
    clock.advanceNow(waitMs);
  }
  expect(pauses).toEqual([10, 20, 40, 40, 40, 900, 900]);
  // The probe that is answered ends it, and the pace is what it was before.
  expect(takeFor(clock, limiter, MINUTE_MS + 1_000)).toBe(50);
});

test('429s to requests that left before the pause are one event', () => {
  const { clock, limiter } = world();
  const three = [1, 2, 3].map(() => permitOf(limiter.tryTake('upload')));
  clock.advanceNow(500);
  for (const permit of three) limiter.answered(permit, { kind: 'rate-limited', retryAfterMs: null });
  expect(limiter.waitFor('upload')).toEqual({ waitMs: 10_000, why: 'rate' });
});

test('after a pause one request tries it before the others follow', () => {
  const { clock, limiter } = world();
  refuse(limiter);
  clock.advanceNow(20_000);
  const trial = permitOf(limiter.tryTake('upload'));
  clock.advanceNow(10_000);
  expect(limiter.waitFor('upload')?.why).toBe('rate');
  limiter.answered(trial, { kind: 'ok' });
  expect(limiter.waitFor('upload')).toBeNull();
});

test('the pace drops by a third when a lower one does not help for an hour, and recovers with work, not with rest', () => {
  const { clock, limiter } = world();
  const refused = (): void => {
    clock.advanceNow(limiter.waitFor('upload')?.waitMs ?? 0);
    refuse(limiter);
    clock.advanceNow(20_000);
  };
  refused();
  expect(takeFor(clock, limiter, 5 * MINUTE_MS)).toBeGreaterThan(225);
  refused();
  expect(takeFor(clock, limiter, MINUTE_MS)).toBeLessThanOrEqual(38);
  clock.advanceNow(10 * HOUR_MS);
  expect(takeFor(clock, limiter, MINUTE_MS)).toBeLessThanOrEqual(40);
  // The full pace had stood before, so it is back soon.
  takeFor(clock, limiter, 5 * MINUTE_MS);
  expect(takeFor(clock, limiter, MINUTE_MS)).toBeGreaterThanOrEqual(47);
});

test('a pace that is cut while it rises takes longer to recover', () => {
  const { clock, limiter } = world();
  for (let i = 0; i < 3; i++) {
    takeFor(clock, limiter, 2 * MINUTE_MS);
    clock.advanceNow(limiter.waitFor('upload')?.waitMs ?? 0);
    refuse(limiter);
  }
  takeFor(clock, limiter, 10 * MINUTE_MS);
  expect(takeFor(clock, limiter, MINUTE_MS)).toBeLessThanOrEqual(32);
  takeFor(clock, limiter, 35 * MINUTE_MS);
  expect(takeFor(clock, limiter, MINUTE_MS)).toBeGreaterThanOrEqual(47);
});
