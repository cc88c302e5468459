// How names are found and sorted.
import { describe, expect, test } from 'vitest';
import { fold, foundIn, naturalOrder, rankOf, searchWords } from '../../../src-main/contract/search.ts';

const sorted = (names: string[]): string[] =>
  names.toSorted((one, other) => (naturalOrder(fold(one)) < naturalOrder(fold(other)) ? -1 : 1));

describe('the order of names', () => {
  test.each([
    ['2 comes before 10', ['a2.txt', 'a10.txt']],
    ['zeros in front do not count', ['v001.txt', 'v2.txt', 'v010.txt']],
    ['long numbers follow short ones', ['x999999999.txt', 'x1000000000.txt', 'x20000000000.txt']],
    ['neither case nor accents matter', ['Äpfel.txt', 'birnen.txt', 'Érable.txt', 'łódź.txt', 'ßz.txt']],
  ])('%s', (_, names) => {
    expect(sorted(names.toReversed())).toEqual(names);
  });

  test('after thirty numbers digits are text', () => {
    const many = '1-'.repeat(30);
    expect(sorted([`${many}2`, `${many}10`])).toEqual([`${many}10`, `${many}2`]);
  });
});

test.each([
  ['pasted link', 'https://files.example/d/Ab1', ['ab1']],
  ['link that ends with a slash', 'https://files.example/', ['https://files.example/']],
  ['more than twelve words', 'a b c d e f g h i j k l m n', 'abcdefghijkl'.split('')],
])('the words of a search: %s', (_, search, words) => {
  expect(searchWords(search)).toEqual(words);
});

test.each<[string, string, [number, number][]]>([
  [
    'report report.txt',
    'report',
    [
      [0, 6],
      [7, 13],
    ],
  ],
  ['Straße.txt', 'strasse', [[0, 6]]],
  ['abcd', 'abc bcd', [[0, 4]]],
])('where a search is in %s: %s', (name, search, places) => {
  expect(foundIn(name, searchWords(search))).toEqual(places);
});

test.each([
  ['Report.pdf', 'report', 0],
  ['Reports.pdf', 'report', 1],
  ['annual report.pdf', 'report annual', 2],
  ['annual report.pdf', 'nnual eport', 3],
  ['a.pdf', 'xyz', 4],
])('how well %s fits “%s”: %i', (name, search, rank) => {
  expect(rankOf({ name }, search)).toBe(rank);
});
