// Text for a terminal and for lines that programs read. File names and answers of the service are other people's bytes: whatever could move the
// cursor, change the order of characters or hide some of them is replaced by a visible form.

/** Controls, format characters (bidi, zero width), line separators, lone surrogates, and what fonts leave blank. */
export const unsafe = /\0[0-9a-f]{2}|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}[\p{DI}--\p{VS}]]/gv;

/**
 * One line without any character that acts on the terminal. C0 controls become pictures (␛, ␊), bytes that are not
 * UTF-8 become `\xff`, lone surrogates �, everything else `\u{202e}`. Tabs and newlines are controls too.
 */
export const printable = (text: string): string => text.replaceAll(unsafe, show);

/** The same for a text of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

const show = (found: string): string => {
  // Outtray represents a byte that is not UTF-8 as NUL and two hex digits (engine/ports/files.ts).
  if (found.length === 3 && found.startsWith('\0')) return `\\x${found.slice(1)}`;
  const code = found.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  if (code >= 0xd800 && code <= 0xdfff) return '�';
  return `\\u{${code.toString(16)}}`;
};

/**
 * JSON leaves DEL, C1 controls and format characters as they are: a terminal acts on them, and some programs break lines
 * there. Here they are escaped; in JSON they stand only inside of strings.
 */
export const visibleJson = (json: string): string =>
  json.replaceAll(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
