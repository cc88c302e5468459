import { uptime } from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClock } from '../../src-main/adapters/system/clock.ts';

const day = 86_400_000;
let asleepMs: number;

beforeEach(() => {
  asleepMs = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

/** The fake timers are the awake time; a sleep is added to the uptime only. */
const clock = () =>
  createClock({ awakeMs: () => performance.now(), uptimeMs: () => performance.now() + asleepMs });

test('an action is called once, after its delay and not before', () => {
  const acted = vi.fn();
  clock().after(250, acted);
  vi.advanceTimersByTime(249);
  expect(acted).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100_000_000);
  expect(acted).toHaveBeenCalledOnce();
});

test('an undone action is never called', () => {
  const acted = vi.fn();
  clock().after(10, acted)();
  vi.advanceTimersByTime(day);
  expect(acted).not.toHaveBeenCalled();
});

test('a delay longer than a 32-bit timer is kept', () => {
  const acted = vi.fn();
  clock().after(30 * day, acted);
  vi.advanceTimersByTime(30 * day - 1);
  expect(acted).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(acted).toHaveBeenCalledOnce();
});

test('a timer that came due while the machine slept fires on resume, the others keep their time', () => {
  const [due, later] = [vi.fn(), vi.fn()];
  const time = clock();
  const before = time.monoMs();
  time.after(3_600_000, due);
  time.after(3 * 3_600_000, later);
  asleepMs = 2 * 3_600_000;
  time.resumed();
  vi.advanceTimersByTime(0);
  expect(due).toHaveBeenCalledOnce();
  expect(time.monoMs() - before).toBe(asleepMs);
  vi.advanceTimersByTime(3_600_000 - 1);
  expect(later).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(later).toHaveBeenCalledOnce();
});

test('a sleep that was not reported is noticed within a quarter of an hour', () => {
  const due = vi.fn();
  clock().after(6 * 3_600_000, due);
  asleepMs = 8 * 3_600_000;
  vi.advanceTimersByTime(15 * 60_000);
  expect(due).toHaveBeenCalledOnce();
});

test('the granularity of the uptime is not mistaken for sleep', () => {
  const time = clock();
  const before = time.monoMs();
  asleepMs = 90;
  time.resumed();
  expect(time.monoMs() - before).toBe(0);
});

test('the real clocks agree with the system', () => {
  vi.useRealTimers();
  const time = createClock();
  expect(Math.abs(time.wallMs() - Date.now())).toBeLessThan(1000);
  const before = time.monoMs();
  expect(time.monoMs()).toBeGreaterThanOrEqual(before);
});

test('the machine’s own count continues through sleep, where the system identifies its boots', () => {
  const named = createClock({ uptimeMs: () => 5000 + asleepMs, bootId: 'a' });
  expect(named.sinceBoot()).toEqual({ id: 'a', ms: 5000 });
  asleepMs = 1000;
  expect(named.sinceBoot()).toEqual({ id: 'a', ms: 6000 });
  expect(createClock({ bootId: null }).sinceBoot()).toBeNull();
});

test.runIf(process.platform === 'linux')('Linux identifies its boots: two processes read the same', () => {
  vi.useRealTimers();
  const [one, other] = [createClock().sinceBoot(), createClock().sinceBoot()];
  expect(one?.id).toMatch(/^[0-9a-f-]{36}$/);
  expect(other?.id).toBe(one?.id);
  expect(Math.abs((one?.ms ?? 0) - uptime() * 1000)).toBeLessThan(5000);
});
