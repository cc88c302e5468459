// Names of any bytes that Linux allows (1 to 255, no `/`, no NUL), with a preference for difficult ones: halves of
// characters, combining marks, writing from right to left, newlines, and the limits of lengths.
import type { Dice } from '../simulation/dice.ts';

const pieces: readonly (string | readonly number[])[] = [
  'a',
  'Z',
  'é',
  'e\u0301',
  'ﬁ',
  'Å',
  'A\u030a',
  '한',
  '\u1112\u1161\u11ab',
  '語',
  '🎉',
  '👩‍👩‍👧‍👦',
  '🇨🇭',
  'שלום',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u00ad',
  '\u034f',
  '\u0338',
  '<\u0338',
  '\u0000'.replace('\u0000', '\u0001'),
  '\u007f',
  '\u0085',
  '\u2028',
  '\ue000',
  '\uffff',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '\u00a0',
  '\u3000',
  '.',
  '..',
  '"',
  "'",
  '\\',
  ':',
  '*?<>|',
  '%22',
  '%0d%0a',
  '%',
  '; filename=x',
  '--',
  '~',
  '\u001b[31m',
  '.txt',
  '.tar.gz',
  '.pdf',
  [0xff],
  [0xc0, 0xaf],
  [0xe8, 0xaa],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0x80],
];

const mostBytes = 255;

export const hostileName = (dice: Dice): Buffer => {
  const wanted = dice.happens(0.15) ? mostBytes : Math.ceil(dice.spread(1, mostBytes));
  const parts: Buffer[] = [];
  let bytes = 0;
  // Sometimes only one kind: cutting such a name must end somewhere.
  const only = dice.happens(0.2) ? dice.pick(pieces) : null;
  while (bytes < wanted) {
    const piece = only ?? dice.pick(pieces);
    const part = dice.happens(0.1)
      ? Buffer.from([dice.pick([dice.whole(1, 46), dice.whole(48, 255)])])
      : typeof piece === 'string'
        ? Buffer.from(piece)
        : Buffer.from(piece);
    parts.push(part);
    bytes += part.length;
  }
  const name = Buffer.concat(parts).subarray(0, wanted);
  const isPlain = name.includes('/') || name.equals(Buffer.from('.')) || name.equals(Buffer.from('..'));
  return isPlain ? Buffer.from(`x${name.toString('hex').slice(0, 100)}`) : name;
};

/** What is wrong with a name that is sent (upload-protocol.md, The name that is sent), or null. */
export const problemOfSent = (sent: string): string | null => {
  if (sent === '') return 'empty';
  if (!sent.isWellFormed()) return 'half a pair';
  if (Buffer.byteLength(sent) > 200) return 'over 200 bytes';
  if (sent !== sent.normalize('NFC')) return 'not NFC';
  if (/[\p{Cc}/\\:*?"<>|]/u.test(sent)) return 'a forbidden character';
  if (/[\p{Bidi_Control}\u200b-\u200d\u2060\ufeff]/u.test(sent)) return 'a character nobody sees';
  if (/^[ .]|[ .]$/.test(sent)) return 'a blank or dot at an end';
  if (/%[0-9a-f]{2}/i.test(sent)) return 'an escape some servers undo';
  return null;
};
