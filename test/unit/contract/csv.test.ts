import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteOrderMark, csvLine } from '../../../src-main/contract/text/csv.ts';
import { readCsv } from '../../support/csv.ts';
import { isDeep } from '../../support/deep.ts';

const first = (text: string): string => readCsv(csvLine([text]))[0]?.[0] ?? '';

/** Whether a spreadsheet would execute it: by the rule of a cell, after blanks and quotes, in every cell it may be split into. */
const runs = (cell: string): boolean =>
  cell
    .split(/[;\t\r\n]/)
    .some(
      (part) =>
        /^[\s"'\u200b-\u200f\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(part) &&
        !/^[\s"]*'/.test(part),
    );

test.each([
  ['=1', "'=1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@a', "'@a"],
  ['\uff1da', "'\uff1da"],
  ['\uff0ba', "'\uff0ba"],
  ['\uff0da', "'\uff0da"],
  ['\uff20a', "'\uff20a"],
  ['  =1', "'  =1"],
  ['"=1', '\'"=1'],
  ['\t1', "'\t1"],
  ['\r1', "'\r1"],
  ['\n1', "'\n1"],
  ['\t=1', "'\t'=1"],
  ['a;=1', "a;'=1"],
  ['a; \t=1', "a;' \t'=1"],
  ['a;b', 'a;b'],
  ['a=1', 'a=1'],
  ['a\nb', 'a\nb'],
  ['a"b', 'a"b'],
  ['\u202eexe.txt', '\u202eexe.txt'],
  ['\0ff.txt', '\\xff.txt'],
  ['a\0', 'a\\x00'],
  ['', ''],
])('the cell %j is read as %j', (text, cell) => {
  expect(first(text)).toBe(cell);
});

test('numbers stay numbers, and an unknown value is an empty cell', () => {
  expect(csvLine([12, null, 'a'])).toBe('12,,"a"\r\n');
});

/** The parts of hostile names. */
const piece = fc.oneof(
  fc.constantFrom('=', '+', '-', '@', ';', ',', '"', "'", '\t', '\r', '\n', ' ', 'a'),
  fc.constantFrom('\uff1d', '\u202e', '\ufeff', '\0ff', '\u200b', '\ud800'),
);

test('no name of any kind is executed, or moves to another cell or row', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.array(piece, { maxLength: 12 }).map((all) => all.join('')),
        { minLength: 1 },
      ),
      (names) => {
        const rows = readCsv(csvLine(names) + csvLine(names));
        expect(rows).toHaveLength(2);
        for (const row of rows) {
          expect(row).toHaveLength(names.length);
          for (const [at, cell] of row.entries()) {
            expect(runs(cell)).toBe(false);
            expect(cell).not.toContain('\0');
            // Only apostrophes are added.
            const plain = (names[at] ?? '').replaceAll('\0ff', '\\xff');
            expect(cell.replaceAll("'", '')).toBe(plain.replaceAll("'", ''));
          }
        }
      },
    ),
    { numRuns: isDeep ? 2000 : 300 },
  );
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.runIf(hasPython)('Python’s reader finds the same cells, and none of them is executed', () => {
  const name = fc.array(piece, { maxLength: 12 }).map((all) => all.join('').toWellFormed());
  const tables = fc.sample(fc.array(name, { minLength: 3, maxLength: 3 }), { numRuns: 2000, seed: 7 });
  const text = byteOrderMark + tables.map(csvLine).join('');
  const script = `
import csv, io, json, sys
text = sys.stdin.buffer.read().decode('utf-8-sig')
print(json.dumps(list(csv.reader(io.StringIO(text, newline=''), strict=True))))`;
  const input = Buffer.from(text);
  const said = execFileSync('python3', ['-c', script], { input, maxBuffer: 1 << 26 });
  const rows = JSON.parse(String(said)) as string[][];
  expect(rows).toEqual(readCsv(text));
  expect(rows).toHaveLength(tables.length);
  expect(rows.flat().filter(runs)).toEqual([]);
});

test('a name of a million blanks takes time in proportion to its length', () => {
  expect(first(`${'\t '.repeat(500_000)}a`)).toHaveLength(1_000_002);
});
