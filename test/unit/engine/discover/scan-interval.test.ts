// How long a folder waits for its next scan.
import { describe, expect, test } from 'vitest';
import { costAfter, scanInterval } from '../../../../src-main/engine/discover/folders/marks.ts';
import { hourMs, minuteMs } from '../../../support/fake-world.ts';

const costing = (ms: number) => ({ cost: { expectedMs: ms, lastMs: ms } });
const shared = (ms: number): number => scanInterval({ isShared: true, isDegraded: false, ...costing(ms) }, 0);
const degraded = (ms: number): number =>
  scanInterval({ isShared: false, isDegraded: true, ...costing(ms) }, 0);

describe('the time between two scans', () => {
  test('is about an hour where the system reports every change', () => {
    const local = { isShared: false, isDegraded: false, ...costing(9000) };
    expect(scanInterval(local, 0)).toBe(0.9 * hourMs);
    expect(scanInterval(local, 1)).toBeCloseTo(1.1 * hourMs);
  });

  test('is a minute on a drive that other machines write to, and longer if a scan takes over 3 % of it', () => {
    expect(shared(0)).toBe(minuteMs);
    expect(shared(1800)).toBe(minuteMs);
    expect(shared(9000)).toBe(5 * minuteMs);
    expect(shared(hourMs)).toBe(hourMs);
  });

  test('is the same there without watches', () => {
    expect(scanInterval({ isShared: true, isDegraded: true, ...costing(0) }, 0)).toBe(minuteMs);
  });

  test('is 30 s without watches, and longer if a scan takes over 0.3 % of it', () => {
    expect(degraded(0)).toBe(30_000);
    expect(degraded(90)).toBe(30_000);
    expect(degraded(300)).toBe(100_000);
    expect(degraded(hourMs)).toBe(hourMs);
  });
});

test('the cost of a scan is the cheaper of the last two, because one may have waited for other work', () => {
  let cost = { expectedMs: 0, lastMs: 0 };
  const costs = [400, 50, 60, 900, 70].map((tookMs) => (cost = costAfter(cost, tookMs)).expectedMs);
  expect(costs).toEqual([0, 50, 50, 60, 70]);
});
