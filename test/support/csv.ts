// Reads comma-separated values exactly by RFC 4180: strict, so that a wrong quote fails.

/** Rows of cells. Throws where the text does not follow the RFC. A byte order mark is left out. */
export const readCsv = (text: string): string[][] => {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    const quoted = /"((?:[^"]|"")*)"/y;
    const plain = /[^",\r\n]*/y;
    const pattern = text[at] === '"' ? quoted : plain;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) throw new Error(`A quote is not closed at ${at}.`);
    row.push((match[1] ?? match[0]).replaceAll('""', '"'));
    at = pattern.lastIndex;
    if (text.startsWith('\r\n', at)) {
      rows.push(row);
      row = [];
      at += 2;
    } else if (text[at] === ',') at += 1;
    else throw new Error(`Neither a comma nor a line break at ${at}.`);
  }
  if (row.length > 0) throw new Error('The last row has no line break.');
  return rows;
};
