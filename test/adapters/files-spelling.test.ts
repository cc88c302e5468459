// One spelling for each file, on systems that take several for one: Windows and macOS, whose real paths are spelled as
// on the disk, and Linux with a disk that does not distinguish capitals, whose real paths are spelled as requested.
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createSpelling,
  isInside,
  isOnePath,
  realSpelling,
  spell,
  type SpellingSystem,
} from '../../src-main/adapters/files/spelling.ts';

type Paths = typeof path.win32;

/** `short`: other names of the system. `links`: where they lead. */
const systemWith = (
  files: readonly string[],
  options: {
    paths: Paths;
    realIsSpelled: boolean;
    short?: Record<string, string>;
    links?: Record<string, string>;
  },
): SpellingSystem & { asked: string[] } => {
  const { paths, realIsSpelled, short = {}, links = {} } = options;
  const asked: string[] = [];
  const all = new Set<string>();
  for (const file of [...files, ...Object.keys(links)])
    for (let at = file; !all.has(at); at = paths.dirname(at)) all.add(at);
  const fold = (one: string): string => one.normalize('NFC').toLowerCase();
  const found = (one: string): string | null => {
    const whole = Object.entries(short).reduce((name, [from, to]) => name.replace(from, to), one);
    return [...all].find((each) => fold(each) === fold(whole)) ?? null;
  };
  const real = (one: string): string | null => {
    const [link, target] =
      Object.entries(links).find(([from]) => fold(`${one}${paths.sep}`).startsWith(fold(from + paths.sep))) ??
      [];
    if (link !== undefined && target !== undefined) return real(target + one.slice(link.length));
    const there = found(one);
    return there === null || realIsSpelled ? there : one;
  };
  return {
    asked,
    paths,
    realIsSpelled,
    real: async (one) => {
      asked.push(one);
      return real(one);
    },
    isLink: async (one) => {
      const there = found(one);
      if (there !== null && there in links) return true;
      return real(one) === null ? null : false;
    },
    names: async (folder) =>
      [...all]
        .filter((one) => one !== folder && paths.dirname(one) === folder)
        .map((one) => paths.basename(one)),
    foldsNames: () => true,
  };
};

const windows = systemWith([String.raw`C:\Users\Zoë\Tray\Long name.txt`, String.raw`\\Nas\Share\B.txt`], {
  paths: path.win32,
  realIsSpelled: true,
  short: { 'LONGNA~1.TXT': 'Long name.txt' },
});
const stick = systemWith(['/media/Stick/DCIM/Zoë.JPG'], { paths: path.posix, realIsSpelled: false });

test.each([
  String.raw`C:\Users\Zoë\Tray\Long name.txt`,
  String.raw`c:\users\zoë\TRAY\LONG NAME.TXT`,
  String.raw`C:\Users\Zoë\Tray\LONGNA~1.TXT`,
  'C:/Users/Zoë/Tray/Long name.txt',
  String.raw`C:\Users\Zoë\.\Tray\..\Tray\\Long name.txt` + '\\',
  String.raw`\\?\C:\Users\Zoë\Tray\Long name.txt`,
  String.raw`\\.\c:\users\Zoë\Tray\Long name.txt`,
  '//?/c:/Users/Zoë/Tray/Long name.txt',
  String.raw`C:\Users\Zoë\Tray\Long name.txt`.normalize('NFD'),
])('Windows has one spelling of %s', async (given) => {
  expect(await createSpelling(windows).spell([given])).toEqual([
    { path: String.raw`C:\Users\Zoë\Tray\Long name.txt`, isGuess: false },
  ]);
});

test('a network share has one spelling', async () => {
  const { spell: spellHere } = createSpelling(windows);
  for (const given of [String.raw`\\nas\share\b.TXT`, String.raw`\\?\UNC\nas\Share\b.txt`])
    expect(await spellHere([given])).toEqual([{ path: String.raw`\\Nas\Share\B.txt`, isGuess: false }]);
});

test.each([
  '/media/Stick/DCIM/Zoë.JPG',
  '/media/stick/dcim/zoë.jpg',
  '/media/Stick/DCIM/Zoë.JPG'.normalize('NFD'),
])('a stick in Linux has one spelling of %s', async (given) => {
  expect(await createSpelling(stick).spell([given])).toEqual([
    { path: '/media/Stick/DCIM/Zoë.JPG', isGuess: false },
  ]);
});

