import { beforeEach, expect, test } from 'vitest';
import type { Entry } from '../../../../src-main/contract/entries.ts';
import type { Settings } from '../../../../src-main/contract/settings.ts';
import { createCopyAfterUpload } from '../../../../src-main/shell/clipboard/copy-after-upload.ts';

let mode: Settings['copyLink'];
let written: number[][];
let sure: boolean;
let quiet: (() => void) | null;
let copies: ReturnType<typeof createCopyAfterUpload>;

beforeEach(() => {
  mode = 'dropped';
  written = [];
  sure = true;
  quiet = null;
  copies = createCopyAfterUpload({
    after: (_delayMs, act) => {
      quiet = act;
      return () => (quiet = null);
    },
    goesOn: () => false,
    mode: () => mode,
    isByHand: (id) => id >= 1000,
    copy: (ids) => {
      written.push([...ids]);
      return Promise.resolve(sure);
    },
  });
});

const uploaded = (uploadId: number): Entry => ({
  seq: uploadId,
  atMs: 0,
  uploadId,
  path: '/x',
  body: { kind: 'uploaded', fileId: uploadId, publicLink: 'https://x', size: 1, filename: 'x', sha256: '' },
});
const other = (uploadId: number, body: Entry['body']): Entry => ({ ...uploaded(uploadId), body });

test('the links of one drop are written once, in drop order, as soon as all are there', () => {
  copies.dropped([1, 2, 3]);
  copies.hear([uploaded(3), uploaded(1)]);
  expect(written).toEqual([]);
  copies.hear([uploaded(2)]);
  expect(written).toEqual([[1, 2, 3]]);
  expect(copies.wereCopied([1, 2, 3])).toBe(true);
});

test('a file of the drop that is shared already has its link copied, one that fails is not waited for', () => {
  copies.dropped([1, 2]);
  copies.hear([other(1, { kind: 'skipped', rule: 'already-shared', sameAsId: 7 })]);
  copies.hear([other(2, { kind: 'failed', code: 'refused', message: '', remedy: '' })]);
  expect(written).toEqual([[1]]);
});

test('what the folder brought is not copied, unless the setting says always', () => {
  copies.hear([uploaded(5)]);
  quiet?.();
  expect(written).toEqual([]);
  mode = 'always';
  copies.hear([uploaded(6)]);
  quiet?.();
  expect(written).toEqual([[6]]);
});

test('what was dropped before the last start is copied too', () => {
  copies.hear([uploaded(1000)]);
  quiet?.();
  expect(written).toEqual([[1000]]);
});

test('a file that was up before its drop was taken is not waited for', () => {
  copies.hear([uploaded(1000)]);
  copies.dropped([1000, 1001]);
  copies.hear([uploaded(1001)]);
  expect(written).toEqual([[1000, 1001]]);
});

test('never is never', () => {
  mode = 'never';
  copies.dropped([1]);
  copies.hear([uploaded(1)]);
  quiet?.();
  expect(written).toEqual([]);
});

test('a write that may not have arrived is not claimed to be copied', async () => {
  sure = false;
  copies.dropped([1]);
  copies.hear([uploaded(1)]);
  await Promise.resolve();
  expect(copies.wereCopied([1])).toBe(false);
  expect(copies.wereCopied([])).toBe(false);
});
