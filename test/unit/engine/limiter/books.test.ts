// The permit table as one process sees it: permits that others spend and answer, and those that dead ones left.
import { describe, expect, test } from 'vitest';
import { freshMemory } from '../../../../src-main/engine/limiter/memory.ts';
import { booksWorld as world } from '../../../support/limiter-books.ts';

const KEPT_MS = 86_430_000 + 3_600_000;
const AFTER_A_MINUTE_MS = 60_250;

describe('what another process spends', () => {
  test('counts as outstanding from the next check on, in its lane', () => {
    const { books, spent, later } = world();
    expect(books.othersOutstanding()).toBe(false);
    const permit = spent('user');
    later(10);
    expect(books.outstanding()).toEqual([permit]);
    expect(books.othersOutstanding()).toBe(true);
    expect([books.minuteUsed(), books.dayUsed()]).toEqual([1, 1]);
    expect(books.minuteLanes()).toEqual({ user: 1, agent: 0, upload: 0, background: 0 });
    expect(books.dayLanes()).toEqual({ user: 1, agent: 0, upload: 0, background: 0 });
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

  test('counts even if it was answered before the next check', () => {
    const { startMs, permits, books, spent, later } = world();
    permits.answer(spent('background').id, startMs + 5);
    later(10);
    expect(books.minuteLanes()).toEqual({ user: 0, agent: 0, upload: 0, background: 1 });
    expect(books.minuteFreeAtMs(1)).toBe(startMs + 5 + AFTER_A_MINUTE_MS);
    later(10);
    expect(books.minuteUsed()).toBe(1);
  });

  test('counts the same if it was there before the start', () => {
    const { startMs, permits, open, spent, later } = world();
    permits.answer(spent('user').id, startMs);
    spent('upload');
    later(1_000);
    const second = open('engine:2');
    expect(second.minuteLanes()).toEqual({ user: 1, agent: 0, upload: 1, background: 0 });
    expect(second.minuteFreeAtMs(1)).toBe(startMs + AFTER_A_MINUTE_MS);
    expect(second.dayCells()).toMatchObject([{ user: 1, agent: 0, upload: 0 }]);
  });
});

describe('a permit of another process that is never answered', () => {
  test('is given up after two minutes, and then counts as answered', () => {
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

  test('does not count again when the answer arrives after all', () => {
    const { clock, permits, books, spent, later } = world();
    const permit = spent();
    later(120_000);
    permits.answer(permit.id, clock.wallMs() + 500);
    later(1_000);
    expect([books.minuteUsed(), books.dayUsed()]).toEqual([1, 1]);
    later(60_000);
    expect(books.minuteUsed()).toBe(0);
  });

  test('is given up on its own: one that was spent later has its own two minutes', () => {
    const { books, spent, later } = world();
    spent();
    later(60_000);
    const second = spent('user');
    later(60_000);
    expect(later(1).outstanding()).toEqual([second]);
    expect(later(59_998).outstanding()).toEqual([second]);
    expect(later(1).outstanding()).toEqual([]);
    expect(books.dayUsed()).toBe(2);
  });

  test('is not given up while its process is known to be alive, or is our own', () => {
    const living = world((owner) => owner === 'command:1');
    living.spent();
    expect(living.later(36_000_000).outstanding()).toHaveLength(1);
    const { books, later } = world(() => false);
    books.spend('upload');
    expect(later(36_000_000).outstanding()).toHaveLength(1);
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

  test('permits of dead processes count as answered now, and those of living ones are outstanding', () => {
    const { clock, permits, open, books, spent, later } = world();
    books.spend('user');
    spent('background');
    later(50_000);
    const second = open('engine:2');
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

  test('permits older than any window are ended and deleted, and others are kept', () => {
    const { clock, ledger, permits, open, spent } = world();
    permits.answer(spent('user').id, clock.wallMs());
    spent('upload');
    clock.advanceNow(1);
    permits.answer(spent('background').id, clock.wallMs());
    spent('upload');
    clock.advanceNow(KEPT_MS);
    const second = open('engine:2');
    second.recover(isEngine);
    expect(ledger.rows().map(({ id, answeredAtMs }) => [id, answeredAtMs])).toEqual([
      [2, clock.wallMs()],
      [3, clock.wallMs() - KEPT_MS],
      [4, null],
    ]);
    expect(second.dayUsed()).toBe(2);
  });
});

test('the memory is the one in the table, and changes are written there', () => {
  const { startMs, permits, books, later } = world();
  expect(books.memory()).toEqual(freshMemory(startMs));
  books.remember({ ...freshMemory(startMs), streak: 3 });
  expect(books.memory().streak).toBe(3);
  expect(permits.memory()).toMatchObject({ streak: 3 });
  permits.remember({ ...freshMemory(startMs), streak: 4 });
  expect(later(1).memory().streak).toBe(4);
});
