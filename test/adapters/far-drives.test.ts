// Which drives may hang on macOS and Windows, by what a program of each system prints.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDisks } from '../../src-main/adapters/files/disk.ts';
import { createDriveTable } from '../../src-main/adapters/files/mount-table.ts';
import { posixTest } from '../support/posix.ts';
import { temporaryFolder } from './files-folder.ts';

const onPosix = posixTest('its paths are of another form');
const disksOf = (platform: NodeJS.Platform, text: string) =>
  createDisks(
    () => text,
    undefined,
    () => 0,
    platform,
  );
const ofHere = { kind: 'unknown', isShared: false, mayHang: false, tellsChanges: true };

describe('macOS', () => {
  const mac = disksOf(
    'darwin',
    `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
devfs on /dev (devfs, local, nobrowse)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse, protect, root data)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
//ada@nas/share on /Volumes/share (smbfs, nodev, nosuid, mounted by ada)
nas:/export on /Volumes/on (1) (nfs, nodev, nosuid, mounted by ada)
https://dav.example/ on /Volumes/dav (webdav, nodev, noexec, nosuid, mounted by ada)
ada@host:/srv on /Users/ada/far (macfuse, nodev, nosuid, synchronous, mounted by ada)
/dev/disk5s1 on /Volumes/stick (msdos, local, nodev, nosuid, noowners)
`,
  );

  onPosix.each([
    ['/Volumes/share', '/Volumes/share', 'smbfs', true],
    ['/Volumes/share/a/b', '/Volumes/share', 'smbfs', true],
    ['/Volumes/on (1)/a', '/Volumes/on (1)', 'nfs', true],
    ['/Volumes/dav/a', '/Volumes/dav', 'webdav', true],
    ['/Users/ada/far/a', '/Users/ada/far', 'macfuse', true],
    ['/System/Volumes/Data/home/a', '/System/Volumes/Data/home', 'autofs', false],
  ])('%s lies on a drive that may hang', (path, mount, kind, isShared) => {
    expect(mac.hanging(path)?.path).toBe(mount);
    expect(mac.of(path)).toMatchObject({ kind, mayHang: true, isShared, identity: null, isDrive: false });
    expect(mac.mounts(path)?.isShared).toBe(isShared);
  });

  onPosix.each([
    '/',
    '/Users/ada/Tray',
    '/Users/ada/farther',
    '/Volumes/stick/a',
    '/Volumes/shares',
    '/dev/null',
  ])('%s does not', (path) => {
    expect(mac.hanging(path)).toBeNull();
    expect(mac.of(path)).toMatchObject(ofHere);
    expect(mac.mounts(path)?.own ?? '').toBe('');
  });

  onPosix('a folder with such a drive in it is scanned often, and the drive in it is not asked', () => {
    expect([...mac.hangingIn('/Users/ada')]).toEqual(['far']);
    expect(mac.mounts('/Users/ada')?.isShared).toBe(true);
    expect(mac.mounts('/Users/ada/Tray')).toBeNull();
  });

  onPosix('a link leads to such a drive', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'local'));
    symlinkSync('/Volumes/share/a', join(folder, 'local/far'));
    expect(mac.hanging(join(folder, 'local/far/b'))?.path).toBe('/Volumes/share');
    expect(mac.hanging(join(folder, 'local/b'))).toBeNull();
  });
});

describe('Windows', () => {
  let reads = 0;
  const windows = createDisks(
    () => {
      reads += 1;
      return `Neue Verbindungen werden gespeichert.\r\n\r\n
Status       Lokal     Remote                    Netzwerk\r\n
-------------------------------------------------------------------------------\r
OK           Z:        \\\\nas\\share               Microsoft Windows Network\r
Getrennt     Y:        \\\\nas\\my files\\of Ada    Microsoft Windows Network\r
             X:        \\\\server.company.example@SSL\\DavWWWRoot\\team\r
                                                Web Client Network\r
OK                     \\\\nas\\IPC$                Microsoft Windows Network\r
Der Befehl wurde erfolgreich ausgeführt.\r\n`;
    },
    undefined,
    () => 0,
    'win32',
  );

  test.each([
    [String.raw`\\nas\share\a.txt`, '\\\\nas\\share\\'],
    [String.raw`\\nas\share`, '\\\\nas\\share\\'],
    ['//nas/share/a.txt', '\\\\nas\\share\\'],
    [String.raw`\\?\UNC\nas\share\a.txt`, '\\\\nas\\share\\'],
    [String.raw`\\wsl.localhost\Debian\home`, '\\\\wsl.localhost\\Debian\\'],
    [String.raw`Z:\Tray\a.txt`, 'Z:\\'],
    [String.raw`z:\Tray`, 'Z:\\'],
    ['Y:/', 'Y:\\'],
    [String.raw`\\?\X:\a`, 'X:\\'],
  ])('%s lies on a drive that may hang', (path, root) => {
    expect(windows.hanging(path)?.path).toBe(root);
    expect(windows.of(path)).toMatchObject({
      kind: 'network share',
      mayHang: true,
      isShared: true,
      isDrive: false,
    });
    expect(windows.mounts(path)?.isShared).toBe(true);
  });

  test.each([
    String.raw`D:\Tray\a.txt`,
    String.raw`C:\Users\Ada`,
    String.raw`\\?\D:\a`,
    String.raw`\\.\pipe\outtray`,
    String.raw`\\?\Volume{0b5d3a1e-0000-0000-0000-100000000000}\a`,
    String.raw`\\nas`,
  ])('%s does not', (path) => {
    expect(windows.hanging(path)).toBeNull();
    expect(windows.of(path)).toMatchObject(ofHere);
    expect(windows.mounts(path)).toBeNull();
  });

  test('a folder on the system’s drive or on a share starts no program', () => {
    reads = 0;
    const own = createDisks(
      () => ((reads += 1), ''),
      undefined,
      () => 0,
      'win32',
    );
    for (const path of [String.raw`C:\Users\Ada\a`, String.raw`\\nas\share\a`]) {
      own.hanging(path);
      own.of(path);
      own.mounts(path);
    }
    own.hangingIn(String.raw`C:\Users`);
    expect(reads).toBe(0);
    own.hanging(String.raw`D:\a`);
    expect(reads).toBe(1);
  });
});

describe('the program that prints the drives', () => {
  test.each([
    ['darwin', ['/sbin/mount']],
    ['win32', [String.raw`C:\Windows\System32\net.exe`, 'use']],
  ] as const)('is waited for once on %s, and later runs beside', async (platform, command) => {
    const asked: unknown[] = [];
    let answer = Promise.withResolvers<string | null>();
    const read = createDriveTable(
      platform,
      {},
      {
        now: (one) => (asked.push(['now', one]), 'first'),
        later: (one) => (asked.push(['later', one]), answer.promise),
      },
    );
    expect([read(), read(), read()]).toEqual(['first', 'first', 'first']);
    expect(asked).toEqual([
      ['now', command],
      ['later', command],
    ]);
    answer.resolve('second');
    await answer.promise;
    await Promise.resolve();
    answer = Promise.withResolvers();
    expect(read()).toBe('second');
    // What fails changes nothing.
    answer.resolve(null);
    expect(read()).toBe('second');
  });

  test('may fail: then no drive counts as one that may hang', () => {
    const read = createDriveTable(
      'win32',
      {},
      {
        now() {
          throw new Error('No such program.');
        },
        later: () => Promise.reject(new Error('No such program.')),
      },
    );
    expect([read(), read()]).toEqual(['', '']);
  });
});
