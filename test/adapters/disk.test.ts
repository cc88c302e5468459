// What a line of the mount table reveals about a disk.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDisks, uuidIn } from '../../src-main/adapters/files/disk.ts';
import { temporaryFolder } from './files-folder.ts';
import { parseMounts } from '../../src-main/adapters/files/mount-table.ts';
import { posixTest } from '../support/posix.ts';

const withTable = posixTest('it has no mount table');

const linuxDisks = (
  read: () => string | null,
  uuidOf?: Parameters<typeof createDisks>[1],
  nowMs?: () => number,
) => createDisks(read, uuidOf, nowMs, 'linux');

const table = `22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
40 22 0:50 / /net/a rw - fuse.sshfs ada@host:/srv/a rw,user_id=0
41 22 0:51 / /net/nfs rw - nfs4 nas:/export rw,vers=4.2
42 22 0:52 / /net/smb rw - cifs //nas/share rw,serverino
43 22 0:53 /sub /net/old rw - cifs //nas/share rw,noserverino
44 22 0:54 / /net/bare rw - fuse.rclone rclone rw
45 22 8:17 / /media/stick\\040of\\040Ada rw - exfat /dev/sdb1 rw
46 22 8:33 / /media/ntfs rw - fuseblk /dev/sdc1 rw
47 22 0:60 /@home /home rw - btrfs /dev/vdb rw,subvol=/@home
48 22 254:0 /srv/tray /tray rw - ext4 /dev/vda rw
49 22 0:61 / /auto rw - autofs systemd-1 rw
50 49 0:62 / /auto rw - nfs nas:/auto rw
51 22 0:63 / /mem rw - tmpfs tmpfs rw
52 22 0:64 / /mnt/c rw - 9p C:\\134 rw
53 22 0:65 / /mnt/d rw - drvfs D: rw
54 22 0:66 / /mnt/s rw - drvfs \\134\\134nas\\134share rw
`;

const disks = linuxDisks(
  () => table,
  ({ source }) => (source === '/dev/sdb1' ? 'abcd' : null),
);

withTable.each([
  ['/tray-of-root', { kind: 'ext4', isShared: false, mayHang: false, keepsInodes: true, identity: null }],
  [
    '/net/a/inner',
    { kind: 'fuse.sshfs', isShared: true, mayHang: true, tellsChanges: false, keepsInodes: false },
  ],
  ['/net/a', { identity: 'from=fuse.sshfs ada@host:/srv/a', isDrive: false, tellsBirth: false }],
  [
    '/net/nfs',
    { kind: 'nfs4', isShared: true, mayHang: true, keepsInodes: true, identity: 'from=nfs4 nas:/export' },
  ],
  ['/net/smb', { isShared: true, keepsInodes: true, identity: 'from=cifs //nas/share' }],
  [
    '/net/old',
    { isShared: true, keepsInodes: false, identity: 'from=cifs //nas/share /sub', isDrive: false },
  ],
  ['/net/bare', { isShared: true, identity: null }],
  ['/media/stick of Ada/x', { kind: 'exfat', isShared: false, keepsInodes: false, identity: 'uuid=abcd' }],
  ['/media/ntfs', { isShared: false, mayHang: true, keepsInodes: false, identity: null, isDrive: true }],
  ['/home/ada', { kind: 'btrfs', isShared: false, keepsInodes: true, isDrive: false }],
  ['/home', { kind: 'btrfs', isDrive: false }],
  ['/tray', { kind: 'ext4', isDrive: false }],
  ['/', { isDrive: true }],
  ['/auto/x', { kind: 'nfs', identity: 'from=nfs nas:/auto' }],
  ['/mem', { kind: 'tmpfs', identity: null, isShared: false, isDrive: true }],
  ['/mnt/c', { isShared: true, isDrive: true }],
  ['/mnt/d', { isShared: true, isDrive: true }],
  ['/mnt/d/x', { isShared: true, isDrive: false }],
  ['/mnt/s', { isShared: true, isDrive: false }],
])('%s', (path, expected) => {
  expect(disks.of(path)).toMatchObject(expected);
});

