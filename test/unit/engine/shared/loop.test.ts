import { expect, test } from 'vitest';
import { createLoop } from '../../../../src-main/engine/shared/loop.ts';
import { createFakeLog } from '../../../support/fake-ports.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

const world = (turn: (count: number) => Promise<number | null> | number | null) => {
  const clock = createVirtualClock({ turns: 1 });
  const log = createFakeLog();
  const end = new AbortController();
  let turns = 0;
  let isOn = true;
  const loop = createLoop({
    name: 'test',
    ports: { clock, log },
    work: { signal: end.signal, isRunning: () => true, isOn: () => isOn },
    turn: async () => {
      turns += 1;
      return await turn(turns);
    },
  });
  const switchTo = (on: boolean): void => {
    isOn = on;
  };
  return { clock, log, end, loop, switchTo, turns: () => turns };
};

test('a loop sleeps until it is woken, or until the time it requested', async () => {
  const { clock, loop, turns } = world((count) => (count === 1 ? 1000 : null));
  await clock.advance(10_000);
  expect(turns()).toBe(0);
  loop.wake();
  expect(loop.isBusy()).toBe(true);
  await clock.advance(999);
  expect(turns()).toBe(1);
  expect(loop.isBusy()).toBe(false);
  await clock.advance(1);
  expect(turns()).toBe(2);
  await clock.advance(100_000);
  expect(turns()).toBe(2);
});

test('a loop takes no turn while the engine does not work, and one when it is woken after that', async () => {
  const { clock, loop, switchTo, turns } = world(() => null);
  switchTo(false);
  loop.wake();
  await clock.advance(1000);
  expect(turns()).toBe(0);
  expect(loop.isBusy()).toBe(false);
  switchTo(true);
  loop.wake();
  await clock.advance(1);
  expect(turns()).toBe(1);
});

test('a loop that is woken many times during a turn takes one more after it, never two at once', async () => {
  let release = (): void => undefined;
  let inside = 0;
  const { clock, loop, turns } = world(async () => {
    expect((inside += 1)).toBe(1);
    await new Promise<void>((resolve) => (release = resolve));
    inside -= 1;
    return null;
  });
  loop.wake();
  await clock.turn();
  for (let n = 0; n < 5; n += 1) loop.wake();
  release();
  await clock.turn();
  release();
  await clock.turn();
  expect(turns()).toBe(2);
});

test('a turn that is woken sooner does not leave its old alarm behind', async () => {
  const { clock, loop, turns } = world((count) => (count === 1 ? 1000 : 5000));
  loop.wake();
  await clock.turn();
  await clock.advance(500);
  loop.wake();
  await clock.advance(600);
  expect(turns()).toBe(2);
  expect(clock.pending()).toBe(1);
});

test('a turn that throws is reported and tried again after five seconds', async () => {
  const { clock, loop, log, turns } = world((count) => {
    if (count === 1) throw new Error('odd');
    return null;
  });
  loop.wake();
  await clock.advance(4999);
  expect(log.lines).toMatchObject([{ level: 'error', fields: { loop: 'test', code: 'internal' } }]);
  expect(turns()).toBe(1);
  await clock.advance(1);
  expect(turns()).toBe(2);
});

test('a loop that was stopped waits for the turn under way and takes no other', async () => {
  let release = (): void => undefined;
  const { clock, loop, end, turns } = world(async () => {
    await new Promise<void>((resolve) => (release = resolve));
    return 10;
  });
  loop.wake();
  await clock.turn();
  end.abort();
  let stopped = false;
  void loop.stop().then(() => (stopped = true));
  await clock.turn();
  expect(stopped).toBe(false);
  release();
  await clock.turn();
  expect(stopped).toBe(true);
  loop.wake();
  await clock.advance(10_000);
  expect(turns()).toBe(1);
});

test('a turn that throws because it was stopped is no fault', async () => {
  const { clock, loop, end, log } = world(() => {
    end.abort();
    throw new Error('stopped');
  });
  loop.wake();
  await clock.advance(10_000);
  expect(log.lines).toEqual([]);
});

test('stopping disarms a sleeping loop', async () => {
  const { clock, loop, end, turns } = world(() => 1000);
  loop.wake();
  await clock.turn();
  end.abort();
  await clock.advance(10_000);
  expect(turns()).toBe(1);
  await loop.stop();
});
