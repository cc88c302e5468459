import { expect, test } from 'vitest';
import type { Lane } from '../../../../src-main/contract/model.ts';
import { permitOf, takeAll, world } from '../../../support/limiter-world.ts';

const MINUTE_MS = 60_000;

test('a click goes at once though uploads run at full pace', () => {
  const { limiter } = world();
  takeAll(limiter);
  expect(limiter.waitFor('upload')?.why).toBe('pace');
  expect(limiter.waitFor('user')).toBeNull();
});

test('those who wait go in the order of the lanes, then of arrival', async () => {
  const { clock, limiter } = world();
  const went: string[] = [];
  takeAll(limiter);
  takeAll(limiter, 'user');
  const signal = new AbortController().signal;
  const wait = async (lane: Lane, name: string): Promise<void> => {
    await limiter.take(lane, signal);
    went.push(name);
  };
  const all = [wait('background', 'b'), wait('upload', 'u1'), wait('upload', 'u2'), wait('user', 'click')];
  await clock.advance(30_000);
  await Promise.all(all);
  expect(went).toEqual(['click', 'u1', 'u2', 'b']);
});

test('one timer serves all who wait, and none is left when nobody does', async () => {
  const { clock, limiter } = world();
  takeAll(limiter, 'user');
  const { signal } = new AbortController();
  const all = Array.from({ length: 50 }, () => limiter.take('user', signal));
  expect(clock.pending()).toBe(1);
  await clock.advance(100_000);
  await Promise.all(all);
  expect(clock.pending()).toBe(0);
});

test('whoever stops waiting leaves the line', async () => {
  const { clock, limiter } = world();
  takeAll(limiter, 'user');
  const stop = new AbortController();
  const first = limiter.take('user', stop.signal);
  const second = limiter.take('user', new AbortController().signal);
  stop.abort();
  await expect(first).rejects.toMatchObject({ code: 'aborted' });
  await expect(limiter.take('user', stop.signal)).rejects.toMatchObject({ code: 'aborted' });
  await clock.advance(20_000);
  expect((await second).lane).toBe('user');
});

test('tryTake does not overtake those who wait', () => {
  const { clock, limiter } = world();
  takeAll(limiter, 'user');
  const waiting = limiter.take('user', new AbortController().signal);
  expect(limiter.waitFor('upload')).not.toBeNull();
  expect(limiter.tryTake('upload').kind).toBe('wait');
  clock.advanceNow(20_000);
  return expect(waiting).resolves.toMatchObject({ lane: 'user' });
});

test('an answer wakes whoever waited for it', async () => {
  const { clock, limiter } = world({ rules: { perMinute: 1 } });
  const first = permitOf(limiter.tryTake('upload'));
  const second = limiter.take('upload', new AbortController().signal);
  await clock.advance(10 * MINUTE_MS);
  limiter.answered(first, { kind: 'ok' });
  await clock.advance(60_250);
  expect((await second).lane).toBe('upload');
});

test('listeners hear of permits and answers until they leave, and close ends waiting', async () => {
  const { limiter } = world();
  let heard = 0;
  const undo = limiter.onChange(() => heard++);
  const permit = permitOf(limiter.tryTake('upload'));
  limiter.answered(permit, { kind: 'ok' });
  expect(heard).toBe(2);
  undo();
  takeAll(limiter);
  expect(heard).toBe(2);
  const waiting = limiter.take('background', new AbortController().signal);
  limiter.close();
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
});
