// Comma-separated values (RFC 4180) that a spreadsheet opens without running anything in them.
//
// A spreadsheet takes a cell that begins with = + - @ (also full-width), a tab or a line break for a formula, some also
// after blanks or quotes. Where a comma is the decimal sign, it splits at semicolons instead, and ignores quotes inside
// a line: a cell then begins after each semicolon, tab and line break. An apostrophe before such a character makes the
// cell a text.

/** For spreadsheets, which take a file without it for the system's own encoding. */
export const byteOrderMark = '\ufeff';

const isFormula = (character: string): boolean => '=+-@\uff1d\uff0b\uff0d\uff20'.includes(character);
const isBlank = (character: string): boolean => /[\s"'\u200b-\u200f\u2060\ufeff]/.test(character);
const isBoundary = (character: string): boolean => ';\t\r\n'.includes(character);
const control = /^[\t\r\n]/;
/** Outtray writes a byte that is not UTF-8 as NUL and two hex digits; NUL itself would end the cell. */
const strayByte = /\0([0-9a-f]{2})/g;

export type CsvCell = string | number | null;

/** One row with its line break. Numbers stay numbers. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(',')}\r\n`;

const cellText = (cell: CsvCell): string => {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const plain = cell.replace(strayByte, '\\x$1').replaceAll('\0', '\\x00');
  return `"${harmless(plain).replaceAll('"', '""')}"`;
};

/** Runs from the end, so that it looks at each character once, even in a long row of blanks. */
const harmless = (text: string): string => {
  const parts: string[] = [];
  let begun = text.length;
  /** What follows would be run, if a cell began here. */
  let isDanger = false;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const character = text.charAt(at);
    if (isDanger && isBoundary(character)) {
      parts.push(text.slice(at + 1, begun), "'");
      begun = at + 1;
    }
    isDanger = isFormula(character) || (isDanger && isBlank(character));
  }
  const guarded = text.slice(0, begun) + parts.toReversed().join('');
  return isDanger || control.test(guarded) ? `'${guarded}` : guarded;
};
