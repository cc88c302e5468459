// Input from the system and output to it: screens, proxies, clipboards, start at login, arguments, links to open.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import {
  isForCommand,
  isUnsandboxed,
  noWindow,
  takeProfile,
  windowFolderOf,
} from '../../../src-main/shell/start/launch-mode.ts';
import { diagnosticText } from '../../../src-main/adapters/log/diagnostic-text.ts';
import { pastedName } from '../../../src-main/contract/text/formats.ts';
import { copiedCount, copiedFiles } from '../../../src-main/shell/clipboard/pasted.ts';
import { boundsOn } from '../../../src-main/shell/window/window-bounds.ts';
import { createFakeSettings } from '../../support/fake-ports.ts';
import { posixTest } from '../../support/posix.ts';
import { statusWith } from './a-status.ts';

vi.mock('electron', () => ({ app: {}, clipboard: {}, session: {}, shell: {} }));
const { createCopy, isWayland } = await import('../../../src-main/shell/clipboard/clipboard.ts');
const { autostartEntry, autostartFile, moveAutostart, setAutostart } =
  await import('../../../src-main/shell/start/login-item.ts');
const { watchedFolder, whyNotOpened } = await import('../../../src-main/shell/open.ts');
const { firstProxy } = await import('../../../src-main/shell/proxy.ts');

test.each([
  // Switches of the app, of Chromium, and of systems and installers.
  [[], false],
  [['--hidden'], false],
  [['--no-sandbox', '--user-data-dir=/x', '--lang=de', '--ozone-platform-hint=auto'], false],
  [['-psn_0_989382'], false],
  [['--squirrel-firstrun'], false],
  [['-ToastActivated'], false],
  [['-Embedding'], false],
  // Files.
  [['/some/file.txt'], false],
  [['--no-sandbox', '/some/file.txt', '/some/other.txt'], false],
  [[pathToFileURL('/some/file.txt').href], false],
  [['--share', '/some/other.txt'], false],
  [['--share', 'list'], false],
  // Words of the command.
  [['status', '--json'], true],
  [['--json', 'status'], true],
  [['--ozone-platform=headless', 'upload', '--hidden'], true],
  [['--version'], true],
  [['-h'], true],
  [['uplaod', 'x'], true],
  [['/some/other.txt'], true],
  [['file:///some/%zz'], true],
  // A file that has the name of a command does not hide it.
  [['list'], true],
])('%j are words of the command: %s', (args, isCommand) => {
  const there = ['/some/file.txt', path.resolve('/some/file.txt'), 'list'];
  expect(isForCommand(args, (file) => there.includes(file))).toBe(isCommand);
});

test('pages have no sandbox with Chromium’s switch and with Electron’s variable', () => {
  expect(isUnsandboxed(['/app/outtray', '--no-sandbox'], {})).toBe(true);
  expect(isUnsandboxed(['/app/outtray'], { ELECTRON_DISABLE_SANDBOX: '1' })).toBe(true);
  expect(isUnsandboxed(['/app/outtray'], {})).toBe(false);
});

describe('a window', () => {
  const desktop = {
    platform: 'linux',
    env: { DISPLAY: ':0' },
    hasSwitch: () => false,
  } as const;
  test.each([
    ['on a desktop', {}, null],
    ['under Wayland', { env: { WAYLAND_DISPLAY: 'wayland-0' } }, null],
    ['under Wayland without its variable', { env: { XDG_SESSION_TYPE: 'wayland' } }, null],
    ['with a platform of its own', { env: {}, hasSwitch: (name: string) => name === 'ozone-platform' }, null],
    ['on other systems', { platform: 'darwin', env: {} }, null],
    ['without a display', { env: {} }, /no display/],
    ['with an empty display', { env: { DISPLAY: '' } }, /no display/],
  ] as const)('%s', (_what, system, said) => {
    const trouble = noWindow({ ...desktop, ...system });
    if (said === null) expect(trouble).toBeNull();
    else expect(trouble).toMatch(said);
  });
});

