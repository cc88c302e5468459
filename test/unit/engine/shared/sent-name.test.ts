import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  byteLength,
  foldedName,
  inZip,
  namedFile,
  namesOfFile,
  nameToSend,
  plain,
  readingsOf,
  spellingsOf,
} from '../../../../src-main/engine/shared/sent-name.ts';
import { anyLetter } from '../../../support/any-letter.ts';

describe('the sent name', () => {
  test.each([
    ['keeps an ordinary name', 'Report 2030 (final).pdf', 'Report 2030 (final).pdf'],
    ['keeps letters of any script', '报告 отчёт 🎉.txt', '报告 отчёт 🎉.txt'],
    ['joins what a Mac takes apart', 'e\u0301te\u0301.txt', 'été.txt'],
    ['replaces separators and what Windows forbids', 'a/b\\c:d*e?f"g<h>i|j', 'a_b_c_d_e_f_g_h_i_j'],
    ['replaces line ends and other controls', 'a\r\nX-Evil: 1\u0085b\u007f', 'a__X-Evil_ 1_b_'],
    ['replaces what turns the reading direction', 'gpj.\u202eexe', 'gpj._exe'],
    ['replaces what cannot be seen', 'a\u200bb\u200dc\ufeffd\u2060e\u{e0041}f', 'a_b_c_d_e_f'],
    ['replaces bytes that are no text', 'a\0ffb', 'a_b'],
    ['replaces half a character', 'a\ud800b\udc00c', 'a_b_c'],
    ['replaces the percent sign of what a server may decode', 'a%22b%0d%0Ac', 'a_22b_0d_0Ac'],
    ['keeps any other percent sign', '100% %2x %', '100% %2x %'],
    ['has no blank or dot at its ends', ' .. note.txt. . .', 'note.txt'],
    ['is never empty', ' ... ', '_'],
    ['is never empty, whatever was replaced', '', '_'],
    ['keeps the name of a hidden file readable', '.profile', 'profile'],
  ])('%s', (_, given, sent) => {
    expect(nameToSend(given)).toBe(sent);
  });

  test('is cut to 200 bytes with its extension kept', () => {
    const sent = nameToSend(`${'ä'.repeat(300)}.jpeg`);
    expect(byteLength(sent)).toBeLessThanOrEqual(200);
    expect(sent).toMatch(/^ä+\.jpeg$/);
    // The extension is what follows the last dot.
    expect(nameToSend(`v1.2 ${'a'.repeat(300)}.pdf`)).toBe(`v1.2 ${'a'.repeat(191)}.pdf`);
  });

  test('of exactly 200 bytes is not cut', () => {
    const longest = `${'ä'.repeat(98)}.tar`;
    expect(nameToSend(longest)).toBe(longest);
    expect(nameToSend(`ä${longest}`)).toBe(longest);
  });

  test('is never cut inside a character, however many code points it has', () => {
    const family = '👩‍👩‍👧‍👦';
    // There is room for the letter, and for none of the marks that belong to it.
    expect(nameToSend(`${'x'.repeat(194)}e\u0323\u0301.t`)).toBe(`${'x'.repeat(194)}.t`);
    expect(nameToSend(`${'x'.repeat(193)}e\u0323\u0301.t`)).toBe(`${'x'.repeat(193)}\u1eb9\u0301.t`);
    // The joiners are invisible controls and are replaced.
    expect(nameToSend(family.repeat(40))).not.toMatch(/\ufffd/);
  });

  test('has an extension of 32 bytes at most', () => {
    const extension = `.${'e'.repeat(31)}`;
    expect(nameToSend(`${'a'.repeat(200)}${extension}`)).toBe(`${'a'.repeat(168)}${extension}`);
    expect(nameToSend(`${'a'.repeat(180)}${extension}e`)).toBe(`${'a'.repeat(180)}.${'e'.repeat(19)}`);
  });

  test('treats the part after the last dot as part of the name when it is too long for an extension', () => {
    const sent = nameToSend(`a.${'b'.repeat(300)}`);
    expect(sent).toBe(`a.${'b'.repeat(198)}`);
  });

  test('cuts one endless pile of marks between code points', () => {
    expect(nameToSend(`q${'\u0323'.repeat(300)}`)).toBe(`q${'\u0323'.repeat(99)}`);
    expect(nameToSend(`ж${'\u0323'.repeat(300)}`)).toBe(`ж${'\u0323'.repeat(99)}`);
  });

  test('keeps no space before the extension when it is cut', () => {
    expect(nameToSend(`${'a'.repeat(199)} b`)).toBe('a'.repeat(199));
  });
});

