// Lines of secrets in the queue: each is read once, while it is on screen, one after another.
import { expect, test } from 'vitest';
import type { UploadView } from '../../../src-main/contract/model.ts';
import { Excerpts } from '../../../src-renderer/views/queue/excerpts.ts';
import { upload } from '../../support/window/seed.ts';

const held = (id: number, line: number | null = 1): UploadView =>
  upload(id, `${String(id)}.txt`, { kind: 'held', reason: 'secret-content', rule: 'github', line });

const reading = () => {
  const asked: { id: number; answer: (excerpt: string | null) => void }[] = [];
  const excerpts = new Excerpts({
    excerpt: (id) => new Promise((answer) => asked.push({ id, answer })),
  });
  const answered = async (excerpt: string | null): Promise<void> => {
    asked.at(-1)?.answer(excerpt);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { excerpts, ids: () => asked.map(({ id }) => id), answered };
};

test('they are read one after another, except those that left the screen before their turn', async () => {
  const { excerpts, ids, answered } = reading();
  const [, leave] = [held(1), held(2), held(3)].map((one) => excerpts.shown(one));
  expect(ids()).toEqual([1]);
  leave?.();
  await answered('A=••••••••');
  expect(ids()).toEqual([1, 3]);
  await answered(null);
  expect([1, 2, 3].map((id) => excerpts.of(held(id)))).toEqual(['A=••••••••', '', '']);
  excerpts.shown(held(1));
  excerpts.shown(held(3));
  expect(ids()).toEqual([1, 3]);
  excerpts.shown(held(2));
  expect(ids()).toEqual([1, 3, 2]);
});

test('another finding is another line; a file without one sends no request', async () => {
  const { excerpts, ids, answered } = reading();
  excerpts.shown(held(1));
  await answered('A=••••••••');
  expect(excerpts.of(held(1, 2))).toBe('');
  excerpts.shown(held(1, 2));
  expect(ids()).toEqual([1, 1]);
  const inZip: UploadView = {
    ...held(5),
    state: {
      kind: 'held',
      reason: 'secret-content',
      rule: 'github',
      line: 1,
      inZip: { name: 'a', others: 0 },
    },
  };
  for (const none of [held(4, null), inZip, upload(6, 'id_rsa', { kind: 'held', reason: 'secret-name' })]) {
    expect(excerpts.of(none)).toBeNull();
    excerpts.shown(none)();
  }
  expect(ids()).toEqual([1, 1]);
});