test.each<[string[], string | undefined, string[]]>([
  [['a.txt', '--hidden'], undefined, ['a.txt', '--hidden']],
  [['--profile', 'work', 'a.txt'], 'work', ['a.txt']],
  [['--hidden', '--profile=work', 'a.txt'], 'work', ['--hidden', 'a.txt']],
  [['--profile='], '', []],
  [['--profile'], '', []],
  [['--profile=a=b', '--profiles'], 'a=b', ['--profiles']],
])('the profile among the arguments %j is %j, and the others are %j', (args, profile, others) =>
  expect(takeProfile(args)).toEqual({ profile, others }),
);

describe('the folder of the window’s own files', () => {
  test('on macOS is beside the data folder, not in it under a name that differs only in a capital', () => {
    const appData = '/Users/me/Library/Application Support';
    const folder = windowFolderOf('darwin', appData, false);
    expect(folder).toBe(`${appData}/app.outtray.desktop`);
    expect(folder?.toLowerCase()).not.toBe(`${appData}/outtray`.toLowerCase());
  });

  test.each([
    ['darwin', '/x', true],
    ['win32', 'C:\\x', false],
    ['linux', '/home/me/.config', false],
  ] as const)('elsewhere is Electron’s choice, or the named one: %s', (platform, appData, isNamed) => {
    expect(windowFolderOf(platform, appData, isNamed)).toBeNull();
  });
});

describe('the window’s bounds', () => {
  const screens = [
    { x: 0, y: 0, width: 1920, height: 1040 },
    { x: 1920, y: 0, width: 1280, height: 1024 },
  ];
  test.each([
    ['nothing remembered', null, { width: 960, height: 640, maximized: false }],
    [
      'the second screen',
      { x: 2000, y: 100, width: 900, height: 700, maximized: false },
      { x: 2000, y: 100, width: 900, height: 700, maximized: false },
    ],
    [
      'a screen that is gone',
      { x: 5000, y: 100, width: 900, height: 700, maximized: true },
      { width: 900, height: 640, maximized: true },
    ],
    [
      'above the screen',
      { x: 100, y: -300, width: 900, height: 700, maximized: false },
      { width: 900, height: 640, maximized: false },
    ],
    [
      'larger than its screen',
      { x: 1930, y: 0, width: 4000, height: 3000, maximized: false },
      { x: 1930, y: 0, width: 1280, height: 1024, maximized: false },
    ],
    [
      'too small to use',
      { x: 10, y: 10, width: 5, height: 5, maximized: false },
      { width: 640, height: 480, maximized: false },
    ],
  ])('%s', (_what, remembered, expected) => expect(boundsOn(screens, remembered)).toEqual(expected));
});

describe('the proxy of the system', () => {
  test.each([
    ['DIRECT', null],
    ['PROXY proxy.example:3128; DIRECT', 'http://proxy.example:3128'],
    ['HTTPS proxy.example:443', 'https://proxy.example:443'],
    ['SOCKS5 s.example:1080; PROXY p.example:80', 'http://p.example:80'],
    ['SOCKS5 s.example:1080; DIRECT', null],
    ['SOCKS5 s.example:1080', 'socks://s.example:1080'],
    ['', null],
  ])('%s', (answer, proxy) => expect(firstProxy(answer)).toBe(proxy));
});

test('the app copies only where an administrator allows it', async () => {
  const settings = createFakeSettings();
  const written: string[] = [];
  const copy = createCopy({
    settings,
    hasFocus: () => true,
    async write(text, hasFocus) {
      written.push(text.text);
      return { sure: hasFocus };
    },
    told: () => undefined,
  });
  expect(await copy({ text: 'a link' })).toEqual({ sure: true });
  await settings.set('allowCopy', false);
  await expect(copy({ text: 'another link' })).rejects.toMatchObject({
    code: 'not-allowed',
    message: 'Nothing can be copied to the clipboard: the setting allowCopy is false.',
  });
  expect(written).toEqual(['a link']);
});

