// No request overtakes another. Also: what the limiter writes, reports and queries, and what it does not.
import { describe, expect, test } from 'vitest';
import { createLimiter, type Limiter } from '../../../../src-main/engine/limiter/limiter.ts';
import type { LimiterRules } from '../../../../src-main/engine/limiter/policy.ts';
import { permitOf, pro, refuse, takeAll, world } from '../../../support/limiter-world.ts';
import { createPermitLedger } from '../../../support/permit-table.ts';
import { createVirtualClock, type VirtualClock } from '../../../support/virtual-clock.ts';

/** After a 429 one request is a trial. Once it is answered, all others may go; until then, those in `take` wait. */
const trial = (clock: VirtualClock, limiter: Limiter): (() => void) => {
  refuse(limiter);
  clock.advanceNow(20_000);
  const permit = permitOf(limiter.tryTake('upload'));
  clock.advanceNow(5_000);
  return () => limiter.answered(permit, { kind: 'ok' });
};
const { signal } = new AbortController();

describe('a request that wants to leave at once', () => {
  test.each(['user', 'upload', 'background'] as const)(
    'in lane %s does not overtake a click that has waited, even if both may leave',
    async (lane) => {
      const { clock, limiter } = world();
      const answer = trial(clock, limiter);
      const click = limiter.take('user', signal);
      expect(limiter.waitFor(lane)).toEqual({ waitMs: 25_000, why: 'rate' });
      answer();
      expect(limiter.waitFor(lane)).toEqual({ waitMs: 1_000, why: 'pace' });
      expect(limiter.tryTake(lane)).toEqual({ kind: 'wait', waitMs: 1_000, why: 'pace' });
      // The answer has woken the line.
      await clock.advance(0);
      expect((await click).lane).toBe('user');
      await clock.advance(1_250);
      expect(limiter.tryTake(lane).kind).toBe('granted');
    },
  );

  test('precedes those of later lanes', () => {
    const { clock, limiter } = world();
    const answer = trial(clock, limiter);
    void limiter.take('background', signal).catch(() => undefined);
    answer();
    expect(limiter.waitFor('upload')).toBeNull();
    expect(limiter.tryTake('user').kind).toBe('granted');
    limiter.close();
  });

  test('precedes uploads that wait for tomorrow, unless it is one', () => {
    const { limiter } = world({ rules: { dailyUploads: 1 }, committedSince: () => 1 });
    takeAll(limiter, 'upload', 1);
    void limiter.take('upload', signal).catch(() => undefined);
    expect(limiter.waitFor('upload')?.why).toBe('daily-uploads');
    expect(limiter.waitFor('background')).toBeNull();
    expect(limiter.tryTake('background').kind).toBe('granted');
    limiter.close();
  });
});

describe('a change of the rules', () => {
  const start = (first: LimiterRules, committedSince: () => number = () => 0) => {
    const clock = createVirtualClock();
    let rules = first;
    const ledger = { ...createPermitLedger(), attempts: { committedSince } };
    const limiter = createLimiter({ clock, chance: () => 0, ledger, owner: 'engine:1', rules: () => rules });
    const change = (to: LimiterRules): void => {
      rules = to;
      limiter.rulesChanged();
    };
    return { clock, limiter, change };
  };

  test('releases a request that is now allowed, and is reported', async () => {
    const { clock, limiter, change } = start({ ...pro, dailyUploads: 1 }, () => 1);
    takeAll(limiter, 'upload', 1);
    const waiting = limiter.take('upload', signal);
    let heard = 0;
    limiter.onChange(() => heard++);
    await clock.advance(2_000);
    change(pro);
    expect(heard).toBe(1);
    await clock.advance(0);
    expect((await waiting).lane).toBe('upload');
  });

  test('causes a new count of the daily uploads', () => {
    let committed = 1;
    const { limiter, change } = start({ ...pro, dailyUploads: 1 }, () => committed);
    takeAll(limiter, 'upload', 1);
    expect(limiter.waitFor('upload')?.why).toBe('daily-uploads');
    committed = 0;
    expect(limiter.waitFor('upload')?.why).toBe('daily-uploads');
    change({ ...pro, dailyUploads: 1 });
    expect(limiter.waitFor('upload')).toBeNull();
  });
});

