// The permit table as one process knows it: what others spend and answer, what dead ones left, and when it is now.
import { describe, expect, test } from 'vitest';
import type { Lane } from '../../src-main/contract/model.ts';
import { createBooks, type Books } from '../../src-main/engine/limiter/books.ts';
import { freshMemory } from '../../src-main/engine/limiter/memory.ts';
import type { Permit } from '../../src-main/engine/ports.ts';
import { createPermitLedger } from '../support/permit-table.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_WINDOW_MS = 86_430_000;
const KEPT_MS = DAY_WINDOW_MS + HOUR_MS;
const AFTER_A_MINUTE_MS = 60_250;

const world = (isAlive: (owner: string) => boolean | null = () => null) => {
  const clock = createVirtualClock();
  const startMs = clock.wallMs();
  const ledger = createPermitLedger();
  const { permits } = ledger;
  const open = (owner = 'engine:1'): Books => createBooks({ clock, permits, owner, isAlive });
  const books = open();
  books.read();
  /** What another process does, so long before (negative: after) now. */
  const spent = (lane: Lane = 'upload', agoMs = 0): Permit =>
    permits.insert(lane, clock.wallMs() - agoMs, 'command:1');
  const later = (ms: number): Books => {
    clock.advanceNow(ms);
    books.read();
    return books;
  };
  return { clock, startMs, ledger, permits, open, books, spent, later };
};

describe('what another process spends', () => {
  test('counts as outstanding from the next look on, in its lane', () => {
    const { books, spent, later } = world();
    expect(books.othersOutstanding()).toBe(false);
    const permit = spent('user');
    later(10);
    expect(books.outstanding()).toEqual([permit]);
    expect(books.othersOutstanding()).toBe(true);
    expect([books.minuteUsed(), books.dayUsed()]).toEqual([1, 1]);
    expect(books.minuteLanes()).toEqual({ user: 1, upload: 0, background: 0 });
    expect(books.dayLanes()).toEqual({ user: 1, upload: 0, background: 0 });
    expect(books.minuteFreeAtMs(1)).toBeNull();
  });

  test('counts from its answer on, whenever that is noticed', () => {
    const { startMs, permits, books, spent, later } = world();
    const permit = spent();
    later(1_000);
    permits.answer(permit.id, startMs + 1_500);
    later(3_000);
    expect(books.outstanding()).toEqual([]);
    expect(books.minuteFreeAtMs(1)).toBe(startMs + 1_500 + AFTER_A_MINUTE_MS);
    expect(books.minuteUsed()).toBe(1);
    later(1_500 + AFTER_A_MINUTE_MS);
    expect([books.minuteUsed(), books.dayUsed()]).toEqual([0, 1]);
  });

  test('counts, too, when it was answered before anybody looked', () => {
    const { startMs, permits, books, spent, later } = world();
    permits.answer(spent('background').id, startMs + 5);
    later(10);
    expect(books.minuteLanes()).toEqual({ user: 0, upload: 0, background: 1 });
    expect(books.minuteFreeAtMs(1)).toBe(startMs + 5 + AFTER_A_MINUTE_MS);
    later(10);
    expect(books.minuteUsed()).toBe(1);
  });

  test('was there before we started, and counts the same', () => {
    const { startMs, permits, open, spent, later } = world();
    permits.answer(spent('user').id, startMs);
    spent('upload');
    later(1_000);
    const second = open('engine:2');
    second.read();
    expect(second.minuteLanes()).toEqual({ user: 1, upload: 1, background: 0 });
    expect(second.minuteFreeAtMs(1)).toBe(startMs + AFTER_A_MINUTE_MS);
    expect(second.dayCells()).toMatchObject([{ user: 1, upload: 0 }]);
  });
});