test('a missing path is spelled as far as it exists, and may be a row in another spelling', async () => {
  const { spell: spellHere } = createSpelling(windows);
  expect(await spellHere([String.raw`c:\users\zoë\tray\Gone\A.txt`, String.raw`q:\none`])).toEqual([
    { path: String.raw`C:\Users\Zoë\Tray\Gone\A.txt`, isGuess: true },
    { path: String.raw`Q:\none`, isGuess: true },
  ]);
});

test('names are looked up where the system reports no real path, as some drives of Windows', async () => {
  const { spell: spellHere } = createSpelling({ ...windows, real: async () => null });
  expect(await spellHere([String.raw`c:\USERS\zoë\TRAY\long name.TXT`])).toEqual([
    { path: String.raw`C:\Users\Zoë\Tray\Long name.txt`, isGuess: false },
  ]);
});

test('a symbolic link above the last name is resolved, and one as the last name is only spelled', async () => {
  const { spell: spellHere, realSpelling: realHere } = createSpelling(
    systemWith([String.raw`D:\Real\A.txt`], {
      paths: path.win32,
      realIsSpelled: true,
      links: { [String.raw`C:\Link`]: String.raw`D:\Real` },
    }),
  );
  expect(await spellHere([String.raw`c:\link\a.TXT`, String.raw`c:\LINK`])).toEqual([
    { path: String.raw`D:\Real\A.txt`, isGuess: false },
    { path: String.raw`C:\Link`, isGuess: false },
  ]);
  expect(await realHere(String.raw`c:\LINK`)).toBe(String.raw`D:\Real`);
});

test('names that differ only in capitals stay separate where a disk distinguishes them', async () => {
  const { spell: spellHere } = createSpelling(
    systemWith(['/usb/a.txt', '/usb/A.txt'], { paths: path.posix, realIsSpelled: false }),
  );
  expect(await spellHere(['/usb/a.txt', '/usb/A.txt'])).toEqual([
    { path: '/usb/a.txt', isGuess: false },
    { path: '/usb/A.txt', isGuess: false },
  ]);
});

test('a folder of many files is queried once where the disk distinguishes capitals', async () => {
  const system = {
    ...systemWith(['/big/a'], { paths: path.posix, realIsSpelled: false }),
    foldsNames: () => false,
  };
  await createSpelling(system).spell(Array.from({ length: 100 }, (_, at) => `/big/${at}`));
  expect(system.asked).toEqual(['/big']);
});

describe.skipIf(process.platform === 'win32')('on a real disk', () => {
  test('symbolic links above the last name are resolved', async () => {
    const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'outtray-spelling-')));
    mkdirSync(path.join(top, 'real'));
    writeFileSync(path.join(top, 'real', 'a.txt'), '');
    symlinkSync(path.join(top, 'real'), path.join(top, 'link'));
    const paths = ['link/a.txt', 'link/none/b', 'link'].map((one) => path.join(top, one));
    expect((await spell(paths)).map((one) => one.path)).toEqual(
      ['real/a.txt', 'real/none/b', 'link'].map((one) => path.join(top, one)),
    );
    expect(await realSpelling(path.join(top, 'link'))).toBe(path.join(top, 'real'));
    expect(await realSpelling('a\0b')).toBeNull();
    expect(await spell([`${top}/a\0b`])).toHaveLength(1);
  });
});

test.each([
  ['/media/stick/DOCS/A.txt', true, true],
  ['/media/stick/DOCS/A.txt', false, false],
  ['/media/stick/docs/b.txt', true, false],
  ['/media/stick/docs/a.txt', false, true],
])(
  'the open file at %s is the one at /media/stick/docs/a.txt (no capitals: %s): %s',
  (real, foldsNames, isOne) => {
    expect(isOnePath(real, '/media/stick/docs/a.txt', () => ({ foldsNames }))).toBe(isOne);
  },
);

test.each([
  ['/media/Stick/docs', '/media/stick/DOCS/a.txt', true, true],
  ['/media/Stick/docs', '/media/stick/DOCS/a.txt', false, false],
  ['/media/Stick/docs', '/media/stick/DOCS', true, true],
  ['/media/Stick/docs', '/media/stick/docs2/a.txt', true, false],
  ['/media/stick/caf\u00e9', '/media/stick/cafe\u0301/a.txt', true, true],
  ['/media/stick/docs', '/media/stick/docs/a.txt', false, true],
])('in %s lies %s (no capitals: %s): %s', (top, file, foldsNames, isIn) => {
  expect(isInside(top, file, () => ({ foldsNames }))).toBe(isIn);
});
