// A question to the engine that is asked again after news.
import { expect, test } from 'vitest';
import { createReader } from '../../../src-renderer/state/list/reader.ts';

const slow = () => {
  const answers: (() => void)[] = [];
  const reader = createReader({ onEntries: () => () => undefined }, 0, () => {
    return new Promise((answer) => answers.push(answer));
  });
  const answer = async (): Promise<number> => {
    answers.at(-1)?.();
    await new Promise((resolve) => setImmediate(resolve));
    return answers.length;
  };
  return { reader, answer };
};

test('news during a read cause one more', async () => {
  const { reader, answer } = slow();
  reader.follow();
  void reader.read();
  void reader.read();
  expect(await answer()).toBe(2);
  expect(await answer()).toBe(2);
});

test('nothing is read any more once the engine is not followed', async () => {
  const { reader, answer } = slow();
  const unfollow = reader.follow();
  void reader.read();
  unfollow();
  expect(await answer()).toBe(1);
});
