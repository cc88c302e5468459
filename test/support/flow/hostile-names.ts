// Names that a file can have on Linux and that a step on the way to a link might not handle.
import { Buffer } from 'node:buffer';

const long = (bytes: number, extension: string, unit: string): string =>
  unit.repeat(Math.floor((bytes - extension.length) / Buffer.byteLength(unit))) + extension;

/** Any bytes but `/` and NUL. */
export const hostileNames: Record<string, string | Buffer> = {
  'a double quote': 'say "hello".txt',
  'a single quote': "it's.txt",
  'a carriage return and line feed': 'line\r\nX-Evil: yes\r\n\r\nbody.txt',
  'a newline': 'two\nlines.txt',
  'a tab': 'tab\there.txt',
  'an escape sequence': 'red\u001b[31m\u001b]0;title\u0007.txt',
  'control characters': 'bell\u0007 del\u007f c1\u0085\u009b31m.txt',
  'an emoji': 'party 🎉👩‍👩‍👧‍👦.png',
  'composed letters (NFC)': 'caf\u00e9.txt',
  'decomposed letters (NFD)': 'cafe\u0301.txt',
  'a right-to-left override': 'invoice\u202efdp.exe',
  'isolates and zero widths': 'a\u2066b\u2069c\u200bd\ufeffe\u00adf.txt',
  'right-to-left letters': 'שלום-مرحبا.txt',
  '255 bytes': long(255, '.txt', 'x'),
  '255 bytes of letters of three': long(255, '.txt', '語'),
  'a leading dash': '-rf',
  'two leading dashes': '--json',
  'two dots inside': 'up..down',
  'a path upwards in the other notation': '..\\..\\windows.txt',
  'a percent escape': 'quote%22 crlf%0d%0a.txt',
  'only dots': '....',
  'a reserved name': 'CON',
  'a reserved name with an extension': 'NUL.txt',
  'a reserved name in small letters': 'aux',
  'a trailing space': 'trailing ',
  'a trailing dot': 'trailing.',
  'a leading space': ' leading.txt',
  'a backslash': 'back\\slash.txt',
  'a semicolon': 'semi;colon=1.txt',
  'a header’s own words': 'x"; filename="evil.sh"; name="other',
  'a boundary': '--boundary--\r\nContent-Disposition: form-data; name="file"',
  'a shell’s words': '$(reboot) `id` & | > < * ? !.txt',
  markup: '<img src=x onerror=alert(1)>.html',
  'a byte that is not UTF-8': Buffer.from([0x6c, 0x61, 0x74, 0x69, 0x6e, 0xe9, 0x2e, 0x74, 0x78, 0x74]),
  'half a character': Buffer.from([0x63, 0x75, 0x74, 0xe8, 0xaa, 0x2e, 0x74, 0x78, 0x74]),
  'a surrogate in UTF-8': Buffer.from([0xed, 0xa0, 0x80, 0x2e, 0x74, 0x78, 0x74]),
};

/** What would act on a terminal: controls but the line feed, bidi controls, zero widths, lone surrogates. */
export const actsOnTerminals =
  /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Cs}/u;
