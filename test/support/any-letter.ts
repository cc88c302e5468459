import fc from 'fast-check';

/** The halves of pairs, which stand between the other code points. */
const halves = { from: 0xd800, count: 0x800 };

/**
 * A letter of a text for `fc.string`: any code point but half of a pair. It gives what the unit `binary` of fast-check
 * gives, which lists a million letters first: that takes a second.
 */
export const anyLetter = fc.integer({ min: 0, max: 0x10ffff - halves.count }).map(
  (at) => String.fromCodePoint(at < halves.from ? at : at + halves.count),
  (letter) => {
    const code = typeof letter === 'string' && letter.isWellFormed() ? letter.codePointAt(0) : undefined;
    if (code === undefined || letter !== String.fromCodePoint(code)) throw new Error('It is no such letter.');
    return code < halves.from ? code : code - halves.count;
  },
);
