import { expect, test } from 'vitest';
import { createLimiter, type Limiter } from '../../src-main/engine/limiter/limiter.ts';
import type { Turn } from '../../src-main/engine/limiter/line.ts';
import type { LimiterRules } from '../../src-main/engine/limiter/policy.ts';
import type { Lane } from '../../src-main/contract/model.ts';
import type { Permit } from '../../src-main/engine/ports.ts';
import { createPermitLedger, type PermitLedger } from '../support/permit-table.ts';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

type World = { clock: VirtualClock; ledger: PermitLedger; limiter: Limiter; start(owner?: string): Limiter };

const world = (
  options: {
    rules?: Partial<LimiterRules>;
    backlog?: number;
    committedSince?: (sinceMs: number) => number;
    isAlive?: (owner: string) => boolean;
  } = {},
): World => {
  const clock = createVirtualClock();
  const table = createPermitLedger();
  const rules: LimiterRules = {
    perMinute: 50,
    perDay: 5_000,
    share: 1,
    dailyUploads: null,
    ...options.rules,
  };
  const ledger =
    options.committedSince === undefined
      ? table
      : { ...table, uploads: { committedSince: options.committedSince } };
  let starts = 0;
  const start = (owner = `engine:${String(++starts)}`): Limiter =>
    createLimiter({
      clock,
      chance: () => 0,
      ledger,
      owner,
      rules: () => rules,
      backlog: () => options.backlog ?? 1_000,
      ...(options.isAlive === undefined ? {} : { isAlive: options.isAlive }),
    });
  return { clock, ledger: table, limiter: start(), start };
};

const permitOf = (turn: Turn): Permit => {
  if (turn.kind === 'wait') throw new Error(`Must wait ${String(turn.waitMs)} ms: ${turn.why}.`);
  return turn.permit;
};

/** Takes and answers at once, as often as it may go on. */
const takeAll = (limiter: Limiter, lane: Lane = 'upload', most = Infinity): number => {
  let count = 0;
  while (count < most) {
    const turn = limiter.tryTake(lane);
    if (turn.kind === 'wait') break;
    limiter.answered(turn.permit, { kind: 'ok' });
    count++;
  }
  return count;
};

/** Requests that go within the time, as fast as they may. */
const takeFor = (clock: VirtualClock, limiter: Limiter, ms: number, lane: Lane = 'upload'): number => {
  const endMs = clock.monoMs() + ms;
  let count = 0;
  for (;;) {
    count += takeAll(limiter, lane);
    const waitMs = limiter.waitFor(lane)?.waitMs ?? 0;
    if (clock.monoMs() + waitMs >= endMs) break;
    clock.advanceNow(waitMs);
  }
  clock.advanceNow(endMs - clock.monoMs());
  return count;
};

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

const refuse = (limiter: Limiter, retryAfterMs: number | null = null): void =>
  limiter.answered(permitOf(limiter.tryTake('upload')), { kind: 'rate-limited', retryAfterMs });

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
  expect(takeFor(clock, limiter, MINUTE_MS + 1_000)).toBe(48);
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

test('the pace drops by a third when doing without bursts does not help, and recovers with work, not with rest', () => {
  const { clock, limiter } = world();
  refuse(limiter);
  expect(takeFor(clock, limiter, 5 * MINUTE_MS)).toBeGreaterThan(225);
  refuse(limiter);
  clock.advanceNow(20_000);
  const slow = takeFor(clock, limiter, MINUTE_MS);
  expect(slow).toBeLessThanOrEqual(34);
  clock.advanceNow(10 * HOUR_MS);
  expect(takeFor(clock, limiter, MINUTE_MS)).toBeLessThanOrEqual(36);
  takeFor(clock, limiter, 35 * MINUTE_MS);
  expect(takeFor(clock, limiter, MINUTE_MS + 1_000)).toBe(48);
});

// ---------------------------------------------------------------- lanes and waiting

test('a click goes at once though uploads run at full pace', () => {
  const { limiter } = world();
  takeAll(limiter);
  expect(limiter.waitFor('upload')?.why).toBe('pace');
  expect(limiter.waitFor('user')).toBeNull();
});

test('those who wait go in the order of the lanes, then of arrival', async () => {
  const { clock, limiter } = world();
  const went: string[] = [];
  takeAll(limiter);
  takeAll(limiter, 'user');
  const signal = new AbortController().signal;
  const wait = async (lane: Lane, name: string): Promise<void> => {
    await limiter.take(lane, signal);
    went.push(name);
  };
  const all = [wait('background', 'b'), wait('upload', 'u1'), wait('upload', 'u2'), wait('user', 'click')];
  await clock.advance(30_000);
  await Promise.all(all);
  expect(went).toEqual(['click', 'u1', 'u2', 'b']);
});

test('one timer serves all who wait, and none is left when nobody does', async () => {
  const { clock, limiter } = world();
  takeAll(limiter, 'user');
  const { signal } = new AbortController();
  const all = Array.from({ length: 50 }, () => limiter.take('user', signal));
  expect(clock.pending()).toBe(1);
  await clock.advance(100_000);
  await Promise.all(all);
  expect(clock.pending()).toBe(0);
});

test('whoever stops waiting leaves the line', async () => {
  const { clock, limiter } = world();
  takeAll(limiter, 'user');
  const stop = new AbortController();
  const first = limiter.take('user', stop.signal);
  const second = limiter.take('user', new AbortController().signal);
  stop.abort();
  await expect(first).rejects.toMatchObject({ code: 'aborted' });
  await expect(limiter.take('user', stop.signal)).rejects.toMatchObject({ code: 'aborted' });
  await clock.advance(20_000);
  expect((await second).lane).toBe('user');
});

test('tryTake does not overtake those who wait', () => {
  const { clock, limiter } = world();
  takeAll(limiter, 'user');
  const waiting = limiter.take('user', new AbortController().signal);
  expect(limiter.waitFor('upload')).not.toBeNull();
  expect(limiter.tryTake('upload').kind).toBe('wait');
  clock.advanceNow(20_000);
  return expect(waiting).resolves.toMatchObject({ lane: 'user' });
});

test('an answer wakes whoever waited for it', async () => {
  const { clock, limiter } = world({ rules: { perMinute: 1 } });
  const first = permitOf(limiter.tryTake('upload'));
  const second = limiter.take('upload', new AbortController().signal);
  await clock.advance(10 * MINUTE_MS);
  limiter.answered(first, { kind: 'ok' });
  await clock.advance(60_250);
  expect((await second).lane).toBe('upload');
});

test('listeners hear of permits and answers until they leave, and close ends waiting', async () => {
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
  refuseLater(limiter, clock);
  const next = start();
  next.recover();
  expect(next.view().minute.used).toBe(4);
  expect(next.waitFor('upload')?.why).toBe('rate');
  clock.advanceNow(60_250);
  expect(next.view().minute.used).toBe(0);
});
const refuseLater = (limiter: Limiter, clock: VirtualClock): void => {
  clock.advanceNow(1_250);
  refuse(limiter, 20_000);
};

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
    const { clock, ledger, limiter, start } = world();
    takeAll(limiter);
    ledger.permits.remember(strange);
    clock.advanceNow(MINUTE_MS);
    const next = start();
    next.recover();
    expect(takeAll(next)).toBe(1);
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
