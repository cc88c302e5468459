import { describe, expect, test } from 'vitest';
import {
  createLikes,
  isCandidate,
  isLike,
  isPromptList,
  lookVerdict,
  nextLookAt,
  quickAfterMs,
} from '../../../../src-main/engine/reconcile/reconcile-rules.ts';
import type { RemoteFile } from '../../../../src-main/contract/model.ts';
import { lookTimes } from '../../../../src-main/engine/shared/waits.ts';

describe('lookups', () => {
  test('come 30 s, 2 min and 15.5 min after the tail by default', () => {
    expect(lookTimes(900_000)).toEqual([30_000, 120_000, 930_000]);
  });

  test('come sooner, in proportion, where the user reconciles sooner', () => {
    expect(lookTimes(3000)).toEqual([100, 400, 3100]);
    expect(lookTimes(86_400_000)[0]).toBe(30_000);
  });

  test('may count an absence after a quick refusal from 90 s on by default', () => {
    expect(quickAfterMs(900_000)).toBe(90_000);
    expect(quickAfterMs(3000)).toBe(300);
  });

  test('are planned from the time of the tail until all are done', () => {
    expect([0, 1, 2, 3].map((looks) => nextLookAt(1000, looks, 900_000))).toEqual([
      31_000,
      121_000,
      931_000,
      null,
    ]);
  });
});

describe('an entry of the list', () => {
  const lost = { sentName: 'a.txt', sizeBytes: 10, startedAtMs: 5000 };
  const unknown = { isOurs: false, firstSeenAtMs: null };
  const entry = { file_id: 7, filename: 'a.txt', size: 10 };

  test.each([
    ['has name and size', entry, unknown, true],
    ['lacks name and size', { file_id: 7 }, unknown, true],
    ['was first seen after the attempt', entry, { isOurs: false, firstSeenAtMs: 5000 }, true],
    ['has no id', { filename: 'a.txt', size: 10 }, unknown, false],
    ['is another upload of ours', entry, { isOurs: true, firstSeenAtMs: null }, false],
    ['was there before', entry, { isOurs: false, firstSeenAtMs: 4999 }, false],
    ['has another name, which the service may have given it', { ...entry, filename: 'b.txt' }, unknown, true],
    ['has the size in another unit', { ...entry, filename: 'b.txt', size: 1 }, unknown, true],
    ['has its name and a size of no unit', { ...entry, size: 110 }, unknown, true],
    ['has another name and size', { ...entry, filename: 'b.txt', size: 11 }, unknown, false],
  ])('that %s', (_, file, known, may) => {
    expect(isCandidate(lost, file, () => known)).toBe(may);
  });
});

test('the entries that are like an upload are found without looking at each of them', () => {
  const sizes = [0, 1, 999, 1000, 1023.5, 1024, 1025, 999_999, 1_000_000, 1_048_576, 1_500_000, 7_340_032];
  const near = sizes.flatMap((size) => [
    size,
    size + 0.4,
    size / 1000,
    size / 1024,
    size / 1_048_576,
    size - 1,
  ]);
  const files = [undefined, ...near].flatMap((size, at) =>
    ['a.txt', '1000', undefined].map((filename) => ({ file_id: at, filename, size })),
  ) as RemoteFile[];
  const likes = createLikes(files);
  for (const sizeBytes of sizes.map(Math.floor)) {
    for (const sentName of ['a.txt', '1000', 'other']) {
      const lost = { sentName, sizeBytes, startedAtMs: 0 };
      expect(likes(lost)).toEqual(files.filter((file) => isLike(lost, file)));
    }
  }
});

describe('the verdict of a lookup', () => {
  const file = { file_id: 7 };
  const absent = { kind: 'absent' } as const;
  const undecided = { kind: 'undecided' } as const;
  const view = (isComplete: boolean, isLast: boolean) => ({ isComplete, isLast });

  test('a proof is accepted at once', () => {
    expect(lookVerdict({ kind: 'proved', file }, view(false, false))).toEqual({ kind: 'adopt', file });
  });

  test.each([
    ['an absence, early', absent, view(true, false), 'look-again'],
    ['an absence, late', absent, view(true, true), 'send-again'],
    ['an incomplete view, early', absent, view(false, false), 'look-again'],
    ['an incomplete view, late', absent, view(false, true), 'hold'],
    ['a candidate that cannot be compared, early', undecided, view(true, false), 'look-again'],
    ['a candidate that cannot be compared, late', undecided, view(true, true), 'hold'],
  ])('%s', (_, evidence, seen, kind) => {
    expect(lookVerdict(evidence, seen)).toEqual({ kind });
  });
});

describe('a list counts as showing new files within a minute', () => {
  const ids = Array.from({ length: 10 }, (_, index) => index + 1);
  const listed = [...ids, 99].map((file_id) => ({ file_id }));

  test.each([
    ['when it has all of ten that were confirmed', listed, ids, true],
    ['not as far as nine can show', listed, ids.slice(1), false],
    ['not when one of ten is missing', listed.slice(1), ids, false],
    ['not when its entries have no ids', ids.map(() => ({})), ids, false],
  ])('%s', (_, files, confirmed, isPrompt) => {
    expect(isPromptList(files, confirmed)).toBe(isPrompt);
  });
});