test('without a mount table, nothing is known, and nothing is assumed to hang', () => {
  const none = createDisks(() => null);
  expect(none.of('/tray')).toMatchObject({ kind: 'unknown', mayHang: false, identity: null });
});

test('without a mount table, a folder on another device than its parent is a drive', () => {
  const none = createDisks(() => null);
  const place = temporaryFolder();
  expect(none.of(place).isDrive).toBe(false);
  expect(none.of(join(place, 'gone')).isDrive).toBe(false);
  expect(none.of('/').isDrive).toBe(true);
  if (process.platform === 'linux') expect(none.of('/proc').isDrive).toBe(true);
});

test('a device number belongs to a disk that other machines write to, or to one that only this machine writes to', () => {
  expect(disks.isShared(50n)).toBe(true);
  expect(disks.isShared(52n)).toBe(true);
  expect(disks.isShared(254n << 8n)).toBe(false);
  expect(disks.isShared((8n << 8n) | 33n)).toBe(false);
});

const kinds =
  'nfs nfs4 cifs smb3 fuse fuse.sshfs fuse.rclone fuse.gvfsd-fuse fuse.vmhgfs-fuse davfs 9p drvfs virtiofs vboxsf ceph afs';

withTable.each(kinds.split(' '))(
  'other machines or programs write to %s, and no event reports it',
  (kind) => {
    const one = linuxDisks(() => `1 0 0:70 / / rw - ext4 a rw\n2 1 0:71 / /net rw - ${kind} b rw\n`);
    expect(one.of('/net/a')).toMatchObject({ isShared: true, tellsChanges: false });
    expect(one.isShared(71n)).toBe(true);
    expect(one.mounts('/net/a')?.isShared).toBe(true);
    expect(one.mounts('/nets')?.isShared).toBe(false);
  },
);

describe('the set of mounts in a folder', () => {
  const of = (lines: string, folder: string) => linuxDisks(() => table + lines).mounts(folder);
  const stick = '60 22 8:49 / /tray/sub/stick rw - vfat /dev/sdd1 rw\n';

  withTable('changes after a disk is mounted or unmounted below it, or replaced', () => {
    const keys = [
      '',
      stick,
      stick.replace('8:49', '8:65'),
      stick.replace('60 22', '61 22'),
      stick + stick.replace('60 22', '61 60'),
    ].map((lines) => of(lines, '/tray')?.key);
    expect(new Set(keys).size).toBe(5);
  });

  test('stays the same when a disk is mounted elsewhere', () => {
    for (const folder of ['/tray/su', '/tray/sub/stick-2', '/net', '/home'])
      expect(of(stick, folder)).toEqual(of('', folder));
  });

  withTable('changes when a disk is mounted over the folder itself or above it', () => {
    for (const at of ['/tray/sub', '/tray/sub/stick'])
      expect(of(stick.replace('/tray/sub/stick', at), '/tray/sub/stick')).not.toEqual(
        of('', '/tray/sub/stick'),
      );
  });

  withTable('is shared if one of the disks below it is', () => {
    expect(of('', '/tray')?.isShared).toBe(false);
    expect(of(stick.replace('vfat', 'nfs4'), '/tray')?.isShared).toBe(true);
    expect(of('', '/')?.isShared).toBe(true);
  });

  test('is unknown without a mount table', () => {
    expect(createDisks(() => null).mounts('/tray')).toBeNull();
  });
});

test('a mount table with bytes that are not valid text, and with a broken line, is read', () => {
  expect(parseMounts('bad line\n9 1 0:5 / /m\xff rw - fuse.x a:b rw\n')).toMatchObject([{ path: '/m\0ff' }]);
});

