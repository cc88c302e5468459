// The downloads so far, from one reading of the account's list to the next.
import { expect, onTestFinished, test } from 'vitest';
import { downloadsSoFar, noteReading } from '../../../../src-main/engine/handlers/files/readings.ts';
import type { Ledger } from '../../../../src-main/engine/ports/ledger.ts';
import { openMemoryLedger } from '../../../support/memory-ledger.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const noonMs = Date.UTC(2026, 2, 10, 12);

/** The counts that the service shows, by file id. An id with another `link` is that of another file. */
type Counts = Record<number, number>;

const begin = () => {
  const ledger: Ledger & { close(): void } = openMemoryLedger(() => noonMs);
  onTestFinished(() => {
    ledger.close();
  });
  const see = (atMs: number, counts: Counts, link = 'a'): void => {
    const files = Object.entries(counts).map(([id, count]) => ({
      file_id: Number(id),
      public_link: `https://share.example/download/${link}${id}`,
      download_count: count,
    }));
    ledger.remote.saw(ledger.accounts.present(), files, atMs);
  };
  const read = (atMs: number, counts: Counts, link = 'a'): void => {
    see(atMs, counts, link);
    noteReading(ledger, atMs);
  };
  /** Of the readings, and now. */
  const numbers = (): number[] => {
    const { readings, downloads } = downloadsSoFar(ledger);
    return [...readings.map((one) => one.downloads), downloads];
  };
  return { ledger, see, read, numbers };
};
const day = (n: number): number => noonMs + n * dayMs;

test('before a reading they are what is known, and from then on what came is added at once', () => {
  const { see, read, numbers } = begin();
  see(day(0), { 1: 4, 2: 1 });
  expect(numbers()).toEqual([5]);
  read(day(0), { 1: 4, 2: 1 });
  see(day(0) + minuteMs, { 1: 7 });
  expect(numbers()).toEqual([5, 8]);
  read(day(1), { 1: 7, 2: 2 });
  expect(numbers()).toEqual([5, 9, 9]);
});

test('our own reads are no downloads', () => {
  const { ledger, read, numbers } = begin();
  read(day(0), { 1: 0 });
  ledger.remote.readByUs(1);
  read(day(1), { 1: 1 });
  expect(numbers()).toEqual([0, 0, 0]);
  ledger.remote.readByUs(1);
  read(day(2), { 1: 4 });
  expect(numbers()).toEqual([0, 0, 2, 2]);
});

test('our own reads before the first reading are none either', () => {
  const { ledger, see, read, numbers } = begin();
  see(day(0), { 1: 0 });
  ledger.remote.readByUs(1);
  read(day(0), { 1: 3 });
  expect(numbers()).toEqual([2, 2]);
});

test('a count that the service sets back takes none away, and what comes then counts', () => {
  const { read, numbers } = begin();
  read(day(0), { 1: 1000 });
  read(day(1), { 1: 10 });
  read(day(2), { 1: 34 });
  expect(numbers()).toEqual([1000, 1000, 1024, 1024]);
});

test('an id that is given to another file keeps the downloads of the former', () => {
  const { read, numbers } = begin();
  read(day(0), { 1: 1000 });
  read(day(1), { 1: 0 }, 'b');
  read(day(2), { 1: 5 }, 'b');
  expect(numbers()).toEqual([1000, 1000, 1005, 1005]);
});

test('those of a gone link stay', () => {
  const { ledger, read, numbers } = begin();
  read(day(0), { 1: 6, 2: 1 });
  ledger.remote.markGone(1);
  read(day(1), { 2: 2 });
  expect(numbers()).toEqual([7, 8, 8]);
});

test('downloads from before a file of another machine was seen count, but on no day', () => {
  const { see, read, numbers } = begin();
  read(day(0), { 1: 5 });
  read(day(1), { 1: 6, 2: 800 });
  expect(numbers()).toEqual([805, 806, 806]);
  // The same for one that was seen outside a reading.
  see(day(1) + hourMs, { 3: 40 });
  expect(numbers()).toEqual([845, 846, 846]);
  read(day(2), { 1: 6, 2: 803, 3: 40 });
  expect(numbers()).toEqual([845, 846, 849, 849]);
});

test('each account has its own, also if both give the same ids', () => {
  const { ledger, see, read, numbers } = begin();
  const become = (id: number): void => {
    ledger.accounts.become(id);
    ledger.facts.remove('readings');
  };
  read(day(0), { 1: 5 });
  see(day(1), { 1: 6 });
  become(ledger.accounts.add());
  expect(numbers()).toEqual([0]);
  read(day(0), { 1: 20 });
  read(day(2), { 1: 21 });
  expect(numbers()).toEqual([20, 21, 21]);
  become(1);
  expect(numbers()).toEqual([6]);
  read(day(2), { 1: 8 });
  read(day(3), { 1: 9 });
  expect(numbers()).toEqual([8, 9, 9]);
});

test('each counts once, also within one millisecond', () => {
  const { read, numbers } = begin();
  read(day(0), { 1: 0 });
  for (const count of [3, 3, 5]) read(day(1), { 1: count });
  expect(numbers()).toEqual([0, 5, 5]);
  read(day(2), { 1: 6 });
  expect(numbers()).toEqual([0, 5, 6, 6]);
});

test('each counts once, also if the clock was ahead when it was seen', () => {
  const { see, read, numbers } = begin();
  read(day(0), { 1: 0 });
  see(day(1) + 2 * hourMs, { 1: 5 });
  for (const minute of [1, 2, 180, 181]) read(day(1) + minute * minuteMs, { 1: 5 });
  expect(numbers()).toEqual([0, 5, 5]);
});

test('each counts once, also if the clock was ahead in a reading', () => {
  const { read, numbers } = begin();
  read(day(0), { 1: 0 });
  read(day(30), { 1: 5 });
  for (const at of [1, 2, 29, 31]) read(day(at), { 1: 5 });
  expect(numbers()).toEqual([0, 5, 5, 5, 5, 5]);
  read(day(32), { 1: 6 });
  expect(numbers().at(-1)).toBe(6);
});

test('a link that is followed for months without a reading loses none of them', () => {
  const { ledger, see, read, numbers } = begin();
  read(day(0), { 1: 0, 2: 9 });
  for (let n = 1; n <= 100; n += 1) see(day(n), { 1: n });
  // Then the service counts it from the start again.
  see(day(101), { 1: 0 });
  expect(numbers()).toEqual([9, 109]);
  read(day(102), { 1: 2, 2: 9 });
  expect(numbers()).toEqual([9, 111, 111]);
  // The column of the file compares with the same reading as the number, also when older downloads are forgotten.
  see(day(103), { 1: 3 });
  expect(ledger.views.mostDownloaded(5, day(0))).toMatchObject([{ gained: 0 }, { gained: 103 }]);
});