test('without knowing how many files wait or were uploaded, three leave at once', () => {
  const clock = createVirtualClock();
  const rules = { ...pro, dailyUploads: 1 };
  const ledger = createPermitLedger();
  const limiter = createLimiter({ clock, chance: () => 0, ledger, owner: 'engine:1', rules: () => rules });
  expect(takeAll(limiter)).toBe(3);
});

test('listeners are not called for a request that has to wait', () => {
  const { limiter } = world();
  takeAll(limiter);
  let heard = 0;
  limiter.onChange(() => heard++);
  expect(limiter.tryTake('upload').kind).toBe('wait');
  expect(heard).toBe(0);
  limiter.recover();
  expect(heard).toBe(1);
});

test('a check writes nothing, and neither does an ordinary answer', () => {
  const { clock, ledger, limiter } = world();
  limiter.view();
  limiter.waitFor('upload');
  limiter.snapshot();
  expect(ledger.permits.memory()).toBeNull();
  const permit = permitOf(limiter.tryTake('upload'));
  const written = ledger.permits.memory();
  ledger.permits.remember = () => {
    throw new Error('It writes.');
  };
  clock.advanceNow(1_000);
  limiter.answered(permit, { kind: 'ok' });
  expect(ledger.permits.memory()).toEqual(written);
});

test('the daily uploads are counted again when an upload ends, but not when a click does', () => {
  let counted = 0;
  const committedSince = (): number => {
    counted++;
    return 1;
  };
  const { limiter } = world({ rules: { dailyUploads: 1 }, committedSince });
  const [click, upload] = [permitOf(limiter.tryTake('user')), permitOf(limiter.tryTake('upload'))];
  limiter.waitFor('upload');
  const once = counted;
  limiter.answered(click, { kind: 'ok' });
  limiter.waitFor('upload');
  expect(counted).toBe(once);
  limiter.answered(upload, { kind: 'ok' });
  limiter.waitFor('upload');
  expect(counted).toBeGreaterThan(once);
});

test('clicks under way do not count as daily uploads', () => {
  const { clock, limiter } = world({ rules: { dailyUploads: 2 }, committedSince: () => 1 });
  takeAll(limiter, 'upload', 2);
  permitOf(limiter.tryTake('user'));
  clock.advanceNow(60_000);
  expect(limiter.waitFor('upload')).toBeNull();
});

test('the next slot is a time of the wall clock, or null when it is now or unknown', () => {
  const { clock, limiter, start } = world();
  expect(limiter.nextSlotAt('upload')).toBeNull();
  takeAll(limiter);
  expect(start().nextSlotAt('upload')).toBe(clock.wallMs() + 1_250);
  const one = world({ rules: { perMinute: 1 } });
  permitOf(one.limiter.tryTake('upload'));
  expect(one.limiter.nextSlotAt('upload')).toBeNull();
});

test('a start of the engine ends what earlier engines left, and leaves the command its own', () => {
  const { limiter, start } = world();
  const command = start('command:1');
  permitOf(limiter.tryTake('user'));
  const theirs = permitOf(command.tryTake('background'));
  const next = start('engine:9');
  next.recover();
  expect(next.snapshot().outstanding.requests).toBe(1);
  command.answered(theirs, { kind: 'ok' });
  expect(next.snapshot().outstanding.requests).toBe(0);
});

test('answers of other processes are checked every second, and an earlier wake comes first', () => {
  const { clock, limiter, start } = world({ rules: { perMinute: 1 }, isAlive: () => true });
  permitOf(limiter.tryTake('upload'));
  clock.advanceNow(120_000);
  expect(limiter.waitFor('upload')).toEqual({ waitMs: 60_000, why: 'minute' });
  expect(start('command:1').waitFor('upload')).toEqual({ waitMs: 1_000, why: 'minute' });
});
