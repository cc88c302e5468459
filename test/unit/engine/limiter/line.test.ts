// The line by itself: who leaves when, what wakes it, and what it leaves behind. The test provides `turn`.
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { Lane } from '../../../../src-main/contract/model.ts';
import { createLine, type Turn } from '../../../../src-main/engine/limiter/line.ts';
import type { SlotReason } from '../../../../src-main/engine/limiter/policy.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

type Says = { waitMs: number; why: SlotReason } | (() => Turn) | null;

const world = () => {
  const clock = createVirtualClock();
  /** The answer for each lane; null: it may leave. */
  const says: Record<Lane, Says> = { user: null, agent: null, upload: null, background: null };
  const asked: Lane[] = [];
  const went: string[] = [];
  let told = 0;
  const turn = (lane: Lane): Turn => {
    asked.push(lane);
    const answer = says[lane];
    if (answer === null) {
      return {
        kind: 'granted',
        permit: { id: 1, lane, spentAtMs: 0, answeredAtMs: null, owner: 'engine:1' },
      };
    }
    if (typeof answer === 'function') return answer();
    return { kind: 'wait', ...answer };
  };
  const line = createLine({ clock, turn, granted: () => told++ });
  const join = (lane: Lane, signal = new AbortController().signal): Promise<unknown> =>
    line.join(lane, signal).then(
      () => went.push(lane),
      (error: unknown) => error,
    );
  return { clock, says, asked, went, told: () => told, line, join };
};
const paced = (waitMs: number): Says => ({ waitMs, why: 'pace' });
const failing = (error: unknown) => (): Turn => {
  throw error;
};
const tomorrow: Says = { waitMs: 50_000_000, why: 'daily-uploads' };

test('the first in line is checked at once, and those behind wait with it', async () => {
  const { clock, says, asked, went, told, line, join } = world();
  says.upload = paced(1_000);
  const all = [join('upload'), join('upload')];
  expect(asked).toEqual(['upload']);
  expect([line.length('upload'), line.length('user')]).toEqual([2, 0]);
  says.upload = null;
  await clock.advance(999);
  expect(went).toEqual([]);
  await clock.advance(1);
  await Promise.all(all);
  expect(asked).toEqual(['upload', 'upload', 'upload']);
  // Both left in one move, which is reported once.
  expect(told()).toBe(1);
  expect(line.length('upload')).toBe(0);
  expect(clock.pending()).toBe(0);
});

test('listeners are not notified of a move in which nothing left', async () => {
  const { clock, says, told, join } = world();
  says.user = paced(10);
  void join('user');
  await clock.advance(100);
  expect(told()).toBe(0);
});

test('a later lane is not even checked while an earlier one waits', () => {
  const { says, asked, join } = world();
  says.user = paced(1_000);
  void join('user');
  void join('background');
  expect(asked).toEqual(['user', 'user']);
});

test('uploads that wait for tomorrow let the later lane pass, and the timer is set for the sooner of both', async () => {
  const { clock, says, asked, went, join } = world();
  says.upload = tomorrow;
  says.background = paced(2_000);
  void join('upload');
  void join('background');
  expect(asked).toEqual(['upload', 'upload', 'background']);
  expect(clock.pending()).toBe(1);
  says.background = null;
  await clock.advance(2_000);
  expect(went).toEqual(['background']);
  expect(clock.pending()).toBe(1);
});

test('the sooner of two waits is kept, whichever lane it belongs to', async () => {
  const { clock, says, went, join } = world();
  says.upload = { waitMs: 500, why: 'daily-uploads' };
  says.background = paced(90_000);
  void join('upload');
  void join('background');
  says.upload = null;
  await clock.advance(500);
  expect(went).toEqual(['upload']);
});

test('a change wakes the line, but never inside the call that reports it', async () => {
  const { clock, says, asked, went, line, join } = world();
  line.moveSoon();
  expect(clock.pending()).toBe(0);
  says.upload = paced(60_000);
  void join('upload');
  says.upload = null;
  line.moveSoon();
  line.moveSoon();
  expect(asked).toHaveLength(1);
  expect(clock.pending()).toBe(1);
  await clock.advance(0);
  expect(went).toEqual(['upload']);
});

test('an error in a turn goes to the one whose turn it was, and the next is checked', async () => {
  const { clock, says, went, line, join } = world();
  says.upload = paced(10);
  const first = join('upload');
  const full = new Error('the disk is full');
  says.upload = failing(full);
  await clock.advance(10);
  expect(await first).toBe(full);
  says.upload = failing('text');
  expect(await join('upload')).toMatchObject({ code: 'internal', message: 'text' });
  says.upload = null;
  await join('upload');
  expect(went).toEqual(['upload']);
  expect(line.length('upload')).toBe(0);
});

test('one that stops waiting leaves with the reason, and the next takes its place', async () => {
  const { clock, says, went, line, join } = world();
  says.user = paced(60_000);
  const stop = new AbortController();
  const first = join('user', stop.signal);
  const second = join('user');
  says.user = null;
  const reason = new Error('closed by hand');
  stop.abort(reason);
  const error = await first;
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({
    code: 'aborted',
    message: 'Stopped while waiting for the request budget.',
    remedy: '',
    cause: reason,
  });
  expect(line.length('user')).toBe(1);
  await clock.advance(0);
  await second;
  expect(went).toEqual(['user']);
});

test('one that has stopped before does not join', async () => {
  const { asked, join } = world();
  expect(await join('user', AbortSignal.abort())).toMatchObject({ code: 'aborted' });
  expect(asked).toEqual([]);
});

test('no listener stays on the signal of those that left or failed', async () => {
  const { clock, says, join } = world();
  const { signal } = new AbortController();
  says.user = paced(10);
  const first = join('user', signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  says.user = null;
  await clock.advance(10);
  await first;
  says.user = failing(new Error('no'));
  await join('user', signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('when it closes, all get `aborted`, and no timer remains', async () => {
  const { clock, says, line, join } = world();
  says.user = paced(10);
  const all = [join('user'), join('upload')];
  line.close();
  for (const error of await Promise.all(all)) {
    expect(error).toMatchObject({ code: 'aborted', message: 'Outtray is closing.' });
  }
  expect(clock.pending()).toBe(0);
  expect([line.length('user'), line.length('upload')]).toEqual([0, 0]);
  line.moveSoon();
  line.close();
  expect(clock.pending()).toBe(0);
});
