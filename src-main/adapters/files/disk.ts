// The one answer to "what is this disk": what the file system under a path supports, and which disk it is. Everything
// that compares, watches, scans, waits or stores asks here. On Linux the answer comes from the mount table; on macOS and
// Windows only the drives that may hang are known (mount-table.ts), and the system's own device number identifies a disk
// (Windows: the serial number of the volume).
import { closeSync, constants, openSync, readdirSync, readlinkSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join, posix, win32 } from 'node:path';
import type { Disk, Mounts } from '../../engine/ports/files.ts';
import { attempt } from './mappings.ts';
import {
  createDriveTable,
  deviceNumber,
  farDrivesIn,
  mountOf,
  parseMounts,
  plainWindowsPath,
  readMountTable,
  shareAt,
  type Mount,
} from './mount-table.ts';
import { fromSystemName, isWithin, toSystemPath } from './paths.ts';

export type Disks = {
  /** `path` is a real path. Asks no file system that may hang. */
  of(path: string): Disk;
  /** Whether other machines write to the disk with this device number. */
  isShared(dev: bigint): boolean;
  /** The disk that a folder lies on and those mounted below it. Null: the system reports nothing about its disks. */
  mounts(path: string): Mounts | null;
  /**
   * The mount on the way to a path, links followed, on which a call may hang; if there are several, the last one. Asks
   * only file systems before the first. Null: no call on the path can hang.
   */
  hanging(path: string): Mount | null;
  /** The mounts whose free space shows whether the drive at `root` answers: itself, or those that hold its layers. */
  answering(root: string): readonly string[];
  /** Names in a folder at which a drive that may hang is mounted. The folder itself lies on none. */
  hangingIn(folder: string): ReadonlySet<string>;
};

/** The table is needed for each file, so it is read again only after this time. */
const readAgainMs = 1000;

/** File systems that other machines write to. */
const network = new Set(
  'nfs nfs4 cifs smb3 smbfs ncpfs afs auristorfs coda ceph 9p drvfs glusterfs lustre gfs2 gpfs panfs ocfs2 beegfs orangefs pvfs2 vboxsf vmhgfs prl_fs fakeowner hostfs davfs virtiofs afpfs webdav'.split(
    ' ',
  ),
);
/** File systems that invent inode numbers, which change with each mount. */
const withoutInodes = new Set('vfat msdos exfat fuseblk fuse vboxsf prl_fs'.split(' '));
/** File systems that may treat two spellings of a name as one. It depends on the mount: only asking them shows it. */
const folding = new Set(
  'vfat msdos exfat ntfs ntfs3 fuseblk hfs hfsplus apfs cifs smb3 smbfs ncpfs 9p drvfs vboxsf vmhgfs prl_fs fakeowner virtiofs afpfs'.split(
    ' ',
  ),
);
const withoutBirth = new Set('nfs vfat msdos fuse fuseblk 9p virtiofs vboxsf prl_fs afs'.split(' '));

/** Whether a call on a file system may never return: a server or a program answers it, or answers for a layer of it. */
export const mayHang = (mount: Mount, mounts: readonly Mount[]): boolean =>
  kindsOf(mount, mounts).some((kind) => network.has(kind) || isFuse(kind) || kind === 'autofs');

const isShared = (mount: Mount, mounts: readonly Mount[]): boolean =>
  kindsOf(mount, mounts).some(isSharedKind);

/** Its own kind, and those of the mounts that hold an overlay's layers. A container has other paths for them. */
const kindsOf = ({ kind, layers }: Mount, mounts: readonly Mount[]): string[] => [
  kind,
  ...layers.flatMap((folder) => mountOf(mounts, folder)?.kind ?? []),
];

const isSharedKind = (kind: string): boolean => network.has(kind) || (isFuse(kind) && kind !== 'fuseblk');

const isFuse = (kind: string): boolean => kind === 'fuse' || kind === 'fuseblk' || kind.startsWith('fuse.');