describe('the content of the clipboard', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const pathsIn = (type: string, payload: Uint8Array) => copiedFiles(type, payload).paths;
  posixTest('an address of a file has a drive there')('paths from a Linux file manager', () => {
    expect(pathsIn('text/uri-list', bytes('file:///home/ada/a%20b.txt\r\nfile:///x/%C3%A9.txt\r\n'))).toEqual(
      ['/home/ada/a b.txt', '/x/é.txt'],
    );
  });
  test('no addresses, no nonsense', () => {
    expect(pathsIn('text/uri-list', bytes('https://x.example/a\nfile://%zz\nrelative\n#x'))).toEqual([]);
  });
  test('paths from the Finder', () => {
    const list =
      '<?xml version="1.0"?><plist><array><string>/a/b &amp; c.txt</string><string>/d</string></array></plist>';
    expect(pathsIn('NSFilenamesPboardType', bytes(list))).toEqual(['/a/b & c.txt', '/d']);
  });
  test('the path from the Explorer', () => {
    expect(pathsIn('FileNameW', Buffer.from('C:\\a\\é.txt\0\0', 'utf16le'))).toEqual(['C:\\a\\é.txt']);
  });
  test('the number of files that the Explorer copied', () => {
    expect(copiedCount(new Uint8Array([3, 0, 0, 0, 20, 0, 0, 0]))).toBe(3);
    expect(copiedCount(new Uint8Array([3, 0]))).toBe(0);
  });
  test('a pasted picture is named after its time', () => {
    expect(pastedName(new Date(2026, 10, 20, 9, 5, 7).getTime(), 0, 'png')).toBe(
      'Pasted 2026-11-20 09.05.07.png',
    );
    expect(pastedName(new Date(2026, 10, 20, 9, 5, 7).getTime(), 1, 'txt')).toBe(
      'Pasted 2026-11-20 09.05.07 (2).txt',
    );
  });
  test('a write is certain except under Wayland', () => {
    expect(isWayland('linux', { WAYLAND_DISPLAY: 'wayland-0', XDG_SESSION_TYPE: 'wayland' })).toBe(true);
    expect(isWayland('linux', { DISPLAY: ':0', XDG_SESSION_TYPE: 'x11' })).toBe(false);
    expect(isWayland('darwin', { WAYLAND_DISPLAY: 'x' })).toBe(false);
  });
});

describe('start at login on Linux', () => {
  test('quotes the program as the specification requires', () => {
    expect(autostartEntry({ program: '/opt/My "Apps"/100%/$x/outtray', profile: null })).toContain(
      'Exec="/opt/My \\\\"Apps\\\\"/100%%/\\\\$x/outtray" --hidden\n',
    );
  });
  test('follows a renamed program, and only when it is switched on', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'outtray-login-'));
    const file = autostartFile({}, home, null);
    moveAutostart(file, { program: '/opt/outtray-2.AppImage', profile: null });
    expect(existsSync(file)).toBe(false);
    await setAutostart(file, { program: '/opt/outtray-1.AppImage', profile: null }, true);
    moveAutostart(file, { program: '/opt/outtray-2.AppImage', profile: null });
    expect(readFileSync(file, 'utf8')).toContain(
      'TryExec=/opt/outtray-2.AppImage\nExec="/opt/outtray-2.AppImage"',
    );
    rmSync(home, { recursive: true });
  });
  test('each profile has an entry of its own', () => {
    const [file, entry] = [
      autostartFile({}, '/home/me', 'work'),
      { program: '/opt/outtray', profile: 'work' },
    ];
    expect(file).toBe('/home/me/.config/autostart/app.outtray.desktop.work.desktop');
    expect(autostartEntry(entry)).toMatch(
      /^Name=Outtray \(work\)\n[^]*^Exec="\/opt\/outtray" --hidden --profile=work\n/m,
    );
  });
  test('writes the entry and removes it again', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'outtray-login-'));
    const file = autostartFile({}, home, null);
    expect(file).toBe(path.join(home, '.config/autostart/app.outtray.desktop.desktop'));
    await setAutostart(file, { program: '/opt/Outtray/outtray', profile: null }, true);
    expect(readFileSync(file, 'utf8')).toMatch(/^\[Desktop Entry\]\nType=Application\n/);
    await setAutostart(file, { program: '/opt/Outtray/outtray', profile: null }, false);
    await setAutostart(file, { program: '/opt/Outtray/outtray', profile: null }, false);
    expect(existsSync(file)).toBe(false);
    rmSync(home, { recursive: true });
  });
});

