import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable } from '../../src-main/contract/text/printable.ts';
import { columnsOf, middleEllipsis } from '../../src-main/cli/output/terminal-text.ts';
import { anyLetter } from '../support/any-letter.ts';

const acting =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0]|\p{Cs}|[\u{e0000}-\u{e007f}]/u;

/** Ordinary text with everything dangerous mixed in far more often than chance would. */
const nasty = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyLetter }),
      fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)),
      fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code)),
      fc.integer({ min: 0x2000, max: 0x206f }).map((code) => String.fromCharCode(code)),
      fc.constantFrom(
        '\0ff',
        '\0fF',
        '\u001b[2J',
        '\r\n',
        '\u061c',
        '\ufeff',
        '\u{e0041}',
        '\u3164',
        '日本',
        '👨‍👩‍👧',
      ),
    ),
  )
  .map((parts) => parts.join(''));

test('whatever the name, the output contains nothing that acts on a terminal', () => {
  fc.assert(fc.property(nasty, (text) => !acting.test(printable(text)) && printable(text).isWellFormed()));
});

test('ordinary names stay as they are', () => {
  for (const name of [
    'Rechnung März.pdf',
    '日本語.txt',
    'שלום.doc',
    'a b (1).tar.gz',
    '❤️.png',
    'é',
    'e\u0301',
  ]) {
    expect(printable(name)).toBe(name);
  }
});

test.each([
  ['a\u001b[31mb', 'a␛[31mb'],
  ['two\nlines\ttab\u007f', 'two␊lines␉tab␡'],
  ['invoice\u202efdp.exe', 'invoice\\u{202e}fdp.exe'],
  ['a\u009bb', 'a\\u{9b}b'],
  ['zero\u200bwidth', 'zero\\u{200b}width'],
  ['half \ud83d emoji', 'half � emoji'],
  ['caf\0e9.txt', 'caf\\xe9.txt'],
  ['nul\0', 'nul␀'],
])('%j is shown as %s', (name, shown) => {
  expect(printable(name)).toBe(shown);
});

test('a shortened name fits, keeps its beginning and its extension', () => {
  expect(middleEllipsis('annual report 2026 (final version).pdf', 20)).toBe('annual re…rsion).pdf');
  expect(middleEllipsis('short.pdf', 20)).toBe('short.pdf');
  expect(middleEllipsis('日本語日本語日本語.txt', 12)).toBe('日本…語.txt');
});

test.each([
  ['name.with-an-extension-longer-than-anything', 9],
  ['.hidden-and-quite-long', 8],
  ['abc', 1],
  ['abc', 0],
])('%s in %i columns fits', (name, columns) => {
  expect(columnsOf(middleEllipsis(name, columns))).toBeLessThanOrEqual(columns);
});

test('no name is ever wider than requested, no character is split, and short names are untouched', () => {
  fc.assert(
    fc.property(nasty.map(printable), fc.integer({ min: 0, max: 60 }), (name, columns) => {
      const short = middleEllipsis(name, columns);
      expect(columnsOf(short)).toBeLessThanOrEqual(columns);
      expect(short.isWellFormed()).toBe(true);
      if (columnsOf(name) <= columns) expect(short).toBe(name);
    }),
  );
});

test('wide characters take two columns, marks and joiners none', () => {
  expect(columnsOf('日本')).toBe(4);
  expect(columnsOf('e\u0301')).toBe(1);
  expect(columnsOf('👍🏽')).toBe(2);
  expect(columnsOf('ａ')).toBe(2);
});
