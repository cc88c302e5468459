// What a drop itself knows: no clipboard, no window.
import { expect, test } from 'vitest';
import {
  createDrop,
  followResting,
  followUpload,
  leftOutOf,
  needYouIn,
  restingIn,
  type Standing,
} from '../../../../src-main/shell/drop/drop.ts';

const standing = (name: string, change: Partial<Standing> = {}): Standing => ({
  isGoing: false,
  link: null,
  name,
  ...change,
});
const link = { uploadId: 1, fileId: 10, name: 'a.txt', link: 'https://x/1', uploadedAtMs: 1 };

test('what no entry reports is left out: files without a row, those that left, and those skipped; not what needs the user', () => {
  const lost = [{ why: 'link' as const, count: 1, paths: ['/x/latest'], targets: [null] }];
  const drop = createDrop({ id: 1, accountId: 1, lost, isCopyAsked: false });
  followUpload(drop, 1, standing('a.txt', { link }));
  followUpload(drop, 2, standing('secret.env', { needsYou: true }));
  followUpload(drop, 3, standing('empty.txt'));
  followUpload(drop, 4, standing('gone.txt', { isGone: true, path: '/x/gone.txt' }));
  followUpload(drop, 5, standing('goes.txt', { isGoing: true }));
  expect(leftOutOf(drop)).toEqual(['latest', 'gone.txt', 'empty.txt']);
});

test('an answered question, one that is open again, and a file that is brought back are changes; all else is none', () => {
  const drop = createDrop({ id: 1, accountId: 1, lost: [], isCopyAsked: false });
  followUpload(drop, 1, standing('secret.env', { needsYou: true }));
  followUpload(drop, 2, standing('cancelled.txt'));
  expect([restingIn(drop), needYouIn(drop)]).toEqual([[1, 2], [1]]);
  expect(followResting(drop, 1, standing('secret.env', { needsYou: true }))).toBe(false);
  // A yes: its link is copied alone, once it is there.
  expect(followResting(drop, 1, standing('secret.env', { isGoing: true }))).toBe(true);
  expect([drop.going.size, needYouIn(drop)]).toEqual([0, []]);
  expect(followResting(drop, 1, standing('secret.env', { needsYou: true }))).toBe(true);
  expect(followResting(drop, 2, standing('cancelled.txt'))).toBe(false);
  expect(followResting(drop, 2, standing('cancelled.txt', { isGoing: true }))).toBe(true);
  expect([...drop.going]).toEqual([2]);
});