/** For a disk of which the system reports nothing. */
const unknownDisk = (platform: NodeJS.Platform): Disk => ({
  kind: 'unknown',
  isShared: false,
  mayHang: false,
  tellsBirth: true,
  keepsInodes: true,
  tellsChanges: true,
  locks: true,
  identity: null,
  isDrive: false,
  foldsNames: platform === 'win32' || platform === 'darwin',
});

type Table = {
  mounts: readonly Mount[];
  /** Device numbers of those that other machines write to. */
  shared: ReadonlySet<string>;
  /** Those on which a call may hang, by path. */
  hanging: ReadonlyMap<string, Mount>;
};

type DiskWays = {
  mounts: readonly Mount[];
  isFar: boolean;
  platform: NodeJS.Platform;
  uuidOf: (mount: Mount) => string | null;
};

/** All parameters are for tests. `read`: null where the system has no table. */
export const createDisks = (
  read?: () => string | null,
  uuidOf: (mount: Mount) => string | null = createUuids(),
  nowMs: () => number = () => performance.now(),
  platform: NodeJS.Platform = process.platform,
): Disks => {
  const isWindows = platform === 'win32';
  /** Their tables are printed by a program and have only the drives that may hang. */
  const isFar = platform === 'darwin' || isWindows;
  const readNow = read ?? (isFar ? createDriveTable(platform) : readMountTable);
  const paths = isWindows ? win32 : posix;
  const systemDrive = (process.env['SystemDrive'] ?? 'C:').toUpperCase();
  let text: string | null = null;
  let known: Table = { mounts: [], shared: new Set(), hanging: new Map() };
  let isRead = false;
  let readAtMs = -Infinity;
  /** Results of `hanging`, by path. */
  let ways = new Map<string, Mount | null>();

  const refresh = (): void => {
    readAtMs = nowMs();
    ways = new Map();
    isRead = false;
  };
  const refreshOften = (): void => {
    if (nowMs() >= readAtMs + (isFar ? 10 : 1) * readAgainMs) refresh();
  };
  const table = (): Table => {
    if (isRead) return known;
    isRead = true;
    const now = readNow();
    if (now === text) return known;
    text = now;
    const mounts = now === null ? [] : isFar ? farDrivesIn(platform, now) : parseMounts(now);
    known = {
      mounts,
      shared: new Set(mounts.filter((one) => isElsewhere(isFar, one, mounts)).map(({ device }) => device)),
      // If several are mounted at one place, the last one is visible.
      hanging: new Map(
        [...new Map(mounts.map((mount) => [mount.path, mount]))].filter(([, one]) =>
          canHang(isFar, one, mounts),
        ),
      ),
    };
    return known;
  };

  /** A share of Windows needs no table, nor does the drive of the system. */
  const hangingAt = (at: string): Mount | null => {
    if (!isWindows) return at === '/' ? null : (table().hanging.get(at) ?? null);
    if (paths.parse(at).root !== at || at.toUpperCase().startsWith(systemDrive)) return null;
    return shareAt(at) ?? table().hanging.get(at.toUpperCase()) ?? null;
  };
  /** The mount that a real path lies on, as far as it is known. */
  const mountAt = (path: string): Mount | null =>
    isWindows ? hangingAt(paths.parse(plainWindowsPath(path)).root) : mountOf(table().mounts, path);

  return {
    of(path) {
      if (isFar) refreshOften();
      else refresh();
      const mount = mountAt(path);
      return mount === null
        ? { ...unknownDisk(platform), isDrive: isOnItsOwn(path) }
        : diskOf(mount, path, { mounts: known.mounts, isFar, platform, uuidOf });
    },
    isShared(dev) {
      refreshOften();
      const { shared } = table();
      return shared.size > 0 && shared.has(deviceNumber(dev));
    },
    mounts(path) {
      refreshOften();
      const own = mountAt(path);
      const { mounts } = isWindows ? known : table();
      const below = mounts.filter((mount) => mount !== own && isWithin(path, mount.path));
      if (own === null && below.length === 0) return null;
      const keyOf = ({ id, device, path: at }: Mount): string => `${id} ${device} ${at}`;
      return {
        key: [...(own === null ? [] : [own]), ...below].map(keyOf).join('\n'),
        own: own === null ? '' : keyOf(own),
        // A drive below that may hang is not watched (listing.ts, watch.ts).
        isShared:
          (own !== null && isElsewhere(isFar, own, mounts)) ||
          below.some((one) => canHang(isFar, one, mounts)),
      };
    },
    hanging(path) {
      refreshOften();
      if (!isWindows && table().hanging.size === 0) return null;
      const before = ways.get(path);
      if (before !== undefined) return before;
      const found = onTheWay(isWindows ? win32.resolve(plainWindowsPath(path)) : path, paths, hangingAt);
      ways.set(path, found);
      return found;
    },
    answering(root) {
      refreshOften();
      const { mounts } = table();
      const layers = mountOf(mounts, root)?.layers ?? [];
      const drives = layers.flatMap((folder) => mountOf(mounts, folder) ?? []);
      const far = drives.filter((one) => mayHang(one, mounts)).map(({ path }) => path);
      return far.length === 0 ? [root] : [...new Set(far)];
    },
    hangingIn(folder) {
      // Windows mounts no share in a folder.
      if (isWindows) return new Set();
      refreshOften();
      const names = [...table().hanging.keys()]
        .filter((at) => dirname(at) === folder)
        .map((at) => basename(at));
      return new Set(names);
    },
  };
};

