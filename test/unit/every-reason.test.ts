// Every row of the catalogue of reasons, against what judges files and what prints them.
import { expect, test } from 'vitest';
import { holdRows, skipRows, waitRows } from '../../src-main/contract/catalogue/reasons.ts';
import { namesWith } from '../../src-main/contract/catalogue/rows-with.ts';
import { en } from '../../src-main/contract/locales/words.ts';

test('a rule that judges by the name, and what is never opened, leaves a zip as well', () => {
  const left: string[] = namesWith(skipRows, { leavesZip: true });
  expect(left).toEqual(expect.arrayContaining(namesWith(skipRows, { byName: true })));
  expect(left).toEqual(expect.arrayContaining(namesWith(skipRows, { neverOpened: true })));
});

test('what a person may find among the files of the account was sent', () => {
  const sent: string[] = namesWith(holdRows, { wasSent: true });
  expect(sent).toEqual(expect.arrayContaining(namesWith(holdRows, { mayResolve: true })));
  expect(sent).toEqual(expect.arrayContaining(namesWith(holdRows, { wasUnderWay: true })));
});

test('a reason has one name for skips, holds and waits, and words in the window', () => {
  const tables = { skip: skipRows, hold: holdRows, wait: waitRows };
  const names = Object.values(tables).flatMap((rows) => Object.keys(rows));
  expect(new Set(names).size).toBe(names.length);
  for (const [kind, rows] of Object.entries(tables))
    for (const name of Object.keys(rows)) expect(en).toHaveProperty([`${kind}.${name}`]);
});
