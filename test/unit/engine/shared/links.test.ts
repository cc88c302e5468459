import { describe, expect, test } from 'vitest';
import {
  isConsistentSize,
  isGoneAnswer,
  isLinkShaped,
  learnUnit,
} from '../../../../src-main/engine/shared/links.ts';

describe('a link', () => {
  test.each([
    'https://files.example/download/T1k',
    'http://127.0.0.1:8080/d/1?x=1#part',
    'https://xn--nxasmq6b.example/%E2%80%AE',
    `https://files.example/${'a'.repeat(2048 - 22)}`,
  ])('may look like %s', (link) => {
    expect(isLinkShaped(link)).toBe(true);
  });

  test.each([
    ['is no address', 'download/T1k'],
    ['is a script', 'javascript:alert(1)'],
    ['leads to a file of this machine', 'file:///etc/passwd'],
    ['is of another protocol', 'ftp://files.example/download/T1k'],
    ['names no host', 'https://'],
    ['has user-info', 'https://files.example@evil.example/'],
    ['has a user without password', 'https://me@files.example/'],
    ['has a password without user', 'https://:pw@files.example/'],
    ['has a blank', 'https://files.example/a b'],
    ['has a line end', 'https://files.example/a\nb'],
    ['turns the reading direction', 'https://files.example/\u202egpj.exe'],
    ['has a backslash', 'https:\\\\files.example\\a'],
    ['is longer than 2048 characters', `https://files.example/${'a'.repeat(2049 - 22)}`],
    ['is empty', ''],
  ])('is refused when it %s', (_, link) => {
    expect(isLinkShaped(link)).toBe(false);
  });
});

test.each([
  [404, true],
  [410, true],
  [403, false],
  [500, false],
  [undefined, false],
])('an answer of %s means that a link is gone: %s', (status, isGone) => {
  expect(isGoneAnswer({ status })).toBe(isGone);
});

describe('the size in an answer', () => {
  test.each([
    [1_234_567, 1_234_567, true],
    [1_234_567, 1235, true],
    [1_234_567, 1234, true],
    [1_234_567, 1206, true],
    [1_234_567, 1, true],
    [1_234_567, 2, true],
    [1_234_567, 1_234_568, false],
    [1_234_567, 1300, false],
    [1_234_567, 7, false],
    [2_000_000, 3, false],
    [2_000_000, 2_000_001, false],
    [2_000_000, 1_999_999, false],
    [0, 0, true],
  ])('for %d bytes may be %d in any unit: %s', (bytes, size, may) => {
    expect(isConsistentSize(bytes, size)).toBe(may);
  });

  test('determines the unit only when a single unit explains it', () => {
    expect(learnUnit(1_234_567, 1_234_567)).toBe(1);
    expect(learnUnit(1_234_567, 1235)).toBe(1000);
    expect(learnUnit(1_234_567, 1206)).toBe(1024);
    expect(learnUnit(500_000_000, 500)).toBe(1_000_000);
    expect(learnUnit(500_000_000, 477)).toBe(1_048_576);
    expect(learnUnit(1, 1)).toBeNull();
    expect(learnUnit(2_500_000, 2)).toBeNull();
    expect(learnUnit(1_234_567, 99)).toBeNull();
  });
});