withTable('another disk is recognised at once, even where its line in the table is the same', () => {
  let uuid = 'ab';
  let now = table;
  const changing = linuxDisks(
    () => now,
    () => uuid,
    () => 0,
  );
  expect(changing.of('/media/ntfs').identity).toBe('uuid=ab');
  uuid = 'cd';
  expect(changing.of('/media/ntfs').identity).toBe('uuid=cd');
  now = table.replace('fuse.sshfs', 'fuse.other');
  expect(changing.of('/net/a').kind).toBe('fuse.other');
});

const onDisk = (...mounted: string[]) =>
  linuxDisks(() =>
    ['22 1 254:0 / / rw - ext4 /dev/vda rw', ...mounted.map((at, index) => `${50 + index} 22 ${at}`)].join(
      '\n',
    ),
  );

describe.runIf(process.platform !== 'win32')('the route to a path', () => {
  test('crosses a drive that may hang by its folder, by a symbolic link, and by a link to a folder in it', () => {
    const folder = temporaryFolder();
    for (const name of ['net', 'local', 'circle']) mkdirSync(join(folder, name));
    symlinkSync(join(folder, 'net'), join(folder, 'local/whole'));
    symlinkSync('../net/deep/er', join(folder, 'local/part'));
    symlinkSync('again', join(folder, 'circle/once'));
    symlinkSync('once', join(folder, 'circle/again'));
    // Linux escapes blanks (proc_pid_mountinfo(5)).
    const disks = onDisk(`0:50 / ${folder.replaceAll(' ', '\\040')}/net rw - nfs4 nas:/export rw`);
    const way = (name: string): string | null => disks.hanging(join(folder, name))?.path ?? null;
    for (const name of ['net', 'net/a/b', 'local/whole', 'local/whole/a', 'local/part/a', 'local/../net'])
      expect([name, way(name)]).toEqual([name, join(folder, 'net')]);
    for (const name of ['', 'local', 'local/a', 'nets', 'circle/once/a', 'gone/a'])
      expect([name, way(name)]).toEqual([name, null]);
    expect([...disks.hangingIn(folder)]).toEqual(['net']);
    expect([...disks.hangingIn(join(folder, 'local'))]).toEqual([]);
  });

  test('belongs to the last such drive on it, and to the visible one of two at one place', () => {
    const deep = onDisk(
      '0:50 / /auto rw - autofs systemd-1 rw',
      '0:51 / /auto/a rw - fuse.sshfs host:/ rw',
      '0:52 / /auto/a/local rw - ext4 /dev/vdb rw',
      '0:53 / /covered rw - nfs nas:/ rw',
      '254:9 / /covered rw - ext4 /dev/vdc rw',
    );
    expect(deep.hanging('/auto/b')?.path).toBe('/auto');
    expect(deep.hanging('/auto/a/b')?.path).toBe('/auto/a');
    expect(deep.hanging('/auto/a/local/b')?.path).toBe('/auto/a');
    expect(deep.hanging('/covered/b')).toBe(null);
  });
});