describe('a permit of another process that is never answered', () => {
  test('is given up after two minutes: then it counts as answered', () => {
    const { clock, books, spent, later } = world();
    spent();
    later(119_999);
    expect(books.outstanding()).toHaveLength(1);
    later(1);
    expect(books.outstanding()).toEqual([]);
    expect(books.minuteUsed()).toBe(1);
    expect(books.minuteFreeAtMs(1)).toBe(clock.wallMs() + AFTER_A_MINUTE_MS);
    later(1_000);
    expect([books.minuteUsed(), books.dayUsed()]).toEqual([1, 1]);
  });

  test('does not count again when the answer comes after all', () => {
    const { clock, permits, books, spent, later } = world();
    const permit = spent();
    later(120_000);
    permits.answer(permit.id, clock.wallMs() + 500);
    later(1_000);
    expect([books.minuteUsed(), books.dayUsed()]).toEqual([1, 1]);
    later(60_000);
    expect(books.minuteUsed()).toBe(0);
  });

  test('is not given up while that process is known to live, nor when it is our own', () => {
    const living = world((owner) => owner === 'command:1');
    living.spent();
    expect(living.later(10 * HOUR_MS).outstanding()).toHaveLength(1);
    const { books, later } = world(() => false);
    books.spend('upload');
    expect(later(10 * HOUR_MS).outstanding()).toHaveLength(1);
    const dead = world(() => false);
    dead.spent();
    expect(dead.later(120_000).outstanding()).toEqual([]);
  });
});

describe('our own permit', () => {
  test('is in the table at once, outstanding until it is answered', () => {
    const { clock, startMs, ledger, books, later } = world();
    const permit = books.spend('upload');
    expect(ledger.rows()).toEqual([
      { id: 1, lane: 'upload', spentAtMs: startMs, answeredAtMs: null, owner: 'engine:1' },
    ]);
    expect(books.outstanding()).toEqual([permit]);
    expect(books.othersOutstanding()).toBe(false);
    later(700);
    expect(books.answer(permit)).toBe(true);
    expect(books.outstanding()).toEqual([]);
    expect(ledger.rows()).toMatchObject([{ answeredAtMs: clock.wallMs() }]);
    expect(later(1).minuteUsed()).toBe(1);
    expect(books.minuteFreeAtMs(1)).toBe(startMs + 700 + AFTER_A_MINUTE_MS);
  });

  test('is answered once', () => {
    const { ledger, books, later } = world();
    const [permit, other] = [books.spend('upload'), books.spend('user')];
    books.answer(permit);
    expect(books.outstanding()).toEqual([other]);
    later(5);
    expect(books.answer(permit)).toBe(false);
    expect(books.outstanding()).toEqual([other]);
    expect(books.minuteUsed()).toBe(2);
    expect(ledger.rows()[0]?.answeredAtMs).toBe(books.nowMs() - 5);
  });
});

describe('after a crash', () => {
  const isEngine = (owner: string): boolean => owner.startsWith('engine:');

  test('what dead processes left counts as answered now, what living ones have is outstanding', () => {
    const { clock, permits, open, books, spent, later } = world();
    books.spend('user');
    spent('background');
    later(50_000);
    const second = open('engine:2');
    second.read();
    second.recover(isEngine);
    const counted = (): unknown[] => [
      second.minuteUsed(),
      second.dayUsed(),
      second.outstanding().map((permit) => permit.lane),
      second.minuteFreeAtMs(1),
    ];
    const expected = [2, 2, ['background'], clock.wallMs() + AFTER_A_MINUTE_MS];
    expect(counted()).toEqual(expected);
    expect(permits.outstanding().map((permit) => permit.lane)).toEqual(['background']);
    clock.advanceNow(100);
    second.read();
    expect(counted()).toEqual(expected);
  });

  test('permits older than any window are ended and forgotten, others are kept', () => {
    const { clock, ledger, permits, open, spent } = world();
    permits.answer(spent('user').id, clock.wallMs());
    spent('upload');
    clock.advanceNow(1);
    permits.answer(spent('background').id, clock.wallMs());
    spent('upload');
    clock.advanceNow(KEPT_MS);
    const second = open('engine:2');
    second.read();
    second.recover(isEngine);
    expect(ledger.rows().map(({ id, answeredAtMs }) => [id, answeredAtMs])).toEqual([
      [2, clock.wallMs()],
      [3, clock.wallMs() - KEPT_MS],
      [4, null],
    ]);
    expect(second.dayUsed()).toBe(2);
  });
});

