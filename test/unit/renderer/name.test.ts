import { expect, test } from 'vitest';
import { searchWords } from '../../../src-main/contract/search.ts';
import { cutName, extensionAt, fileKind, plainName, shortName } from '../../../src-renderer/words/name.ts';

const joined = (name: string, part: 'head' | 'tail'): string => {
  const pieces = cutName(name)[part];
  return pieces.map((piece) => (piece.mark ? `<${piece.text}>` : piece.text)).join('');
};

test('the tail of a long name keeps the extension and the last letters of the stem', () => {
  expect(joined('quarterly report with annotations, final.pdf', 'tail')).toBe(' final.pdf');
  expect(joined('quarterly report with annotations, final.pdf', 'head')).toBe(
    'quarterly report with annotations,',
  );
});

test('a short name is cut only at its extension', () => {
  expect(joined('notes.md', 'head')).toBe('notes');
  expect(joined('notes.md', 'tail')).toBe('.md');
});

test.each([
  ['backup.tar.gz', '.tar.gz'],
  ['.env', ''],
  ['README', ''],
  ['a.b.c', '.c'],
  ['sentence. This is not an extension at all', ''],
])('the extension of %s is %j', (name, extension) => {
  expect(name.slice(extensionAt(name))).toBe(extension);
});

test('a direction override is shown as a code and cannot reverse the extension', () => {
  expect(plainName('invoice\u202Efdp.exe')).toBe('invoice⟨U+202E⟩fdp.exe');
  expect(joined('invoice\u202Efdp.exe', 'tail')).toMatch(/\.exe$/);
});

test('controls, zero-width characters and tags are shown, letters and emoji are not touched', () => {
  expect(plainName('a\u0000b\n\u200Bc\u{e0041}.txt')).toBe('a⟨U+0000⟩b⟨U+000A⟩⟨U+200B⟩c⟨U+E0041⟩.txt');
  expect(plainName('合同草案 👩‍💻 é.docx')).toBe('合同草案 👩‍💻 é.docx');
});

test('a name is never cut inside a character that consists of several code points', () => {
  const family = '👩‍👩‍👧‍👦';
  const { head, tail } = cutName(`${family.repeat(20)}.png`);
  const text = (pieces: { text: string }[]): string => pieces.map((piece) => piece.text).join('');
  expect(text(head)).toBe(family.repeat(14));
  expect(text(tail)).toBe(`${family.repeat(6)}.png`);
});

test('cutting a name loses nothing of it', () => {
  for (const name of ['', '.', '..', 'a', '.gitignore', 'x'.repeat(255), `${'ä'.repeat(100)}.tar.zst`]) {
    expect(joined(name, 'head') + joined(name, 'tail')).toBe(name);
  }
});

test('file kinds depend on the last extension, whatever its case', () => {
  expect(fileKind('HOLIDAY.JPG')).toBe('image');
  expect(fileKind('backup.tar.gz')).toBe('archive');
  expect(fileKind('README')).toBe('other');
});

test.each([
  ['doc 20.pdf', 'doc 2', ['doc', '2']],
  ['Haupt-QUARTIER bei Nacht, quartal.jpg', 'quart', ['QUART', 'quart']],
  ['U\u0308ni\u0308co\u0308de\u0301.txt', 'unic', ['U\u0308ni\u0308c']],
  ['Straße.pdf', 'rass', ['raß']],
  ['Straße.pdf', 's', ['S', 'ß']],
  ['ﬁnal.pdf', 'i', ['ﬁ']],
  ['a\u202Eb.exe', 'b.e', ['b.e']],
  ['banana.txt', 'ana', ['ana']],
  ['notes.md', 'zip', []],
  ['한글 문서.hwp'.normalize('NFD'), '글', ['글'.normalize('NFD')]],
])('in %s the search for %s is highlighted at %j', (name, search, seen) => {
  const { head, tail } = cutName(name, searchWords(search));
  const pieces = [...head, ...tail];
  expect(pieces.map(({ text, mark }) => (mark ? '\u202E' : text)).join('')).toBe(name);
  // A match that is cut in two pieces is one match.
  const found = pieces.map(({ text, hit }) => (hit ? text : '\n')).join('');
  expect(found.split('\n').filter((text) => text !== '')).toEqual(seen);
});

test('a name in a sentence loses its middle, not its extension, and no half of a character stays', () => {
  expect(shortName('notes.md')).toBe('notes.md');
  expect(shortName(`${'a'.repeat(60)}.parquet`, 20)).toBe('aaaaaaaaaaaaa…arquet');
  expect(shortName(`a\u202e${'👩‍🚀'.repeat(30)}.png`, 14)).toBe('a⟨U+202E⟩….png');
});

test('the end of a name that is written from right to left is its extension alone, as the end of its stem is on the left', () => {
  expect(cutName('חשבונית מספר 331 לשנת 2026.pdf').tail).toEqual([{ text: '.pdf', mark: false }]);
  expect(cutName('quarterly report of 2026.pdf').tail).toEqual([{ text: 'f 2026.pdf', mark: false }]);
});
