// Services change names. Only a name that is exactly another upload's, or a known form of it, speaks against an answer.
import { expect, test } from 'vitest';
import { contradictionOf } from '../../../../src-main/engine/upload/contradiction.ts';
import type { Attempt } from '../../../../src-main/engine/ports/ledger.ts';
import { begin } from '../../../support/fake-world.ts';
import { openMemoryLedger } from '../../../support/memory-ledger.ts';

/** Whether the answer with this name is taken for one about another upload: these have no answer yet. */
const isOfAnother = (sentName: string, filename: string, others: readonly string[]): boolean => {
  const ledger = openMemoryLedger(() => 0);
  const attempt = { id: 1, uploadId: 1, sentName, sizeBytes: 3, startedAtMs: 0 } as Attempt;
  const open = others.map((name, at) => ({ ...attempt, id: at + 2, uploadId: at + 2, sentName: name }));
  const receipt = {
    success: true as const,
    file_id: 7,
    public_link: 'https://x.example/download/abc',
    size: 3,
  };
  const from = {
    attempts: { ...ledger.attempts, open: () => open },
    remote: ledger.remote,
    uploads: ledger.uploads,
  };
  return contradictionOf(from, attempt, { ...receipt, filename }) !== null;
};

const numbered = Array.from({ length: 40 }, (_, n) => `${n + 1}.txt`);

test.each<[string, (name: string) => string]>([
  ['a token before it', (name) => `a8f3e1_${name}`],
  ['a token without a sign before it', (name) => `x9z${name}`],
  ['a name of its own', (name) => `upload${name.length}c1${name.slice(0, 1)}d.bin`],
  ['a number behind it', (name) => name.replace('.', '_2.')],
  ['capitals', (name) => name.toUpperCase()],
  ['a date behind it', (name) => name.replace('.', '-20261128.')],
])('forty numbered files whose names a service changes (%s) contradict nothing', (_, change) => {
  const wrong = numbered.filter((name) =>
    isOfAnother(
      name,
      change(name),
      numbered.filter((one) => one !== name),
    ),
  );
  expect(wrong).toEqual([]);
});

test.each(['b.txt', 'B.TXT', '1001-b.txt', 'b (1).txt', 'b_1.txt', 'b-2.txt', 'ab12 b.txt'])(
  'an answer about %s is about another upload',
  (filename) => {
    expect(isOfAnother('a.txt', filename, ['b.txt'])).toBe(true);
    expect(isOfAnother('a.txt', filename, ['c.txt'])).toBe(false);
  },
);

test('the exact name of another upload counts also where it is a form of its own', () => {
  expect(isOfAnother('a.txt', 'a_1.txt', ['a_1.txt'])).toBe(true);
  expect(isOfAnother('a.txt', 'a_1.txt', ['a_2.txt'])).toBe(false);
});

test.each(['a b.txt', 'Ä.txt', 'a+b.txt', '1.txt', 'report (final).pdf'])(
  'each version of %s has its link although the service gives all of them the same other name',
  async (name) => {
    const { world, run } = await begin();
    for (const version of ['first', 'second one', 'the third one']) {
      world.service.faults.push({ receipt: { filename: `file-${name.length}.bin` } });
      world.disk.write(`/tray/${name}`, version);
      await world.clock.advance(60_000);
      expect(world.row(name).state.kind).toBe('uploaded');
    }
    expect(world.service.count('upload')).toBe(3);
    expect(run.entries().filter(({ body }) => body.kind === 'held')).toEqual([]);
  },
);