describe('what time it is', () => {
  test('is never before the newest stamp in the table, whoever wrote it', () => {
    const { startMs, permits, open, spent } = world();
    const ahead = spent('upload', -30_000);
    const second = open('engine:2');
    second.read();
    expect(second.nowMs()).toBe(startMs + 30_000);
    permits.answer(ahead.id, startMs + 40_000);
    const third = open('engine:3');
    third.read();
    expect(third.nowMs()).toBe(startMs + 40_000);
    expect(third.toWallMs(third.nowMs())).toBe(startMs);
    expect(third.minuteFreeAtMs(1)).toBe(startMs + 40_000 + AFTER_A_MINUTE_MS);
  });

  test('is that of the newest stamp when the memory cannot be read: as if no time had passed', () => {
    const { clock, startMs, permits, open, spent } = world();
    spent('upload');
    permits.answer(spent('user').id, startMs + 700);
    permits.remember('damaged');
    clock.advanceNow(HOUR_MS);
    const second = open('engine:2');
    second.read();
    expect(second.nowMs()).toBe(startMs + 700);
    expect(second.memory().cautiousUntilMs).toBe(startMs + 700 + 24 * HOUR_MS);
  });

  test('is the wall clock when the memory cannot be read and nothing was ever spent', () => {
    const { startMs, permits, open } = world();
    permits.remember('damaged');
    const second = open('engine:2');
    second.read();
    expect(second.nowMs()).toBe(startMs);
    expect(second.mustRemember()).toBe(false);
  });

  test('goes on through a jump of the wall clock, which has to be remembered once', () => {
    const { clock, startMs, permits, open, books, later } = world();
    expect(books.mustRemember()).toBe(false);
    clock.jumpWall(HOUR_MS);
    later(1_000);
    expect(books.nowMs()).toBe(startMs + 1_000);
    expect(books.toWallMs(books.nowMs())).toBe(clock.wallMs());
    expect(books.mustRemember()).toBe(true);
    expect(later(1_000).mustRemember()).toBe(true);
    books.remember(books.memory());
    expect(books.mustRemember()).toBe(false);
    expect(permits.memory()).toMatchObject({ offsetMs: -HOUR_MS });
    expect(later(1_000).mustRemember()).toBe(false);
    const second = open('engine:2');
    second.read();
    expect(second.nowMs()).toBe(startMs + 3_000);
  });

  test('follows a jump that another process saw and stored', () => {
    const { clock, startMs, permits, open, later } = world();
    clock.jumpWall(-HOUR_MS);
    clock.advanceNow(2_000);
    permits.remember({ ...freshMemory(startMs), offsetMs: HOUR_MS });
    const books = later(0);
    expect(books.nowMs()).toBe(startMs + 2_000);
    expect(books.mustRemember()).toBe(false);
    const second = open('engine:2');
    second.read();
    expect(second.nowMs()).toBe(startMs + 2_000);
  });

  test('after a jump back is not before what others stamped meanwhile', () => {
    const { clock, startMs, permits, spent, later } = world();
    permits.answer(spent('upload').id, startMs + 900);
    clock.jumpWall(-HOUR_MS);
    expect(later(1_000).nowMs()).toBe(startMs + 900);
  });
});

test('the memory is the one in the table, and remembering writes it there', () => {
  const { startMs, permits, books, later } = world();
  expect(books.memory()).toEqual(freshMemory(startMs));
  books.remember({ ...freshMemory(startMs), streak: 3 });
  expect(books.memory().streak).toBe(3);
  expect(permits.memory()).toMatchObject({ streak: 3 });
  permits.remember({ ...freshMemory(startMs), streak: 4 });
  expect(later(1).memory().streak).toBe(4);
});
