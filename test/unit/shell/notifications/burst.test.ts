import { beforeEach, describe, expect, test } from 'vitest';
import { createBurst, type Burst } from '../../../../src-main/shell/notifications/burst.ts';

let told: number[][];
let goesOn: boolean;
let isOne: boolean;
let burst: Burst<number>;
let nowMs: number;
let timers: { atMs: number; act: () => void }[];

const after = (delayMs: number, act: () => void): (() => void) => {
  const timer = { atMs: nowMs + delayMs, act };
  timers.push(timer);
  return () => {
    timers = timers.filter((one) => one !== timer);
  };
};
const pass = (ms: number): void => {
  const untilMs = nowMs + ms;
  for (;;) {
    const [next] = timers.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
    if (next === undefined) break;
    nowMs = next.atMs;
    timers = timers.filter((one) => one !== next);
    next.act();
  }
  nowMs = untilMs;
};

beforeEach(() => {
  told = [];
  goesOn = false;
  isOne = false;
  nowMs = 0;
  timers = [];
  burst = createBurst<number>({
    after,
    goesOn: () => goesOn,
    isOne: () => isOne,
    limits: { firstMs: 60_000, laterMs: 900_000 },
    tell: (things) => told.push(things),
  });
});

describe('a burst', () => {
  test('is reported once, after two quiet seconds', () => {
    for (let at = 0; at < 12; at += 1) {
      burst.add([at]);
      pass(1_250);
    }
    expect(told).toEqual([]);
    pass(2_000);
    expect(told).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]);
    expect(timers).toEqual([]);
  });

  test('waits for more that is known to come', () => {
    goesOn = true;
    burst.add([1]);
    pass(20_000);
    expect(told).toEqual([]);
    burst.add([2]);
    goesOn = false;
    pass(2_000);
    expect(told).toEqual([[1, 2]]);
  });

  test('that does not end is reported after a minute, then rarely, and once at its end', () => {
    goesOn = true;
    for (let second = 0; second < 40 * 60; second += 1) {
      burst.add([second]);
      pass(1_000);
    }
    expect(told.length).toBe(3);
    expect(told[0]?.length).toBe(60);
    goesOn = false;
    pass(2_000);
    expect(told.flat().length).toBe(2_400);
    expect(told.length).toBe(4);
  });

  test('of files that belong together is reported once, however long it takes', () => {
    goesOn = true;
    isOne = true;
    for (let second = 0; second < 40 * 60; second += 1) {
      burst.add([second]);
      pass(1_000);
    }
    expect(told).toEqual([]);
    isOne = false;
    goesOn = false;
    pass(2_000);
    expect(told.map((things) => things.length)).toEqual([2_400]);
  });

  test('that was partly reported starts anew afterwards', () => {
    burst.add([1]);
    pass(2_000);
    burst.add([2]);
    pass(2_000);
    expect(told).toEqual([[1], [2]]);
  });

  test('of nothing reports nothing', () => {
    burst.add([]);
    pass(100_000);
    burst.flush();
    expect(told).toEqual([]);
  });

  test('that is stopped stays silent', () => {
    burst.add([1]);
    burst.stop();
    pass(100_000);
    expect(told).toEqual([]);
  });
});
