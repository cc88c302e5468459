// The permit table with clocks that jump and transactions that are rolled back.
import { describe, expect, test } from 'vitest';
import { freshMemory } from '../../../../src-main/engine/limiter/memory.ts';
import { booksWorld as world } from '../../../support/limiter-books.ts';

const HOUR_MS = 3_600_000;
const AFTER_A_MINUTE_MS = 60_250;

describe('the time of the limiter', () => {
  test('is never before the newest stamp in the table, whoever wrote it', () => {
    const { startMs, permits, open, spent } = world();
    const ahead = spent('upload', -30_000);
    const second = open('engine:2');
    expect(second.nowMs()).toBe(startMs + 30_000);
    permits.answer(ahead.id, startMs + 40_000);
    const third = open('engine:3');
    expect(third.nowMs()).toBe(startMs + 40_000);
    expect(third.toWallMs(third.nowMs())).toBe(startMs);
    expect(third.minuteFreeAtMs(1)).toBe(startMs + 40_000 + AFTER_A_MINUTE_MS);
  });

  test('is that of the newest stamp when the memory cannot be read, as if no time had passed', () => {
    const { clock, startMs, permits, open, spent } = world();
    spent('upload');
    permits.answer(spent('user').id, startMs + 700);
    permits.remember('damaged');
    clock.advanceNow(HOUR_MS);
    const second = open('engine:2');
    expect(second.nowMs()).toBe(startMs + 700);
    expect(second.memory().cautiousUntilMs).toBe(startMs + 700 + 24 * HOUR_MS);
  });

  test('is the wall clock when the memory cannot be read and no permit was ever spent', () => {
    const { startMs, permits, open } = world();
    permits.remember('damaged');
    const second = open('engine:2');
    expect(second.nowMs()).toBe(startMs);
    expect(second.mustRemember()).toBe(false);
  });

  test('continues through a jump of the wall clock, which has to be stored once', () => {
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
    expect(second.nowMs()).toBe(startMs + 3_000);
  });

  test('continues with the machine’s own count when the wall clock is set forward between two processes', () => {
    const { clock, startMs, open, books, later } = world();
    books.remember(books.memory());
    clock.jumpWall(HOUR_MS);
    clock.advanceNow(2_000);
    const second = open('engine:2');
    expect(second.nowMs()).toBe(startMs + 2_000);
    expect(second.toWallMs(second.nowMs())).toBe(clock.wallMs());
    // The process stores the jump, so that no later process takes it for time that passed.
    expect(second.mustRemember()).toBe(true);
    second.remember(second.memory());
    clock.reboot();
    const third = open('engine:3');
    expect(third.nowMs()).toBe(startMs + 2_000);
    expect(later(0).nowMs()).toBe(startMs + 2_000);
  });

  test('is stored at the first check after a reboot, so that the next process does not count a jump as time', () => {
    const { clock, startMs, open, books } = world();
    books.remember(books.memory());
    clock.reboot();
    const second = open('engine:2');
    expect(second.mustRemember()).toBe(true);
    second.remember(second.memory());
    clock.jumpWall(HOUR_MS);
    clock.advanceNow(2_000);
    const third = open('engine:3');
    expect(third.nowMs()).toBe(startMs + 2_000);
  });

  test('is the wall clock’s when the machine’s own count, which is coarse, is slightly behind it', () => {
    const { clock, startMs, open, books } = world();
    books.remember(books.memory());
    clock.jumpWall(200);
    const second = open('engine:2');
    expect([second.nowMs(), second.mustRemember()]).toEqual([startMs + 200, false]);
    clock.jumpWall(1);
    const third = open('engine:3');
    expect([third.nowMs(), third.mustRemember()]).toEqual([startMs, true]);
  });

  test("is the wall clock’s after a reboot, and when the machine's count goes back", () => {
    const { clock, startMs, permits, open, books } = world();
    books.remember(books.memory());
    clock.jumpWall(HOUR_MS);
    clock.reboot();
    const second = open('engine:2');
    expect(second.nowMs()).toBe(startMs + HOUR_MS);
    const ms = (clock.sinceBoot()?.ms ?? 0) + 1;
    permits.remember({ ...freshMemory(startMs), noted: { id: 'boot 2', ms, nowMs: startMs } });
    const third = open('engine:3');
    expect(third.nowMs()).toBe(startMs + HOUR_MS);
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
    expect(second.nowMs()).toBe(startMs + 2_000);
  });

  test('counts stamps of a process that does not know a jump as new, once', () => {
    const { clock, permits, open, books, later } = world();
    clock.jumpWall(HOUR_MS);
    later(1_000);
    books.remember({ ...books.memory() });
    // No process looks for two hours, and the clock is set right in this time. The process that asks by the wall clock
    // cannot know this.
    clock.jumpWall(-HOUR_MS);
    clock.advanceNow(2 * HOUR_MS);
    const stampMs = clock.wallMs() - HOUR_MS;
    permits.answer(permits.insert('user', stampMs, 'command:1').id, stampMs);
    clock.advanceNow(1_000);
    books.read();
    expect(books.minuteUsed()).toBe(1);
    clock.advanceNow(AFTER_A_MINUTE_MS + 1);
    books.read();
    expect(books.minuteUsed()).toBe(0);
    const second = open('engine:2');
    expect(second.dayUsed()).toBe(1);
  });

  test('continues with the machine’s own count when the wall clock is set back between two processes, too', () => {
    const { clock, startMs, open, books } = world();
    books.remember(books.memory());
    clock.jumpWall(-HOUR_MS);
    clock.advanceNow(2_000);
    const second = open('engine:2');
    expect(second.nowMs()).toBe(startMs + 2_000);
  });

  test('after a jump back is not before the stamps that others made meanwhile', () => {
    const { clock, startMs, permits, spent, later } = world();
    permits.answer(spent('upload').id, startMs + 900);
    clock.jumpWall(-HOUR_MS);
    expect(later(1_000).nowMs()).toBe(startMs + 900);
  });
});

describe('a transaction that was rolled back after its permits were read', () => {
  const rolledBack = () => {
    const all = world();
    const { ledger, books, permits, startMs, later } = all;
    const ours = books.spend('background');
    later(0);
    books.answer(ours);
    const theirs = all.spent('user');
    expect(() =>
      ledger.atomically(() => {
        later(0);
        books.spend('upload');
        later(0);
        throw new Error('the disk is full');
      }),
    ).toThrow('the disk is full');
    // Another process answers one permit and spends another, which gets the id that ours had.
    permits.answer(theirs.id, startMs);
    const next = all.spent('user');
    expect(next.id).toBe(theirs.id + 1);
    return { ...all, next };
  };

  test('leaves no trace, and the permits that reuse its ids count once each', () => {
    const { books, later, next } = rolledBack();
    later(10);
    expect(books.outstanding()).toEqual([next]);
    expect(books.minuteLanes()).toEqual({ user: 2, agent: 0, upload: 0, background: 1 });
    later(10);
    expect([books.minuteUsed(), books.dayUsed()]).toEqual([3, 3]);
  });

  test('leaves no trace even if such a permit is answered before the next check', () => {
    const { books, permits, later, next, startMs } = rolledBack();
    permits.answer(next.id, startMs);
    later(10);
    expect(books.outstanding()).toEqual([]);
    expect(books.minuteLanes()).toEqual({ user: 2, agent: 0, upload: 0, background: 1 });
    expect(books.dayUsed()).toBe(3);
  });
});
