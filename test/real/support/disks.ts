// Disks of their own for a data folder: a small one in memory, and an image with a real file system.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Place } from '../../support/flow/place.ts';

const sbin = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };

export const system = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { env: sbin, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Whether this machine may mount, and has loop devices for images. */
export const canMount = (): boolean => process.platform === 'linux' && process.getuid?.() === 0;
export const hasLoop = (): boolean => canMount() && existsSync('/dev/loop-control');

type Mounted = { folder: string; unmount(): void };

const mountAt = (folder: string, args: readonly string[]): Mounted => {
  mkdirSync(folder, { recursive: true });
  system('mount', [...args, folder]);
  let isMounted = true;
  return {
    folder,
    unmount() {
      if (isMounted) system('umount', ['-l', folder]);
      isMounted = false;
    },
  };
};

/** The place's data folder on a disk of its own, with its settings. */
const onto = (place: Place, args: readonly string[]): Mounted => {
  const settings = readFileSync(path.join(place.home, 'settings.json'));
  const mounted = mountAt(place.home, args);
  system('chmod', ['700', place.home]);
  rmSync(path.join(place.home, 'lost+found'), { recursive: true, force: true });
  writeFileSync(path.join(place.home, 'settings.json'), settings);
  return mounted;
};

export const onTmpfs = (place: Place): Mounted =>
  onto(place, ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'tmpfs']);

/** `kind` as in mkfs; errors make ext4 read-only, as on most systems. */
export const onImage = (place: Place, kind: 'xfs' | 'ext4'): Mounted => {
  const image = path.join(place.root, `disk.${kind}`);
  system('truncate', ['-s', kind === 'xfs' ? '320M' : '48M', image]);
  system(`mkfs.${kind}`, ['-q', image]);
  return onto(place, ['-o', kind === 'ext4' ? 'loop,errors=remount-ro' : 'loop', image]);
};

/** The quota of the data folder is 4 MB of a disk with more room: what is written over it is refused with EDQUOT. */
export const onQuota = (place: Place): Mounted => {
  const [image, at] = [path.join(place.root, 'disk.btrfs'), path.join(place.root, 'whole')];
  system('truncate', ['-s', '256M', image]);
  system('mkfs.btrfs', ['-q', image]);
  const whole = mountAt(at, ['-o', 'loop', image]);
  system('btrfs', ['subvolume', 'create', path.join(at, 'home')]);
  system('btrfs', ['quota', 'enable', at]);
  system('btrfs', ['qgroup', 'limit', '4M', path.join(at, 'home')]);
  whole.unmount();
  return onto(place, ['-o', 'loop,subvol=home', image]);
};

/** Until nothing more fits. */
export const fill = (file: string): void => {
  for (let size = 4_000_000; size >= 1; size = Math.floor(size / 2)) {
    try {
      writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // As much as there was room for is in it.
    }
  }
};

/** The disk answers everything with EIO from now on, as one that was pulled out. */
export const cutOff = (folder: string): void => void system('xfs_io', ['-x', '-c', 'shutdown', folder]);

/** ext4 believes to have met an error, and goes read-only. */
export const breakExt4 = (folder: string): void => {
  const device = system('findmnt', ['-n', '-o', 'SOURCE', folder]).trim();
  writeFileSync(`/sys/fs/ext4/${path.basename(device)}/trigger_fs_error`, '1');
};