describe('a name in a zip', () => {
  test.each([
    ['is as it is', 'Report 2030 (final) 100%.pdf', 'Report 2030 (final) 100%.pdf'],
    ['joins what a Mac takes apart', 'e\u0301té.txt', 'été.txt'],
    ['keeps the dot of a hidden file', '.profile', '.profile'],
    ['has no blank or dot at its end, and no blank in front', '  .profile. . ', '.profile'],
    ['leads to no other folder', 'a/b\\c:d', 'a_b_c_d'],
    ['has nothing that Windows forbids', 'a*b?c"d<e>f|g', 'a_b_c_d_e_f_g'],
    ['keeps a percent sign', 'a%20b%', 'a%20b%'],
    ['has no controls', 'a\r\nb\u0085', 'a__b_'],
    [
      'has nothing that turns the reading direction or is not seen',
      'gpj.\u202eexe\u200b\ufeff',
      'gpj._exe__',
    ],
    ['has no bytes that are no text, and no half characters', 'a\0ffb\ud800c', 'a_b_c'],
    ['is not the folder itself', '.', '_'],
    ['is not the folder above', '..', '_'],
    ['is never empty', ' ... ', '_'],
    ['may begin with the dots of a folder', '..a', '..a'],
    ['ends with no dots of a folder', 'a..', 'a'],
    ['is no device of Windows', 'CON', '_CON'],
    ['is no device of Windows with an extension', 'nul.tar.gz', '_nul.tar.gz'],
    ['is no device of Windows with a blank or a small digit', 'com\u00b9 .txt', '_com\u00b9 .txt'],
    ['is no device of Windows with a number', 'com1', '_com1'],
    ['is no printer of Windows', 'LPT9.txt', '_LPT9.txt'],
    ['may begin as a device of Windows does', 'console.txt', 'console.txt'],
    ['may have a letter where a device has its number', 'comx.lptx', 'comx.lptx'],
    ['may begin as a printer of Windows does', 'lptx.txt', 'lptx.txt'],
    ['may end as a device of Windows does', 'falcon.txt', 'falcon.txt'],
    ['is cut with its extension kept', `${'ä'.repeat(120)}.jpeg`, `${'ä'.repeat(97)}.jpeg`],
    ['is cut without what follows the extension', `${'ä'.repeat(120)}.jpeg. .`, `${'ä'.repeat(97)}.jpeg`],
    ['has no blanks where it was cut', `${'a'.repeat(198)}  b`, 'a'.repeat(198)],
  ])('%s', (_, given, name) => {
    expect(inZip(given)).toBe(name);
  });
});

test.each([
  ['its case and spaces', 'My  Report.PDF', 'myreportpdf'],
  ['the brackets of a number', 'a (1)_x.txt', 'a1xtxt'],
  ['none of its letters, of whatever script', 'Отчёт 报告 ٣.txt', 'отчёт报告٣txt'],
  ['all of a name of signs', '--- !', ''],
])('for comparison, a name loses %s', (_, name, left) => {
  expect(plain(name)).toBe(left);
});