describe('an overlay over folders of other drives', () => {
  const table = (options: string): string =>
    [
      '22 1 254:0 / / rw - ext4 /dev/vda rw',
      '40 22 0:50 / /net rw - fuse.sshfs ada@host:/srv rw',
      '41 22 0:51 / /na\\134:s,2 rw - nfs4 nas:/export rw',
      '42 22 8:33 / /stick rw - fuseblk /dev/sdc1 rw',
      `50 22 0:60 / /merged rw,relatime - overlay overlay rw,${options}`,
    ].join('\n');

  withTable.each([
    ['lowerdir=/net,upperdir=/up,workdir=/work', true, true],
    ['lowerdir=/a:/net/deep:/b,upperdir=/up,workdir=/work', true, true],
    ['lowerdir=/a,upperdir=/net/up,workdir=/net/work', true, true],
    ['lowerdir+=/a,lowerdir+=/net', true, true],
    ['lowerdir=/a::/net', true, true],
    ['lowerdir=/a:/na\\134\\134\\134:s\\0542/x', true, true],
    ['lowerdir=/a:/stick/x', true, false],
    ['lowerdir=/a:/nets,upperdir=/up,workdir=/work', false, false],
    ['lowerdir=/var/lib/docker/overlay2/l/ABC:/var/lib/docker/overlay2/l/DEF,xino=off', false, false],
  ])('%s: may hang %s, is shared %s', (options, may, isShared) => {
    const one = linuxDisks(() => table(options));
    expect(one.of('/merged/a')).toMatchObject({ kind: 'overlay', mayHang: may, isShared });
    expect(one.hanging('/merged/a')?.path ?? null).toBe(may ? '/merged' : null);
    expect(one.isShared(60n)).toBe(isShared);
    expect(one.mounts('/merged')?.isShared).toBe(isShared);
  });

  withTable('behaves like the drives that its layers lie on', () => {
    const answering = (options: string): readonly string[] =>
      linuxDisks(() => table(options)).answering('/merged');
    expect(answering('lowerdir=/net/a:/local:/net/b:/stick,upperdir=/up')).toEqual(['/net', '/stick']);
    expect(answering('lowerdir=/local,upperdir=/up')).toEqual(['/merged']);
    expect(linuxDisks(() => table('')).answering('/net')).toEqual(['/net']);
  });
});

withTable('a drive below a folder that may hang is scanned often, because it is not watched', () => {
  expect(onDisk('8:33 / /tray/ntfs rw - fuseblk /dev/sdc1 rw').mounts('/tray')?.isShared).toBe(true);
  expect(onDisk('8:33 / /tray rw - fuseblk /dev/sdc1 rw').mounts('/tray')?.isShared).toBe(false);
});

describe('the UUID or serial number of a file system', () => {
  test('is not known where the system refuses a look at the device', () => {
    // Here because of the name's length; elsewhere because a guard forbids it.
    const table = `36 35 98:0 / /media/stick rw - exfat /dev/${'x'.repeat(300)} rw`;
    const { identity } = createDisks(() => table, undefined, undefined, 'linux').of('/media/stick/tray');
    expect(identity).toBeNull();
  });

  const head = (mark: string, markAt: number, at: number, number: string): Buffer => {
    const bytes = Buffer.alloc(66_048);
    bytes.write(mark, markAt, 'latin1');
    bytes.write(number, at, 'hex');
    return bytes;
  };
  const long = '00112233445566778899aabbccddeeff';

  test.each([
    ['ext4', head('\x53\xef', 1080, 1128, long), long],
    ['XFS', head('XFSB', 0, 32, long), long],
    ['btrfs', head('_BHRfS_M', 65_600, 65_568, long), long],
    ['exFAT', head('EXFAT   ', 3, 100, '78563412'), '12345678'],
    ['NTFS', head('NTFS    ', 3, 72, 'f0debc9a78563412'), '123456789abcdef0'],
    ['FAT32', head('FAT32   ', 82, 67, '78563412'), '12345678'],
    ['FAT16', head('FAT16   ', 54, 39, '78563412'), '12345678'],
    ['FAT12', head('FAT12   ', 54, 39, '78563412'), '12345678'],
    // Every camera card without a serial number would be mistaken for the chosen one.
    ['FAT32 without a number', head('FAT32   ', 82, 67, '00000000'), null],
    ['FAT16 without a number', head('FAT16   ', 54, 39, '00000000'), null],
    ['exFAT without a number', head('EXFAT   ', 3, 100, '00000000'), null],
    ['NTFS without a number', head('NTFS    ', 3, 72, '0000000000000000'), null],
    ['none that is known', Buffer.alloc(66_048), null],
  ])('of %s', (_kind, bytes, uuid) => {
    expect(uuidIn(bytes)).toBe(uuid);
  });
});