describe('links that may be opened', () => {
  const isAllowed = (link: string): boolean =>
    ['files.example', '127.0.0.1:8080'].includes(new URL(link).host);
  test.each(['https://files.example/d/1', 'http://127.0.0.1:8080/d/1'])('%s is', (link) =>
    expect(whyNotOpened(link, isAllowed)).toBeNull(),
  );
  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://user@files.example/d',
    'https://user:pass@files.example/d',
    'http://files.example/d',
    'https://attacker.example/d',
    'smb://files.example/d',
    'data:text/html,x',
    'nonsense',
    '',
  ])('%s is not', (link) =>
    expect(whyNotOpened(link, () => true) ?? whyNotOpened(link, isAllowed)).not.toBeNull(),
  );
});

test('only a watched folder is opened, the first one when none is requested', () => {
  const watched = ['/home/ada/Shared', '/home/ada/Releases'];
  expect(watchedFolder(watched, undefined)).toBe('/home/ada/Shared');
  expect(watchedFolder(watched, '/home/ada/Releases')).toBe('/home/ada/Releases');
  expect(watchedFolder([], undefined)).toBeNull();
  for (const other of ['', '/etc', '/home/ada/Shared/', '/home/ada/Shared/..', '/home/ada/Shared/sub'])
    expect(() => watchedFolder(watched, other)).toThrow('is not watched');
});

test('the bundle of diagnostics contains neither the home folder nor more of the key than its end', () => {
  const text = diagnosticText(
    {
      version: '1.0.0',
      versions: process.versions,
      platform: 'linux',
      nowMs: 0,
      status: statusWith({ folder: '/home/ada/Shared' }),
      settings: [{ name: 'folder', value: '/home/ada/Shared', origin: 'user', lockedBy: null }],
      keyKind: 'stored, ends in 3e62',
      warnings: [],
      entries: [],
      logTail: '{"path":"/home/ada/Shared/a.txt"}',
    },
    '/home/ada',
  );
  expect(text).not.toContain('/home/ada');
  expect(text).toContain('folder = "~/Shared" (user)');
  expect(text).toContain('"path":"~/Shared/a.txt"');
});

test.each([
  ['C:\\Users\\Ada Lovelace', 'C:\\Users\\Ada Lovelace\\a.txt'],
  ['C:\\Users\\Ada Lovelace', JSON.stringify('C:\\Users\\Ada Lovelace\\a.txt')],
  ['C:\\Users\\Ada Lovelace', JSON.stringify(JSON.stringify('C:\\Users\\Ada Lovelace\\a.txt'))],
  ['C:\\Users\\Ada Lovelace', 'file:///C:/Users/Ada%20Lovelace/a.txt'],
  ['C:\\Users\\Ada Lovelace', 'c:/users/ada lovelace/a.txt'],
  ['/home/zoë', 'file:///home/zo%C3%AB/a.txt'],
  ['/home/ada "x"', JSON.stringify('/home/ada "x"/a.txt')],
])('the home folder %s is not in the bundle in the form %s', (home, written) => {
  const bundle = diagnosticText(
    {
      version: '1.0.0',
      versions: process.versions,
      platform: 'win32',
      nowMs: 0,
      status: statusWith({}),
      settings: [],
      keyKind: 'absent',
      warnings: [written],
      entries: [],
      logTail: written,
    },
    home,
  );
  const log = bundle.slice(bundle.indexOf('== Log'));
  expect(log.toLowerCase()).not.toMatch(/lovelace|ada|zo(ë|%c3)/);
  expect(log).toContain('a.txt');
});
