import { PassThrough } from 'node:stream';
import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createIntake } from '../../../src-main/cli/mcp/intake.ts';

/** `end(n)` ends the call with this number; `begun` has the numbers of those that have begun. */
const withCalls = (calls: number) => {
  const input = new PassThrough().resume();
  const intake = createIntake(input);
  const begun: number[] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const answers = Array.from({ length: calls }, (_, call) =>
    intake.run(() => {
      begun.push(call);
      return new Promise<number>((resolve, reject) => {
        ends[call] = { resolve: () => resolve(call), reject };
      });
    }),
  );
  return { input, intake, begun, ends, answers };
};

test('eight calls run, and the others start in their order as those end, even by a fault', async () => {
  const { begun, ends, answers } = withCalls(11);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  ends[3]?.resolve();
  ends[0]?.reject(new Error('no'));
  await expect(answers[0]).rejects.toThrow('no');
  expect(await answers[3]).toBe(3);
  await settled();
  expect(begun.slice(8)).toEqual([8, 9]);
});

test('no more is read while 32 calls are open', async () => {
  expect(withCalls(31).input.isPaused()).toBe(false);
  const { input, ends } = withCalls(33);
  expect(input.isPaused()).toBe(true);
  ends[0]?.resolve();
  await settled();
  expect(input.isPaused()).toBe(true);
  ends[1]?.resolve();
  await settled();
  expect(input.isPaused()).toBe(false);
});

test('no more is read while the client does not read, however few calls are open', async () => {
  const { input, intake } = withCalls(0);
  intake.output(true);
  expect(input.isPaused()).toBe(true);
  await intake.run(() => Promise.resolve());
  expect(input.isPaused()).toBe(true);
  intake.output(false);
  expect(input.isPaused()).toBe(false);
});
