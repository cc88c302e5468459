// What is on the clipboard for the app: copied files that are not on this computer are reported, never their addresses.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { privateMarks } from '../../../../src-main/contract/text/private-marks.ts';
import { posixTest } from '../../../support/posix.ts';

let contents: Readonly<Record<string, string>>;
const reads: string[] = [];
vi.mock('electron', () => ({
  clipboard: {
    read: async () =>
      Object.entries(contents).map(([type, payload]) => ({
        types: [type],
        getType: async () => (reads.push(type), payload),
      })),
  },
}));
// Other files of this run may have loaded these modules with their own stand-ins.
vi.resetModules();
const { isClipboardPrivate, pathsOnClipboard } =
  await import('../../../../src-main/shell/clipboard/paste.ts');

const kept: string[] = [];
const keep = (bytes: Uint8Array, ending: string) =>
  Promise.resolve(`${kept.push(new TextDecoder().decode(bytes))}.${ending}`);
beforeEach(() => void kept.splice(0));
afterEach(() => void vi.unstubAllGlobals());

const native = (type: string): string => `electron application/osclipboard;format="${type}"`;
const look = (platform: NodeJS.Platform, given: Readonly<Record<string, string>>) => {
  contents = given;
  vi.stubGlobal('process', Object.create(process, { platform: { value: platform } }));
  return pathsOnClipboard(
    keep,
    () => false,
    () => undefined,
  );
};

const remote = 'sftp://anna@intranet.example/home/anna/payroll-2026.xlsx';
test.each<[string, NodeJS.Platform, Record<string, string>]>([
  ['a network place', 'linux', { 'text/uri-list': `${remote}\r\n`, 'text/plain': remote }],
  ['another computer', 'linux', { 'text/uri-list': 'file://other/a\r\n', 'text/plain': '//other/a' }],
  [
    'a list of file managers',
    'linux',
    { [native('x-special/gnome-copied-files')]: `copy\n${remote}`, 'text/plain': remote },
  ],
  ['a mail program', 'win32', { [native('FileGroupDescriptorW')]: '\u0001', 'text/plain': 'Payroll' }],
  ['a phone', 'win32', { [native('Shell IDList Array')]: '\u0001', 'text/plain': 'Payroll' }],
  [
    'a promise',
    'darwin',
    { [native('com.apple.pasteboard.promised-file-url')]: '', 'text/plain': 'Payroll' },
  ],
])(
  'copied files that are not here are counted, and the text beside them is left: %s',
  async (_, platform, given) => {
    expect(await look(platform, given)).toEqual({ paths: [], unreadable: 0, elsewhere: 1 });
    expect(kept).toEqual([]);
  },
);

posixTest('an address of a file has a drive there')(
  'of files in several places those that are here are taken, and the others are counted',
  async () => {
    const given = { 'text/uri-list': `file:///a\r\n${remote}\r\nsmb://x/c\r\n`, 'text/plain': '/a' };
    expect(await look('linux', given)).toEqual({ paths: ['/a'], unreadable: 0, elsewhere: 2 });
  },
);

const explorer = (files: number): string => `${String.fromCharCode(files)}\0\0\0`;
const listed = 'file:///C:/Users/Ada/a%20b.txt\r\nfile:///D:/%C3%A9.txt\r\nfile://nas/team/c.txt\r\n';
const paths = ['C:\\Users\\Ada\\a b.txt', 'D:\\é.txt', '\\\\nas\\team\\c.txt'];
const first = Buffer.from(`${paths[0] ?? ''}\0`, 'utf16le').toString('latin1');
test.each<[string, Record<string, string>, string[], number]>([
  ['a list of addresses', { 'text/uri-list': listed }, paths, 0],
  ['a list beside the first path', { [native('FileNameW')]: first, 'text/uri-list': listed }, paths, 0],
  ['a list that is empty', { [native('FileNameW')]: first, 'text/uri-list': '' }, paths.slice(0, 1), 2],
  ['the first path alone', { [native('FileNameW')]: first }, paths.slice(0, 1), 2],
  ['a list that is shorter', { 'text/uri-list': listed.split('\r\n')[0] ?? '' }, paths.slice(0, 1), 2],
])('three files of the Explorer: %s', async (_, given, expected, unreadable) => {
  const types = { ...given, [native('Shell IDList Array')]: explorer(3) };
  expect(await look('win32', types)).toMatchObject({ paths: expected, unreadable });
});

test('a copied web link is a text, and a picture is taken wherever it comes from', async () => {
  await look('linux', { 'text/uri-list': 'https://x/y', 'text/plain': 'https://x/y' });
  expect(kept).toEqual(['https://x/y']);
  const picture = await look('linux', {
    'text/uri-list': remote,
    'image/png': 'a picture',
    'text/plain': remote,
  });
  expect(picture).toMatchObject({ elsewhere: 0, paths: [expect.stringMatching(/\.png$/)] });
});

test('a list of file managers that names nothing is still one of files', async () => {
  const given = { 'x-special/gnome-copied-files': 'cut\n', 'text/uri-list': '# x', 'text/plain': 'x' };
  expect(await look('linux', given)).toMatchObject({ paths: [], elsewhere: 1 });
});

test.each(privateMarks.map((mark) => [mark.type, mark] as const))(
  'what is marked as private is not read, whatever it is: %s',
  async (type, { system, isZero }) => {
    const payload = isZero === true ? '\0\0\0\0' : '';
    const copied = [
      ['text/plain', 'hunter2'],
      ['image/png', 'a picture'],
      ['text/uri-list', 'file:///a'],
      [native('FileNameW'), 'C\0:\0'],
      [native('NSFilenamesPboardType'), '<string>/a</string>'],
    ] as const;
    for (const [of, content] of copied)
      for (const mark of [native(type), type, type.toLowerCase()]) {
        reads.length = 0;
        const found = await look(system, { [of]: content, [mark]: payload });
        expect(found).toEqual({ paths: [], unreadable: 0, elsewhere: 0, isPrivate: true });
        // The window asks this before it uploads files of its paste event.
        expect(await isClipboardPrivate()).toBe(true);
        expect(reads.filter((one) => one === of)).toEqual([]);
      }
    expect(kept).toEqual([]);
    if (isZero !== true) return;
    const allowed = await look(system, { 'text/plain': 'hello', [native(type)]: '\u0001\0\0\0' });
    expect(allowed.paths).toHaveLength(1);
    expect(await isClipboardPrivate()).toBe(false);
  },
);
