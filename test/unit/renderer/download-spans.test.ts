// Which days of the chart are counted together, and which are not known.
import { expect, test } from 'vitest';
import { downloadSpans } from '../../../src-renderer/views/statistics/spans.ts';

const noon = (day: number): number => new Date(2026, 10, day, 12).getTime();
const at = (day: number, hour: number): number => new Date(2026, 10, day, hour).getTime();
const days = Array.from({ length: 10 }, (_, index) => noon(index + 1));
const spansOf = (...readings: [day: number, downloads: number][]) =>
  downloadSpans(
    days,
    readings.map(([day, downloads], index) => ({ atMs: at(day, index % 2 === 0 ? 1 : 23), downloads })),
  ).map(({ fromMs, toMs, value }) => [new Date(fromMs).getDate(), new Date(toMs).getDate(), value]);

test.each<[string, [number, number][], (number | null)[][]]>([
  ['no reading', [], [[1, 10, null]]],
  ['one reading', [[10, 400]], [[1, 10, null]]],
  [
    'two days',
    [
      [9, 400],
      [10, 460],
    ],
    [
      [1, 8, null],
      [9, 10, 60],
    ],
  ],
  [
    'a gap',
    [
      [3, 1],
      [6, 1],
    ],
    [
      [1, 2, null],
      [3, 6, 0],
      [7, 10, null],
    ],
  ],
  [
    'each day',
    [
      [7, 0],
      [8, 1],
      [9, 3],
      [10, 6],
    ],
    [
      [1, 6, null],
      [7, 8, 1],
      [9, 9, 2],
      [10, 10, 3],
    ],
  ],
  [
    'a reading before the first day',
    [
      [-3, 5],
      [2, 9],
    ],
    [
      [1, 2, 4],
      [3, 10, null],
    ],
  ],
  [
    'all before the first day',
    [
      [-9, 5],
      [-3, 9],
    ],
    [[1, 10, null]],
  ],
  [
    'up to the first day',
    [
      [-3, 5],
      [1, 9],
    ],
    [
      [1, 1, 4],
      [2, 10, null],
    ],
  ],
  [
    'a clock set back',
    [
      [9, 5],
      [12, 9],
    ],
    [
      [1, 8, null],
      [9, 10, 4],
    ],
  ],
])('%s', (_, readings, expected) => {
  expect(spansOf(...readings)).toEqual(expected);
});
