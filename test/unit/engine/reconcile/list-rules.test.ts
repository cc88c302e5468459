import { describe, expect, test } from 'vitest';
import type { RemoteFile } from '../../../../src-main/contract/model.ts';
import {
  isInOrder,
  isSameReading,
  nextPage,
  orderInTime,
} from '../../../../src-main/engine/reconcile/list-rules.ts';

describe('the next page', () => {
  test.each([20, 37, 50, 100])(
    'of %i entries overlaps the last one, and the whole list costs at most twice a plain reading',
    (most) => {
      let requests = 1;
      for (let end = most; end < 5000; requests += 1) {
        const { page, limit } = nextPage(end, most);
        expect(limit).toBeLessThanOrEqual(most);
        expect((page - 1) * limit).toBeLessThanOrEqual(end - 4);
        expect(page * limit).toBeGreaterThan(end);
        end = page * limit;
      }
      expect(requests).toBeLessThan((2 * 5000) / most);
    },
  );

  test.each([1, 2, 3])('of %i entries, which cannot overlap, is the one behind them', (most) => {
    expect(nextPage(most, most)).toEqual({ page: 2, limit: most });
  });
});

const entries = (count: number, of: (index: number) => RemoteFile): RemoteFile[] =>
  Array.from({ length: count }, (_, index) => of(index));
const date = (second: number): string => new Date(second * 1000).toISOString();

describe('entries', () => {
  test.each<[string, RemoteFile[], boolean]>([
    ['of rising ids', entries(20, (n) => ({ file_id: n + 1 })), true],
    ['of falling ids', entries(20, (n) => ({ file_id: 99 - n })), true],
    ['of ids beyond 2^53', entries(20, (n) => ({ file_id: String(2n ** 63n - 99n + BigInt(n)) })), true],
    ['of ids around 2^53', entries(20, (n) => ({ file_id: n < 10 ? n + 9 : `90071992547409${n}9` })), true],
    ['with falling dates', entries(20, (n) => ({ upload_date: date(99 - n) })), true],
    ['with rising names', entries(20, (n) => ({ filename: `f${n + 10}` })), true],
    ['with a date twice', entries(20, (n) => ({ upload_date: date(Math.max(1, n)) })), false],
    ['of which one has no id', entries(20, (n) => (n === 7 ? {} : { file_id: n + 1 })), false],
    ['of mixed ids', entries(20, (n) => ({ file_id: n === 7 ? 99 : n + 1 })), false],
    ['that are too few', entries(19, (n) => ({ file_id: n + 1 })), false],
  ])('%s: in an order that keeps each in its place: %#', (_, files, isIn) => {
    expect(isInOrder(files)).toBe(isIn);
  });

  test.each<[string, RemoteFile[], string | null]>([
    ['falling dates', entries(20, (n) => ({ file_id: n + 1, upload_date: date(99 - n) })), 'newest'],
    ['rising dates', entries(20, (n) => ({ upload_date: date(Math.min(n, 15)) })), 'oldest'],
    ['falling ids, without dates', entries(20, (n) => ({ file_id: 99 - n })), 'newest'],
    [
      'falling ids and mixed dates',
      entries(20, (n) => ({ file_id: 99 - n, upload_date: date(n % 7) })),
      null,
    ],
    ['one date', entries(20, (n) => ({ file_id: n + 1, upload_date: date(5) })), null],
    ['too few entries', entries(19, (n) => ({ file_id: n + 1 })), null],
  ])('with %s are sorted in time: %s', (_, files, order) => {
    expect(orderInTime(files)).toBe(order);
  });
});

describe('two readings', () => {
  const [a, b] = [{ file_id: 1 }, { file_id: 2 }];
  test.each<[string, RemoteFile[], RemoteFile[], number, boolean]>([
    ['with the same entries', [a, b], [a, b], 2, true],
    ['in another order', [a, b], [b, a], 2, false],
    ['of which one has more', [a], [a, b], 2, false],
    ['with fewer entries than are counted', [a, b], [a, b], 3, false],
    ['with an entry twice', [a, a], [a, a], 2, false],
  ])('%s', (_, one, other, total, isSame) => {
    expect(isSameReading({ files: one }, { files: other, total })).toBe(isSame);
  });
});
