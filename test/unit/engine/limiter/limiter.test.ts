import { expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { Limiter } from '../../../../src-main/engine/limiter/limiter.ts';
import type { Permit } from '../../../../src-main/engine/ports/ledger.ts';
import { intervalMs, permitOf, refuse, takeAll, takeFor, world } from '../../../support/limiter-world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** A list that receives the permit of one waiting upload once it is granted. */
const granted = (limiter: Limiter): Permit[] => {
  const permits: Permit[] = [];
  limiter.take('upload', new AbortController().signal).then(
    (permit) => permits.push(permit),
    () => undefined,
  );
  return permits;
};

test('the view counts by lane, outstanding requests included', () => {
  const { clock, limiter } = world();
  permitOf(limiter.tryTake('user'));
  limiter.answered(permitOf(limiter.tryTake('upload')), { kind: 'ok' });
  expect(limiter.view()).toEqual({
    minute: { limit: 50, used: 2 },
    day: { limit: 5_000, used: 2 },
    lanes: {
      minute: { user: 1, agent: 0, upload: 1, background: 0 },
      day: { user: 1, agent: 0, upload: 1, background: 0 },
    },
  });
  clock.advanceNow(2 * MINUTE_MS);
  expect(limiter.view()).toMatchObject({ minute: { used: 1 }, day: { used: 2 } });
});

test('figures for display are available even when the clock jumps while the disk is full', () => {
  const { clock, ledger, limiter } = world();
  takeAll(limiter, 'upload', 1);
  const { atomically } = ledger;
  ledger.atomically = () => {
    throw new AppError('disk', 'The disk is full.', '', { storage: 'full' });
  };
  clock.jumpWall(HOUR_MS);
  expect(limiter.view().day.used).toBe(1);
  expect(limiter.snapshot().nowMs).toBeGreaterThan(0);
  expect(limiter.pausedBy429UntilMs()).toBeNull();
  expect(() => limiter.tryTake('upload')).toThrow('The disk is full.');
  ledger.atomically = atomically;
  expect(limiter.view().day.used).toBe(1);
  expect(ledger.permits.memory()).not.toBeNull();
});

// ---------------------------------------------------------------- the day

test('the last requests of the day are reserved for the user, and those before for uploads', () => {
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

test('uploads under way count towards the daily uploads, and failed ones do not', () => {
  const { limiter, clock } = world({ rules: { dailyUploads: 2 }, committedSince: () => 1 });
  limiter.answered(permitOf(limiter.tryTake('upload')), { kind: 'ok' });
  const underWay = permitOf(limiter.tryTake('upload'));
  clock.advanceNow(MINUTE_MS);
  expect(limiter.waitFor('upload')?.why).toBe('daily-uploads');
  limiter.answered(underWay, { kind: 'no-answer' });
  expect(limiter.waitFor('upload')).toBeNull();
});

// ---------------------------------------------------------------- 429

test('a 429 delays every lane, for as long as Retry-After demands', () => {
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

test('429s to requests that left before the pause count as one event', () => {
  const { clock, limiter } = world();
  const three = [1, 2, 3].map(() => permitOf(limiter.tryTake('upload')));
  clock.advanceNow(500);
  for (const permit of three) limiter.answered(permit, { kind: 'rate-limited', retryAfterMs: null });
  expect(limiter.waitFor('upload')).toEqual({ waitMs: 10_000, why: 'rate' });
});

test('a person who does not wait after a 429 spends one request, and others wait for its answer', () => {
  const { clock, limiter } = world();
  limiter.answered(permitOf(limiter.tryTake('upload')), { kind: 'rate-limited', retryAfterMs: 900_000 });
  clock.advanceNow(10_000);
  limiter.tryNow();
  expect(limiter.pausedBy429UntilMs()).toBeNull();
  const trial = permitOf(limiter.tryTake('upload'));
  expect(limiter.tryTake('upload')).toMatchObject({ kind: 'wait', why: 'rate' });
  limiter.answered(trial, { kind: 'rate-limited', retryAfterMs: 900_000 });
  expect(limiter.waitFor('upload')).toMatchObject({ why: 'rate' });
  limiter.tryNow();
  limiter.answered(permitOf(limiter.tryTake('upload')), { kind: 'ok' });
  clock.advanceNow(10_000);
  expect(limiter.waitFor('upload')).toBeNull();
});

test("a person's retry ends the wait of another process, and its waiting request leaves at once", async () => {
  const { clock, limiter, start } = world({ isAlive: () => true });
  refuse(limiter, 900_000);
  clock.advanceNow(10_000);
  const waiting = granted(limiter);
  start('command:1').tryNow();
  expect(limiter.pausedBy429UntilMs()).toBeNull();
  let heard = 0;
  limiter.onChange(() => heard++);
  limiter.tryNow();
  expect(heard).toBe(1);
  await clock.advance(1);
  expect(waiting).toHaveLength(1);
  expect(heard).toBe(2);
});

// ---------------------------------------------------------------- the line

test('a click leaves at once although uploads run at full pace', () => {
  const { limiter } = world();
  takeAll(limiter);
  expect(limiter.waitFor('upload')?.why).toBe('pace');
  expect(limiter.waitFor('user')).toBeNull();
});

test('listeners get permits and answers until they unsubscribe, and close ends all waits', async () => {
  const { limiter } = world();
  let heard = 0;
  const undo = limiter.onChange(() => heard++);
  const permit = permitOf(limiter.tryTake('upload'));
  limiter.answered(permit, { kind: 'ok' });
  expect(heard).toBe(2);
  undo();
  takeAll(limiter);
  expect(heard).toBe(2);
  const waiting = limiter.take('background', new AbortController().signal);
  limiter.close();
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
});

test('it is idle when no answer is due and the pace is repaid', () => {
  const { clock, limiter } = world();
  expect(limiter.idleInMs()).toBe(0);
  const permit = permitOf(limiter.tryTake('upload'));
  expect(limiter.idleInMs()).toBeNull();
  limiter.answered(permit, { kind: 'ok' });
  expect(limiter.idleInMs()).toBe(intervalMs);
  clock.advanceNow(intervalMs - 1);
  expect(limiter.idleInMs()).toBe(1);
  clock.advanceNow(60_000);
  expect(limiter.idleInMs()).toBe(0);
});

test('the first permit within a time is found by its age, even if the wall clock is set', () => {
  const { clock, limiter } = world();
  expect(limiter.firstWithin(60_000)).toBeNull();
  const [first, second] = [permitOf(limiter.tryTake('upload')), permitOf(limiter.tryTake('upload'))];
  for (const permit of [first, second]) limiter.answered(permit, { kind: 'ok' });
  clock.advanceNow(30_000);
  const third = permitOf(limiter.tryTake('upload'));
  limiter.answered(third, { kind: 'ok' });
  clock.jumpWall(HOUR_MS);
  expect(limiter.firstWithin(40_000)).toBe(first.id);
  expect(limiter.firstWithin(20_000)).toBe(third.id);
  clock.advanceNow(30_000);
  expect(limiter.firstWithin(20_000)).toBeNull();
});

test('its time advances in whole milliseconds, whatever the wall clock does', () => {
  const { clock, limiter } = world();
  const before = limiter.nowMs();
  expect(Number.isInteger(before)).toBe(true);
  clock.advanceNow(1_000);
  clock.jumpWall(HOUR_MS);
  expect(limiter.nowMs()).toBe(before + 1_000);
});

// ---------------------------------------------------------------- the ledger

test('a clock that was set is stored at once: a crash after it does not make the permits older', () => {
  const { clock, limiter, start } = world({ boot: null });
  expect(takeAll(limiter)).toBe(3);
  clock.jumpWall(2 * DAY_MS);
  limiter.waitFor('upload');
  expect(start().view().minute.used).toBe(3);
});

test('a start ends the request of an earlier one, and a request that waited for its answer leaves at once', async () => {
  const { clock, limiter, start } = world({ isAlive: () => true });
  refuse(limiter, 900_000);
  clock.advanceNow(10_000);
  limiter.tryNow();
  permitOf(limiter.tryTake('upload'));
  const next = start();
  const waiting = granted(next);
  expect(next.waitFor('upload')).toEqual({ waitMs: 30_000, why: 'rate' });
  next.recover();
  await clock.advance(1);
  expect(waiting).toHaveLength(1);
});

test('a transaction that is rolled back returns its permit', () => {
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

test.each(['the disk is full', 'an outer transaction is rolled back'])(
  'an answer that arrives while %s is counted as soon as it can be written',
  (how) => {
    const { clock, ledger, limiter } = world();
    const permit = permitOf(limiter.tryTake('background'));
    clock.advanceNow(1_000);
    const answer = (): void => limiter.answered(permit, { kind: 'rate-limited', retryAfterMs: 20_000 });
    const { answer: write } = ledger.permits;
    ledger.permits.answer = () => {
      throw new Error('the disk is full');
    };
    if (how === 'the disk is full') expect(answer).toThrow(how);
    expect(limiter.idleInMs()).toBeNull();
    ledger.permits.answer = write;
    if (how !== 'the disk is full')
      expect(() =>
        ledger.atomically(() => {
          answer();
          throw new Error('rolled back');
        }),
      ).toThrow('rolled back');
    expect(limiter.idleInMs()).not.toBeNull();
    expect(limiter.waitFor('upload')?.why).toBe('rate');
    clock.advanceNow(10 * MINUTE_MS);
    expect(limiter.view().minute.used).toBe(0);
    expect(limiter.tryTake('upload').kind).toBe('granted');
  },
);

test('a restart continues where the last run was killed', () => {
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
  expect(limiter.view()).toMatchObject({
    minute: { used: 4 },
    lanes: { minute: { user: 1, agent: 0, upload: 3 } },
  });
  clock.advanceNow(10 * MINUTE_MS);
  expect(limiter.view().minute.used).toBe(1);
  command.answered(theirs, { kind: 'ok' });
  clock.advanceNow(30_000);
  expect(limiter.view().minute.used).toBe(1);
  clock.advanceNow(30_250);
  expect(limiter.view().minute.used).toBe(0);
});

test('recover deletes permits that no longer count', () => {
  const { clock, ledger, limiter, start } = world();
  takeAll(limiter);
  clock.advanceNow(2 * DAY_MS);
  start().recover();
  expect(ledger.rows()).toHaveLength(0);
});

test('a process that works for days keeps the permits of one', () => {
  const { clock, ledger, limiter } = world({ rules: { perDay: 1_000 } });
  const days = [1, 2, 3, 4].map(() => takeFor(clock, limiter, 86_500_000));
  expect(Math.min(...days)).toBeGreaterThan(900);
  expect(ledger.rows().length).toBeLessThan(2_500);
});

test('after days without a request, the permit by which a rollback shows is kept', () => {
  const { clock, ledger, limiter } = world();
  while ((ledger.rows().at(-1)?.id ?? 0) < 499) takeFor(clock, limiter, 1_000);
  clock.advanceNow(3 * 86_400_000);
  expect(takeAll(limiter, 'upload', 1)).toBe(1);
  expect(ledger.rows()).toHaveLength(500);
});
