import { expect, test } from 'vitest';
import { createVirtualClock } from '../support/virtual-clock.ts';

test('timers fire in the order of their due times, including those set meanwhile', async () => {
  const clock = createVirtualClock();
  const startMs = clock.monoMs();
  const fired: string[] = [];
  const note = (name: string) => () => fired.push(`${name}@${String(clock.monoMs() - startMs)}`);
  clock.after(50, note('b'));
  clock.after(10, () => {
    note('a')();
    clock.after(20, note('c'));
  });
  clock.after(50, note('d'));
  clock.after(500, note('late'));
  await clock.advance(100);
  expect(fired).toEqual(['a@10', 'c@30', 'b@50', 'd@50']);
  expect(clock.monoMs() - startMs).toBe(100);
  expect(clock.pending()).toBe(1);
});

test('awaiting code reacts before the next timer fires', async () => {
  const clock = createVirtualClock();
  const seen: string[] = [];
  const wait = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
  const worker = (async () => {
    await wait(10);
    seen.push('first');
    await wait(5);
    seen.push('second');
  })();
  clock.after(20, () => seen.push('timer'));
  await clock.advance(30);
  await worker;
  expect(seen).toEqual(['first', 'second', 'timer']);
});

test('a cancelled timer never fires and the wall clock jumps without the monotonic one', async () => {
  const clock = createVirtualClock({ wallMs: 5_000 });
  let fired = false;
  const undo = clock.after(10, () => (fired = true));
  undo();
  undo();
  expect(clock.pending()).toBe(0);
  const monoMs = clock.monoMs();
  clock.jumpWall(-4_000);
  expect(clock.wallMs()).toBe(1_000);
  expect(clock.monoMs()).toBe(monoMs);
  await clock.advance(20);
  expect(fired).toBe(false);
  expect(clock.wallMs()).toBe(1_020);
});

test('runUntil stops at the first timer that fulfils the condition, and reports when none does', async () => {
  const clock = createVirtualClock();
  const startMs = clock.monoMs();
  let count = 0;
  const tick = (): void => {
    count++;
    clock.after(1_000, tick);
  };
  clock.after(1_000, tick);
  await clock.runUntil(() => count === 5);
  expect(clock.monoMs() - startMs).toBe(5_000);
  await expect(clock.runUntil(() => false, 3_000)).rejects.toThrow('Not done');
});

test('a thousand timers in mixed order fire sorted', () => {
  const clock = createVirtualClock();
  const due: number[] = [];
  for (let i = 0; i < 1_000; i++) {
    const delayMs = (i * 7_919) % 1_009;
    clock.after(delayMs, () => due.push(delayMs));
  }
  clock.advanceNow(2_000);
  expect(due).toEqual(due.toSorted((a, b) => a - b));
  expect(due).toHaveLength(1_000);
});
