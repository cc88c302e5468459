// Another drive is mounted at the place of the chosen folder, on real file systems: nothing of it becomes public.
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Place } from '../support/flow/place.ts';
import { within } from '../support/flow/within.ts';
import { hasLoop } from './support/disks.ts';
import { hasFuse, makeImage, mount, unmount } from './support/mounts.ts';
import { lacks } from './support/parts.ts';

/** Mounts the drive `a` or `b`; both are made before. */
type Drives = { isWhole: boolean; make(place: Place): void; mount(place: Place, which: 'a' | 'b'): void };

/** Where they are mounted. */
const driveOf = (place: Place): string => path.join(place.root, 'drive');
/** The watched folder: in a drive, or what a server shares. */
const trayOf = (place: Place, { isWhole }: Drives): string =>
  isWhole ? path.join(driveOf(place), 'tray') : driveOf(place);

const folderOf = (place: Place, which: string): string => path.join(place.root, `drive-${which}`);
const folders = (mountIt: (from: string, at: string) => void): Drives => ({
  isWhole: false,
  make: (place) => {
    for (const which of ['a', 'b']) mkdirSync(folderOf(place, which));
  },
  mount: (place, which) => mountIt(folderOf(place, which), driveOf(place)),
});
const images = (
  kind: Parameters<typeof makeImage>[1],
  mountIt: (image: string, at: string) => void,
): Drives => ({
  isWhole: true,
  make: (place) => {
    for (const which of ['a', 'b']) makeImage(path.join(place.root, `${which}.img`), kind);
  },
  mount: (place, which) => mountIt(path.join(place.root, `${which}.img`), driveOf(place)),
});

const drives: [name: string, isMissing: boolean, drives: Drives][] = [
  ['bindfs', lacks('bindfs') || !hasFuse(), folders(mount.bindfs)],
  ['sshfs', lacks('sshfs', 'sftp-server') || !hasFuse(), folders(mount.sshfs)],
  ['ext4', !hasLoop(), images('ext4', mount.image)],
  ['XFS', lacks('mkfs.xfs') || !hasLoop(), images('xfs', mount.image)],
  ['btrfs', lacks('mkfs.btrfs') || !hasLoop(), images('btrfs', mount.image)],
  ['exFAT', lacks('mkfs.exfat', 'mount.exfat-fuse') || !hasFuse(), images('exfat', mount.exfat)],
  ['NTFS', lacks('mkntfs', 'ntfs-3g') || !hasFuse(), images('ntfs', mount.ntfs)],
];

const put = (folder: string, name: string): void => {
  const file = path.join(folder, name);
  writeFileSync(file, name);
  // Old enough to be uploaded at once, where a network drive would make it wait.
  const at = Date.now() / 1000 - 5;
  utimesSync(file, at, at);
};

const watchOnce = (place: Place, folder: string) => place.run(['--json', 'watch', folder, '--once']);

describe.each(drives.filter(([, isMissing]) => !isMissing))('%s', (_, __, drive) => {
  test('a drive that returns continues, another one in its place is reported and nothing of it is uploaded', async () => {
    await within({ settings: { settleMs: 300 } }, async (service, place) => {
      const [at, tray] = [driveOf(place), trayOf(place, drive)];
      mkdirSync(at);
      drive.make(place);
      for (const which of ['b', 'a'] as const) {
        drive.mount(place, which);
        mkdirSync(tray, { recursive: true });
        if (which === 'b') unmount(at);
      }
      const swap = (which: 'a' | 'b'): void => {
        unmount(at);
        drive.mount(place, which);
      };
      const uploaded = (): string[] => service.files().map(({ filename }) => filename);
      try {
        if (drive.isWhole)
          expect((await watchOnce(place, at)).stdout).toMatch(/does not watch a whole drive/);
        expect((await watchOnce(place, tray)).code).toBe(0);
        put(tray, 'mine.txt');
        expect((await watchOnce(place, tray)).code).toBe(0);
        expect(uploaded()).toEqual(['mine.txt']);
        swap('b');
        put(tray, 'private.txt');
        const refused = await watchOnce(place, tray);
        expect(refused.stdout).toMatch(/does not look like the folder that was chosen/);
        expect(uploaded()).toEqual(['mine.txt']);
        swap('a');
        put(tray, 'next.txt');
        expect((await watchOnce(place, tray)).code).toBe(0);
        expect(uploaded().toSorted()).toEqual(['mine.txt', 'next.txt']);
        expect(await place.counts()).toMatchObject({ uploaded: 2, held: 0, failed: 0 });
      } finally {
        unmount(at);
      }
    });
  });
});
