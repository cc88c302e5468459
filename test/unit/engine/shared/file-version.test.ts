import { describe, expect, test } from 'vitest';
import { isSameVersion, renewed } from '../../../../src-main/engine/shared/file-version.ts';

describe('a version of a file', () => {
  test.each([
    ['10:1:2:7:99', '10:1:2:7:99', true],
    ['10:1:2:7:99', '10:1:2:8:99', true],
    ['10:1:2:7:99', '10:1:2:7:98', false],
    ['10:1:2:7:99', '11:1:2:7:99', false],
    [null, null, true],
    [null, '10:1:2:7:99', false],
    ['10:1:2:7:99', null, false],
  ])('%s and %s are the same whatever the number of the device: %s', (a, b, same) => {
    expect(isSameVersion(a, b)).toBe(same);
  });
});

describe('a row with another stamp', () => {
  const stamp = { key: '10:1:2:7:99', sizeBytes: 10, mtimeMs: 1, ctimeMs: 2, inode: '99' };
  const sent = { sha256: 'cd', sizeBytes: 9 };
  const row = { stamp, sha256: 'ab', sent, confirmed: true, wantsAnother: true, graceOver: true };

  test.each([
    ['the same', stamp, { sha256: 'ab', sent, confirmed: true, wantsAnother: true, graceOver: true }],
    [
      'moved',
      { ...stamp, key: '10:1:3:7:99', ctimeMs: 3 },
      { sha256: null, sent: null, confirmed: false, wantsAnother: true, graceOver: false },
    ],
    [
      'written',
      { ...stamp, key: '10:4:4:7:99', mtimeMs: 4, ctimeMs: 4 },
      { sha256: null, sent: null, confirmed: false, wantsAnother: false, graceOver: false },
    ],
    [
      'another',
      { ...stamp, key: '10:1:4:7:98', inode: '98' },
      { sha256: null, sent: null, confirmed: false, wantsAnother: false, graceOver: false },
    ],
    [
      'longer',
      { ...stamp, key: '11:1:4:7:99', sizeBytes: 11 },
      { sha256: null, sent: null, confirmed: false, wantsAnother: false, graceOver: false },
    ],
  ])(
    'keeps its hash for the same version, and a request for another link for the same content: %s',
    (_, now, kept) => {
      expect(renewed(row, now)).toEqual({ stamp: now, ...kept });
    },
  );
});