/** Never cached: the next USB stick may have the same line in the mount table. */
const identityOf = (mount: Mount, uuidOf: DiskWays['uuidOf']): string | null => {
  const uuid = uuidOf(mount);
  return uuid === null ? sourceOf(mount) : `uuid=${uuid}`;
};

const diskOf = (mount: Mount, path: string, { mounts, isFar, platform, uuidOf }: DiskWays): Disk => {
  const { kind } = mount;
  const isOfOthers = isElsewhere(isFar, mount, mounts);
  const common = {
    kind,
    isShared: isOfOthers,
    mayHang: canHang(isFar, mount, mounts),
    tellsChanges: !isOfOthers,
  };
  if (isFar) return { ...unknownDisk(platform), ...common };
  return {
    ...common,
    tellsBirth: !withoutBirth.has(kind) && !isFuse(kind),
    keepsInodes: keepsInodesOn(mount),
    locks: !isFuse(kind),
    identity: identityOf(mount, uuidOf),
    isDrive: mount.path === path && isDrive(mount),
    foldsNames: folding.has(kind),
  };
};

const canHang = (isFar: boolean, mount: Mount, mounts: readonly Mount[]): boolean =>
  isFar || mayHang(mount, mounts);

const isElsewhere = (isFar: boolean, mount: Mount, mounts: readonly Mount[]): boolean =>
  isFar ? mount.kind !== 'autofs' : isShared(mount, mounts);

/** A share of a server is a folder that was chosen there, no drive; a drive of Windows within Linux is a drive. */
const isDrive = ({ kind, source, root }: Mount): boolean =>
  root === '/' && (!isSharedKind(kind) || /^[a-z]:\\*$/i.test(source));

/** A drive is mounted where the device differs from that of the folder above. */
const isOnItsOwn = (path: string): boolean => {
  const above = dirname(path);
  const [own, parent] = [path, above].map((one) => attempt(() => statSync(toSystemPath(one)).dev));
  return path === above || (own !== null && parent !== null && own !== parent);
};

/** More links than this on one path are a loop. */
const mostLinks = 40;

/** `hangingAt`: the drive that is mounted at a folder, or that a root names. */
const onTheWay = (
  path: string,
  paths: typeof posix,
  hangingAt: (at: string) => Mount | null,
): Mount | null => {
  let at = '';
  let rest: string[] = [];
  let links = 0;
  const follow = (next: string): Mount | null => {
    const { root } = paths.parse(next);
    if (root !== '') at = root;
    rest = [...next.slice(root.length).split(paths.sep), ...rest];
    return root === '' ? null : hangingAt(root);
  };
  let found = follow(paths.isAbsolute(path) ? path : `${process.cwd()}${paths.sep}${path}`);
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '' || name === '.') continue;
    at = name === '..' ? paths.dirname(at) : `${at}${at.endsWith(paths.sep) ? '' : paths.sep}${name}`;
    found = hangingAt(at) ?? found;
    if (found !== null) continue;
    const link = attempt(() => readlinkSync(toSystemPath(at), { encoding: 'buffer' }));
    if (link === null) continue;
    if ((links += 1) > mostLinks) return null;
    at = paths.dirname(at);
    found = follow(fromSystemName(link));
  }
  return found;
};

