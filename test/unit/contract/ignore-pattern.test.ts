// What is wrong with an ignore pattern.
import { expect, test } from 'vitest';
import { patternFault } from '../../../src-main/contract/text/ignore-pattern.ts';

test.each([
  ['two\nlines', 'lines'],
  ['two\rlines', 'lines'],
  ['nul\0', 'lines'],
  ['!', 'nothing'],
  ['/', 'nothing'],
  ['!/  ', 'nothing'],
  ['x\\', 'backslash'],
  ['\\', 'backslash'],
  ['x\\\\\\', 'backslash'],
  ['[abc', 'bracket'],
  ['[]', 'bracket'],
  ['a[!]', 'bracket'],
  ['[a]/[b', 'bracket'],
])('%j: %s', (pattern, fault) => {
  expect(patternFault(pattern)).toBe(fault);
});

test.each([
  '',
  '   ',
  '#',
  '# [',
  '*.tmp',
  'build/',
  '!keep',
  '[a]',
  '[]a]',
  '[!]a]',
  '\\[',
  'x\\\\',
  'x\\ ',
])('%j is sound', (pattern) => {
  expect(patternFault(pattern)).toBeNull();
});
