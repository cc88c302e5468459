// The folder of screenshots, as each system reports it. The system is a fake: its files and the output of its programs.
import { expect, test } from 'vitest';
import { screenshotsFolder, type System } from '../../src-main/adapters/system/screenshots.ts';

type Told = {
  env?: NodeJS.ProcessEnv;
  files?: Record<string, string>;
  prints?: Record<string, string | null>;
};

const folderOn = (platform: NodeJS.Platform, { env = {}, files = {}, prints = {} }: Told = {}): string => {
  const home = platform === 'win32' ? String.raw`C:\Users\ann` : '/home/ann';
  const system: System = {
    platform,
    env,
    home,
    read: (file) => files[file] ?? null,
    ask: (program, args) => prints[[program, ...args].join(' ')] ?? null,
  };
  return screenshotsFolder(system);
};

const dirs = '/home/ann/.config/user-dirs.dirs';
test.each<[string, Told, string]>([
  ['nothing is told', {}, '/home/ann/Pictures/Screenshots'],
  [
    'the pictures have another name',
    {
      files: {
        [dirs]: '# made by xdg-user-dirs\nXDG_MUSIC_DIR="$HOME/Musik"\nXDG_PICTURES_DIR="$HOME/Bilder"\n',
      },
    },
    '/home/ann/Bilder/Screenshots',
  ],
  ['they lie on another disk', { files: { [dirs]: 'XDG_PICTURES_DIR="/data/p"' } }, '/data/p/Screenshots'],
  ['they are the home folder', { files: { [dirs]: 'XDG_PICTURES_DIR="$HOME"' } }, '/home/ann/Screenshots'],
  [
    'signs in their name are escaped',
    { files: { [dirs]: String.raw`XDG_PICTURES_DIR="$HOME/a \"b\" \$c"` } },
    '/home/ann/a "b" $c/Screenshots',
  ],
  [
    'the line is a comment',
    { files: { [dirs]: '#XDG_PICTURES_DIR="/data"' } },
    '/home/ann/Pictures/Screenshots',
  ],
  [
    'the path is relative',
    { files: { [dirs]: 'XDG_PICTURES_DIR="data"' } },
    '/home/ann/Pictures/Screenshots',
  ],
  [
    'another name only begins with $HOME',
    { files: { [dirs]: 'XDG_PICTURES_DIR="$HOMEWORK"' } },
    '/home/ann/Pictures/Screenshots',
  ],
  [
    'the configuration lies elsewhere',
    {
      env: { XDG_CONFIG_HOME: '/etc/ann' },
      files: { '/etc/ann/user-dirs.dirs': 'XDG_PICTURES_DIR="/data/p"', [dirs]: 'XDG_PICTURES_DIR="/no"' },
    },
    '/data/p/Screenshots',
  ],
  [
    'the place of the configuration is empty',
    { env: { XDG_CONFIG_HOME: '' }, files: { [dirs]: 'XDG_PICTURES_DIR="/data/p"' } },
    '/data/p/Screenshots',
  ],
])('on Linux when %s', (_, told, folder) => {
  expect(folderOn('linux', told)).toBe(folder);
});

const defaults = '/usr/bin/defaults read com.apple.screencapture location';
test.each<[string, string | null, string]>([
  ['nothing is told', null, '/home/ann/Desktop'],
  ['a folder is told', '/Volumes/disk/Shots\n', '/Volumes/disk/Shots'],
  ['it lies in the home folder', '~/Pictures/Shots\n', '/home/ann/Pictures/Shots'],
  ['it is the home folder', '~\n', '/home/ann'],
  ['it is another user’s', '~bob/Shots\n', '/home/ann/Desktop'],
  ['it is no folder', 'clipboard\n', '/home/ann/Desktop'],
])('on macOS when %s', (_, told, folder) => {
  expect(folderOn('darwin', { prints: { [defaults]: told } })).toBe(folder);
});

const shellFolders = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Explorer\User Shell Folders`;
const screenshots = '{B7BEDE81-DF94-4682-A7D8-57A52620B86F}';
const query = (windows: string, name: string): string => {
  const at = String.raw`${windows}\System32`;
  return String.raw`${at}\cmd.exe /d /s /c ""${at}\chcp.com" 65001 >nul & "${at}\reg.exe" query "${shellFolders}" /v "${name}""`;
};
/** What reg.exe prints for a value. */
const reg = (name: string, folder: string, type = 'REG_EXPAND_SZ'): Record<string, string> => ({
  [query(String.raw`C:\Windows`, name)]: `\r\n${shellFolders}\r\n    ${name}    ${type}    ${folder}\r\n\r\n`,
});
test.each<[string, Told, string]>([
  ['nothing is told', {}, String.raw`C:\Users\ann\Pictures\Screenshots`],
  [
    'the folder was moved',
    { prints: reg(screenshots, String.raw`D:\My Shots`, 'REG_SZ') },
    String.raw`D:\My Shots`,
  ],
  [
    'it is told with a variable',
    { prints: reg(screenshots, String.raw`%USERPROFILE%\OneDrive\Shots`) },
    String.raw`C:\Users\ann\OneDrive\Shots`,
  ],
  [
    'it is told with a variable of the environment',
    { env: { OneDrive: String.raw`D:\Cloud` }, prints: reg(screenshots, String.raw`%OneDrive%\Shots`) },
    String.raw`D:\Cloud\Shots`,
  ],
  [
    'its name is not of this code page',
    { prints: reg(screenshots, String.raw`D:\合同\Zoë`) },
    String.raw`D:\合同\Zoë`,
  ],
  [
    'only the pictures were moved',
    { prints: reg('My Pictures', String.raw`%UserProfile%\Bilder`) },
    String.raw`C:\Users\ann\Bilder\Screenshots`,
  ],
  [
    'its variable has no value',
    { prints: reg(screenshots, String.raw`%Nothing%\Shots`) },
    String.raw`C:\Users\ann\Pictures\Screenshots`,
  ],
])('on Windows when %s', (_, told, folder) => {
  expect(folderOn('win32', told)).toBe(folder);
});

test('on Windows the programs are those of the system', () => {
  const asked: string[] = [];
  const ask = (program: string, args: readonly string[]): string | null => {
    asked.push([program, ...args].join(' '));
    return null;
  };
  screenshotsFolder({ platform: 'win32', env: { SystemRoot: String.raw`E:\Win` }, home: 'C:\\', ask });
  expect(asked).toEqual([screenshots, 'My Pictures'].map((name) => query(String.raw`E:\Win`, name)));
});

test('an unreadable file or a failing program leads to the usual folder', () => {
  const home = '/nonexistent/ann';
  expect(screenshotsFolder({ platform: 'linux', env: {}, home })).toBe(`${home}/Pictures/Screenshots`);
  expect(screenshotsFolder({ platform: 'win32', env: { SystemRoot: home }, home: 'C:\\ann' })).toBe(
    String.raw`C:\ann\Pictures\Screenshots`,
  );
});
