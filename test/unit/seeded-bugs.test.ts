// The deliberate faults are tried rarely; that each still finds its line is checked always.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bugs } from '../support/seeded-bugs/bugs.ts';

test.each(bugs)('a fault can be put in: $name', ({ file, find, put, by }) => {
  expect(put).not.toBe(find);
  expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
  if (by !== 'simulation') expect(by.filter((one) => !existsSync(one))).toEqual([]);
});