const keepsInodesOn = ({ kind, options }: Mount): boolean =>
  !withoutInodes.has(kind) && !isFuse(kind) && !options.split(',').includes('noserverino');

/**
 * The source of a mount, where it names a server or a folder. A name such as `sshfs` or `none` identifies nothing, nor
 * does the name of a device, which is given to the next disk.
 */
const sourceOf = ({ kind, source, root }: Mount): string | null => {
  if (!network.has(kind) && !isFuse(kind) && kind !== 'zfs') return null;
  if (source.startsWith('/dev/') || !/[/:@\\]/.test(source)) return null;
  return `from=${kind} ${source}${root === '/' ? '' : ` ${root}`}`;
};

const byUuid = '/dev/disk/by-uuid';

/**
 * Returns the UUID of the file system on a device: from udev, else from the device itself where it can be read. A container
 * has no udev, and on exFAT or NTFS through FUSE no other number stays the same.
 */
export const createUuids =
  (folder = byUuid) =>
  (mount: Mount): string | null => {
    if (!mount.source.startsWith('/dev/')) return null;
    // A guard of the system may forbid even to look at a device.
    const device = attempt(() => statSync(mount.source, { bigint: true, throwIfNoEntry: false }));
    if (device?.isBlockDevice() !== true) return null;
    for (const uuid of attempt(() => readdirSync(folder)) ?? []) {
      const link = attempt(() => statSync(join(folder, uuid), { bigint: true }));
      if (link?.rdev === device.rdev) return uuid.replaceAll('-', '').toLowerCase();
    }
    return attempt(() => uuidOnDevice(mount.source));
  };

/**
 * Where each file system keeps its UUID or serial number: a mark, the place of the mark, the place of the number, its
 * length.
 */
const places = [
  [Buffer.from([0x53, 0xef]), 1024 + 0x38, 1024 + 0x68, 16], // ext2, ext3, ext4
  [Buffer.from('XFSB'), 0, 32, 16],
  [Buffer.from('_BHRfS_M'), 65_536 + 0x40, 65_536 + 0x20, 16], // btrfs
  [Buffer.from('EXFAT   '), 3, 100, 4],
  [Buffer.from('NTFS    '), 3, 72, 8],
  [Buffer.from('FAT32   '), 82, 67, 4],
  [Buffer.from('FAT16   '), 54, 39, 4],
  [Buffer.from('FAT12   '), 54, 39, 4],
] as const;

const headBytes = 66_048;
const flags = constants.O_RDONLY | constants.O_NONBLOCK;

const uuidOnDevice = (device: string): string | null => {
  const head = Buffer.alloc(headBytes);
  const descriptor = openSync(device, flags);
  try {
    readSync(descriptor, head, 0, headBytes, 0);
  } finally {
    closeSync(descriptor);
  }
  return uuidIn(head);
};

/** From the first bytes of a file system. Null: it has none; some cameras set the serial number of every card to 0. */
export const uuidIn = (head: Buffer): string | null => {
  const place = places.find(([mark, at]) => head.subarray(at, at + mark.length).equals(mark));
  if (place === undefined) return null;
  const [, , at, length] = place;
  const number = Buffer.from(head.subarray(at, at + length));
  if (number.every((byte) => byte === 0)) return null;
  // Serial numbers are stored with the lowest byte first.
  return (length < 16 ? number.reverse() : number).toString('hex');
};

/** One for the whole process: the mount table is the same for all that ask. */
export const disks: Disks = createDisks();
