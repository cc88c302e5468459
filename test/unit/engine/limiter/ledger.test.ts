import { expect, test } from 'vitest';
import { permitOf, refuse, takeAll, world } from '../../../support/limiter-world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

// ---------------------------------------------------------------- the ledger

test('a transaction that is rolled back takes its permit back', () => {
  const { ledger, limiter } = world();
  for (let i = 0; i < 20; i++) {
    expect(() =>
      ledger.atomically(() => {
        permitOf(limiter.tryTake('upload'));
        throw new Error('the disk is full');
      }),
    ).toThrow('the disk is full');
  }
  expect(limiter.view().minute.used).toBe(0);
  expect(takeAll(limiter)).toBe(3);
});

test('answering twice, or a permit that was rolled back, changes nothing', () => {
  const { limiter } = world();
  const permit = permitOf(limiter.tryTake('upload'));
  limiter.answered(permit, { kind: 'ok' });
  limiter.answered(permit, { kind: 'rate-limited', retryAfterMs: 60_000 });
  expect(limiter.pausedBy429UntilMs()).toBeNull();
  expect(limiter.view().minute.used).toBe(1);
});

test('a restart goes on where the last run was killed', () => {
  const { clock, limiter, start } = world();
  for (let i = 0; i < 3; i++) permitOf(limiter.tryTake('upload'));
  clock.advanceNow(1_250);
  refuse(limiter, 20_000);
  const next = start();
  next.recover();
  expect(next.view().minute.used).toBe(4);
  expect(next.waitFor('upload')?.why).toBe('rate');
  clock.advanceNow(60_250);
  expect(next.view().minute.used).toBe(0);
});
test('app and command on one ledger share one account', () => {
  const { clock, limiter, start } = world({ isAlive: () => true });
  const command = start('command:1');
  expect(takeAll(limiter)).toBe(3);
  expect(takeAll(command)).toBe(0);
  clock.advanceNow(1_250);
  const theirs = permitOf(command.tryTake('user'));
  expect(limiter.view()).toMatchObject({ minute: { used: 4 }, lanes: { minute: { user: 1, upload: 3 } } });
  clock.advanceNow(10 * MINUTE_MS);
  expect(limiter.view().minute.used).toBe(1);
  command.answered(theirs, { kind: 'ok' });
  clock.advanceNow(30_000);
  expect(limiter.view().minute.used).toBe(1);
  clock.advanceNow(30_250);
  expect(limiter.view().minute.used).toBe(0);
});

test('a permit whose process cannot be asked is given up after two minutes', () => {
  const { clock, limiter, start } = world();
  permitOf(start('command:1').tryTake('upload'));
  clock.advanceNow(119_000);
  expect(limiter.view().minute.used).toBe(1);
  clock.advanceNow(1_000 + 60_250);
  limiter.view();
  clock.advanceNow(60_250);
  expect(limiter.view().minute.used).toBe(0);
});

test.each([['text'], [{ version: 2 }], [{ version: 1, dueMs: 'soon' }], [[1, 2]]])(
  'a memory that cannot be read (%j) is replaced by a cautious one',
  (strange) => {
    // Of a small backlog ten would go.
    const { clock, ledger, limiter, start } = world({ backlog: 5 });
    expect(takeAll(limiter)).toBe(10);
    ledger.permits.remember(strange);
    clock.advanceNow(2 * MINUTE_MS);
    const next = start();
    next.recover();
    expect(takeAll(next)).toBe(3);
  },
);

test('recover forgets permits that no longer count', () => {
  const { clock, ledger, limiter, start } = world();
  takeAll(limiter);
  clock.advanceNow(2 * DAY_MS);
  start().recover();
  expect(ledger.rows()).toHaveLength(0);
});

// ---------------------------------------------------------------- clocks

test.each([
  ['an hour forward', HOUR_MS],
  ['an hour backward', -HOUR_MS],
  ['a year forward', 365 * DAY_MS],
  ['a year backward', -365 * DAY_MS],
])('a wall clock set %s neither frees a slot early nor late', (_, jumpMs) => {
  const { clock, limiter } = world({ rules: { perMinute: 1 } });
  takeAll(limiter);
  clock.advanceNow(30_000);
  limiter.view();
  clock.jumpWall(jumpMs);
  expect(limiter.waitFor('upload')?.waitMs).toBeGreaterThan(30_000);
  expect(limiter.waitFor('upload')?.waitMs).toBeLessThanOrEqual(62_500 - 30_000);
  clock.advanceNow(32_500);
  expect(limiter.waitFor('upload')).toBeNull();
});

test.each([
  ['forward', HOUR_MS],
  ['backward', -HOUR_MS],
])('a wall clock set %s is remembered over a restart', (_, jumpMs) => {
  const { clock, limiter, start } = world({ rules: { perDay: 3 } });
  takeAll(limiter);
  clock.advanceNow(12 * HOUR_MS);
  limiter.view();
  clock.jumpWall(jumpMs);
  limiter.view();
  const next = start();
  next.recover();
  expect(next.view().day.used).toBe(2);
  clock.advanceNow(11.9 * HOUR_MS);
  expect(next.view().day.used).toBe(2);
  clock.advanceNow(0.2 * HOUR_MS);
  expect(next.view().day.used).toBe(0);
});

test('a wall clock set back while nothing ran makes nobody wait longer than the window', () => {
  const { clock, limiter, start } = world({ rules: { perMinute: 1 } });
  takeAll(limiter);
  clock.jumpWall(-30 * DAY_MS);
  clock.advanceNow(10_000);
  const next = start();
  next.recover();
  expect(next.waitFor('upload')?.waitMs).toBeLessThanOrEqual(62_500);
  clock.advanceNow(30_000);
  // Started again, the time that passed in between has not been forgotten.
  const third = start();
  third.recover();
  expect(third.waitFor('upload')?.waitMs).toBeLessThanOrEqual(32_500);
  clock.advanceNow(32_500);
  expect(takeAll(third)).toBe(1);
});
