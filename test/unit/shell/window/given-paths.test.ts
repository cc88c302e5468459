import { expect, test } from 'vitest';
import { createGivenPaths, createOffers } from '../../../../src-main/shell/window/given-paths.ts';

const load = {};
const files = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `/home/ada/${from + at}`);

test('a token identifies a path in the load that received it, and cannot be guessed', () => {
  const given = createGivenPaths();
  const tokens = given.give(load, ['/home/ada/a', '', '/home/ada/b']);
  expect(tokens.map((token) => given.pathOf(load, token))).toEqual(['/home/ada/a', null, '/home/ada/b']);
  expect(tokens[0]).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  for (const wrong of ['', '/home/ada/a', '__proto__', 'constructor', '0'])
    expect(given.pathOf(load, wrong)).toBeNull();
  expect(given.pathOf({}, tokens[0] ?? '')).toBeNull();
});

test('a load that gives the same file again and again gets the same token', () => {
  const given = createGivenPaths(2);
  const [first = ''] = given.give(load, ['/home/ada/other', '/home/ada/a']);
  const tokens = given.give(
    load,
    Array.from({ length: 2 }, () => '/home/ada/a'),
  );
  for (let round = 0; round < 10_000; round += 1) given.give(load, ['/home/ada/a']);
  expect(new Set(tokens).size).toBe(1);
  expect(given.pathOf(load, first)).toBe('/home/ada/other');
});

test('a load has a bounded number of tokens: the oldest expire first', () => {
  const given = createGivenPaths(1_000);
  const tokens = [...given.give(load, files(1_000)), ...given.give(load, files(10, 1_000))];
  const known = tokens.filter((token) => given.pathOf(load, token) !== null);
  expect(known).toEqual(tokens.slice(10));
  expect(given.give(load, files(5_000, 5_000))).toHaveLength(1_000);
});

test.each([null, 7, 'text', { 0: '/a', length: 1 }])(
  'a value that is not a list has no token: %j',
  (wrong) => {
    expect(createGivenPaths().give(load, wrong)).toEqual([]);
  },
);

test('a value that is not a path has no token', () => {
  expect(createGivenPaths().give(load, [null, 1, {}, ['/a'], { path: '/a' }])).toEqual(['', '', '', '', '']);
});

test('a line of a drop has one token for all its paths, and keeps it when they become more', () => {
  const offers = createOffers();
  const paths = files(300);
  const token = offers.give('1 hidden', paths);
  expect(offers.give('1 hidden', [...paths, '/home/ada/late'])).toBe(token);
  expect(offers.pathsOf(token)).toEqual([...paths, '/home/ada/late']);
  expect(offers.give('2 hidden', paths)).not.toBe(token);
  for (const wrong of ['', '1 hidden', '/home/ada/0', '__proto__']) expect(offers.pathsOf(wrong)).toBeNull();
  for (let at = 0; at < 1_000; at += 1) offers.give(`later ${at}`, []);
  expect(offers.pathsOf(token)).toBeNull();
});