test.each(['\x7f', '\x80', '\u07ff', '\u0800', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'])(
  'the bytes of %j are counted as in UTF-8',
  (character) => {
    expect(byteLength(character)).toBe(Buffer.byteLength(character));
  },
);

test.each([
  ['capital letters', 'README.txt', 'readme.TXT'],
  ['letters that a Mac takes apart', 'e\u0301', '\u00c9'],
  ['letters that have one capital', '\u00b5', '\u03bc'],
  ['capitals that have one small letter', '\u03f4', '\u0398'],
])('names are the same whatever their %s', (_, one, other) => {
  expect(foldedName(one)).toBe(foldedName(other));
});

test('names with different letters are different', () => {
  expect(foldedName('a.txt')).not.toBe(foldedName('b.txt'));
});

test.each([
  ['a/b/c.txt', 'c.txt', 'c.txt'],
  ['C:\\a\\b\\c.txt', 'c.txt', 'c.txt'],
  ['a/b\\c.txt', 'b\\c.txt', 'b_c.txt'],
  ['a\\b/c.txt', 'c.txt', 'c.txt'],
  ['/a/c.txt\\', 'c.txt\\', 'c.txt_'],
  ['c.txt', 'c.txt', 'c.txt'],
  ['a/.c?', '.c?', 'c_'],
])('a file %j is named %j and sent as %j', (below, onDisk, sent) => {
  expect(namedFile(below)).toEqual({ below, names: { onDisk, sent } });
  expect(namesOfFile(onDisk)).toEqual({ onDisk, sent });
});

describe('a guard reads', () => {
  test.each([
    ['a plain name once', 'x.exe', ['x.exe']],
    ['a name with a dot after it', 'x.exe.', ['x.exe.', 'x.exe']],
    ['a name with a blank after it', 'x.exe ', ['x.exe ', 'x.exe']],
    ['a name with an empty Braille cell after it', 'x.exe\u2800', ['x.exe\u2800', 'x.exe']],
    ['the end of a path of Windows', 'a\\x.exe', ['a\\x.exe', 'a_x.exe', 'x.exe']],
    ['a hidden name, which a zip keeps', '.exe.', ['.exe.', 'exe', '.exe']],
    ['a stream of a file', 'x.exe::$DATA', ['x.exe::$DATA', 'x.exe__$DATA', 'x.exe']],
    ['what is before a stream without its end', 'x.exe. :a', ['x.exe. :a', 'x.exe. _a', 'x.exe']],
    ['wide letters', '\uff58.\uff45xe', ['\uff58.\uff45xe', 'x.exe']],
    ['dots of other scripts', 'x\u3002exe', ['x\u3002exe', 'x.exe']],
    ['Cyrillic letters', 'х.ехе', ['х.ехе', 'x.exe']],
    ['Cyrillic capitals', 'Х.ЕХЕ', ['Х.ЕХЕ', 'X.EXE']],
    ['Greek letters', 'α.ΕΧΕ', ['α.ΕΧΕ', 'a.EXE']],
    ['Armenian letters', 'օ.ց', ['օ.ց', 'o.g']],
    ['letters without a dot', 'ı.ɡ', ['ı.ɡ', 'i.g']],
    ['characters that are not seen', 'x.e\u00adxe', ['x.e\u00adxe', 'x.exe']],
    ['bytes that are no text', 'x.e\0ffxe', ['x.e\0ffxe', 'x.e_xe', 'x.exe']],
    ['no name that is empty', ':a', [':a', '_a']],
  ])('%s', (_, onDisk, spellings) => {
    expect(readingsOf(namesOfFile(onDisk))).toEqual(spellings);
  });

  test.each([
    ['a plain name once', 'x 1-2.exe', []],
    ['a name without accents', 'x.\u00e9xe', ['x.exe']],
    ['a name without what is no plain letter', 'x.e(\u0436)xe!', ['x.exe']],
    ['a name without underscores and dots after it', 'x.exe?_.', ['x.exe']],
    ['a name that is left without letters as it is', '\u62a5\u544a', []],
  ])('as a service may store it: %s', (_, onDisk, more) => {
    const names = namesOfFile(onDisk);
    expect(spellingsOf(names)).toEqual(expect.arrayContaining([...readingsOf(names), ...more]));
    expect(spellingsOf(names).filter((name) => !readingsOf(names).includes(name))).toEqual(more);
  });

  test('both names, the one on the disk first', () => {
    expect(readingsOf({ onDisk: 'a.txt', sent: 'b.exe' })).toEqual(['a.txt', 'b.exe']);
  });
});

const anyName = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.string({ unit: anyLetter, maxLength: 400 }),
  // Long, with an extension, out of awkward pieces.
  fc
    .array(fc.constantFrom('a', 'é', 'e\u0301', '👩‍👧', '.', ' ', '\u202e', '/', '\ud800', '\0ff', '漢'), {
      maxLength: 300,
    })
    .map((parts) => `${parts.join('')}.jpg`),
);
const forbidden = /[\p{Cc}/\\:*?"<>|\p{Bidi_Control}\u200b-\u200d\u2060-\u2064\ufeff]/u;

describe('for any name', () => {
  test('the sent name has 1 to 200 bytes, is composed, safe, and stays the same when sent again', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const sent = nameToSend(name);
        expect(byteLength(sent)).toBe(Buffer.byteLength(sent));
        expect(byteLength(sent)).toBeGreaterThan(0);
        expect(byteLength(sent)).toBeLessThanOrEqual(200);
        expect(sent).not.toMatch(forbidden);
        expect(sent).toBe(sent.normalize('NFC'));
        expect(sent).toBe(sent.trim());
        expect(sent.isWellFormed()).toBe(true);
        expect(nameToSend(sent)).toBe(sent);
      }),
      { numRuns: 500 },
    );
  });

  test('the extension is kept', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), (stem) => {
        expect(nameToSend(`x${stem}.tar`)).toMatch(/\.tar$/);
      }),
      { numRuns: 200 },
    );
  });
});
