// Lines for terminals of 36, 60 and 80 columns, as they look.
import { describe, expect, test } from 'vitest';
import {
  barLine,
  createPace,
  linkLines,
  tableLines,
  widestName,
} from '../../../../src-main/cli/output/layout.ts';

const link = 'https://files.example.com/d/9xk2Qp';
const files = [
  { name: 'invoice-331.pdf', link },
  { name: 'A very long name of a keynote recording (final).mp4', link: `${link}7` },
];
const shown = (lines: readonly string[]): string => `\n${lines.join('\n')}\n`;

describe('links of several files', () => {
  const width = widestName(files.map(({ name }) => name));
  const lines = (columns: number): string => shown(files.flatMap((file) => linkLines(file, width, columns)));
  test('at 36 columns', () => {
    expect(lines(36)).toMatchInlineSnapshot(`
      "
      invoice-331.pdf
        https://files.example.com/d/9xk2Qp
      A very long name of…ding (final).mp4
      https://files.example.com/d/9xk2Qp7
      "
    `);
  });
  test('at 60 columns', () => {
    expect(lines(60)).toMatchInlineSnapshot(`
      "
      invoice-331.pdf           https://files.example.com/d/9xk2Qp
      A very long…(final).mp4  https://files.example.com/d/9xk2Qp7
      "
    `);
  });
  test('at 80 columns', () => {
    expect(lines(80)).toMatchInlineSnapshot(`
      "
      invoice-331.pdf                               https://files.example.com/d/9xk2Qp
      A very long name of a k…cording (final).mp4  https://files.example.com/d/9xk2Qp7
      "
    `);
  });
});

describe('a bar', () => {
  const cells = {
    name: 'keynote recording (final).mp4',
    sentBytes: 31_000_000,
    totalBytes: 84_100_000,
    bytesPerSecond: 2_500_000,
  };
  test.each([
    [36, 'keyno…l).mp4  36%  2.5 MB/s    0:22'],
    [60, 'keynote rec…(final).mp4 ━━━━────────  36%  2.5 MB/s    0:22'],
    [80, 'keynote reco…(final).mp4 ━━━━────────  36%   31 MB of 84.1 MB  2.5 MB/s    0:22'],
  ])('at %i columns shows the percentage, speed and time left', (columns, line) => {
    expect(barLine(cells, columns)).toBe(line);
    expect(line.length).toBeLessThan(columns);
  });
  test('of 84 columns or 20 always has the percentage', () => {
    for (let columns = 20; columns < 120; columns += 1) {
      const line = barLine({ ...cells, bytesPerSecond: null }, columns);
      expect(line).toContain(' 36%');
      expect(line.length).toBeLessThan(columns);
    }
  });
  test.each([
    [36, '3 of 20       36%  2.5 MB/s    0:22'],
    [60, '3 of 20: keynot…al).mp4 ━━━━────────  36%  2.5 MB/s    0:22'],
  ])('of several files begins with their count at %i columns', (columns, line) => {
    expect(barLine({ ...cells, count: '3 of 20' }, columns)).toBe(line);
  });
  test('shows that the service is storing the file', () => {
    expect(barLine({ ...cells, sentBytes: cells.totalBytes }, 60)).toMatch(/100%.*storing$/);
  });
});

test('the speed is that of the last five seconds', () => {
  const pace = createPace();
  expect(pace.at(0, 0)).toBeNull();
  expect(pace.at(1000, 1000)).toBe(1000);
  for (let atMs = 2000; atMs <= 10_000; atMs += 1000) pace.at(atMs, 1000);
  expect(pace.at(11_000, 1000)).toBe(0);
});

describe('a table', () => {
  const rows = [
    ['Folder', '/home/anna/Documents/Shared with the customer'],
    ['Requests this minute', '3 of 60', 'of which 2 are uploads'],
    ['', 'paused', '', 'until resumed'],
  ];

  test('stays unchanged where it fits, and in a pipe', () => {
    const whole = [
      'Folder                /home/anna/Documents/Shared with the customer',
      'Requests this minute  3 of 60                                        of which 2 are uploads',
      '                      paused                                                                 until resumed',
    ];
    expect(tableLines(rows, 200)).toEqual(whole);
    expect(tableLines(rows, null)).toEqual(whole);
  });
  test('continues below where the next cell would not fit; a wide cell moves no other row', () => {
    expect(shown(tableLines(rows, 80))).toMatchInlineSnapshot(`
      "
      Folder                /home/anna/Documents/Shared with the customer
      Requests this minute  3 of 60  of which 2 are uploads
                            paused                           until resumed
      "
    `);
    expect(shown(tableLines(rows, 40))).toMatchInlineSnapshot(`
      "
      Folder
      /home/anna/Documents/Shared with the customer
      Requests this minute  3 of 60
        of which 2 are uploads
                            paused
        until resumed
      "
    `);
    expect(shown(tableLines(rows, 36))).toMatchInlineSnapshot(`
      "
      Folder
      /home/anna/Documents/Shared with the customer
      Requests this minute  3 of 60
        of which 2 are uploads
                            paused
        until resumed
      "
    `);
  });
  test('a link that is wider than the terminal is neither cut nor indented', () => {
    const long = `https://files.example.com/d/${'x'.repeat(60)}`;
    expect(tableLines([['1', 'a', long]], 36)).toContain(long);
  });
  test('right-aligns ids, and breaks no link', () => {
    const ids = [
      ['7', 'same name', link],
      ['4411', 'same size', `${link}7`],
    ];
    expect(shown(tableLines(ids, 36, [0]))).toMatchInlineSnapshot(`
      "
         7  same name
        https://files.example.com/d/9xk2Qp
      4411  same size
      https://files.example.com/d/9xk2Qp7
      "
    `);
  });
});
