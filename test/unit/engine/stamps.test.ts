import { describe, expect, test } from 'vitest';
import { isSameFolder, isSameVersion } from '../../../src-main/engine/stamps.ts';

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

describe('a folder', () => {
  test.each([
    ['7:99:1000', '7:99:1000', true],
    ['7:99:1000', '8:99:1000', true],
    ['7:99:1000', '7:98:1000', false],
    ['7:99:0', '8:99:0', false],
    ['7:99', '8:99', false],
  ])(
    '%s and %s are the same by inode and birth, by the device only where there is no birth: %s',
    (a, b, same) => {
      expect(isSameFolder(a, b)).toBe(same);
    },
  );
});
