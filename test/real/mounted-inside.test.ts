// Disks that are mounted in a subfolder while it is watched, unmounted, and mounted again.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/flow/poll.ts';
import type { Place } from '../support/flow/place.ts';
import { storedAs } from '../support/flow/wire.ts';
import { within } from '../support/flow/within.ts';
import { hasLoop, system } from './support/disks.ts';
import { hasFuse, makeImage, mount, unmount } from './support/mounts.ts';
import { lacks } from './support/parts.ts';

/** One file to share, and one to hold. */
const fill = (folder: string, kind: string): void => {
  writeFileSync(path.join(folder, 'file.txt'), kind);
  writeFileSync(path.join(folder, 'credentials.json'), `secret of ${kind}`);
};

/** Returns what mounts each disk. */
const disks = (place: Place): Record<string, (at: string) => void> => {
  const filled = (kind: string): string => {
    const folder = path.join(place.root, `${kind}-source`);
    mkdirSync(folder);
    fill(folder, kind);
    return folder;
  };
  const image = (kind: 'ext4' | 'exfat', mountIt: (from: string, at: string) => void) => {
    const [file, once] = [path.join(place.root, `${kind}.img`), path.join(place.root, `${kind}-once`)];
    makeImage(file, kind);
    mkdirSync(once);
    mountIt(file, once);
    fill(once, kind);
    system('umount', [once]);
    return (at: string) => mountIt(file, at);
  };
  const [bind, lower, ssh] = ['bind', 'overlay', 'sshfs'].map(filled);
  if (bind === undefined || lower === undefined || ssh === undefined) throw new Error('No folders.');
  return {
    bind: (at) => void system('mount', ['--bind', bind, at]),
    overlay: (at) =>
      void system('mount', ['-t', 'overlay', 'overlay', '-o', `lowerdir=${lower}:${bind}`, at]),
    sshfs: (at) => mount.sshfs(ssh, at),
    tmpfs(at) {
      system('mount', ['-t', 'tmpfs', 'tmpfs', at]);
      fill(at, 'tmpfs');
    },
    ...(hasLoop() ? { ext4: image('ext4', mount.image) } : {}),
    ...(lacks('mkfs.exfat', 'mount.exfat-fuse') ? {} : { exfat: image('exfat', mount.exfat) }),
  };
};

/** Ten seconds on an idle machine; the figures are printed. */
const noticedWithinMs = 30_000;
const noticed = async (what: string, wait: () => Promise<void>): Promise<void> => {
  const startMs = performance.now();
  await wait();
  const tookMs = performance.now() - startMs;
  console.log(`${what}: noticed on all disks after ${tookMs.toFixed(0)} ms`);
  expect(tookMs).toBeLessThan(noticedWithinMs);
};

test.skipIf(lacks('root', 'sshfs', 'sftp-server') || !hasFuse())(
  'a disk in a subfolder is found soon after it is mounted, and its files are gone once it is unmounted',
  async () => {
    await within({ settings: { settleMs: 300 } }, async (service, place) => {
      const all = Object.entries(disks(place));
      const at = (kind: string): string => path.join(place.folder, kind);
      for (const [kind] of all) mkdirSync(at(kind));
      const mounted: string[] = [];
      try {
        const watching = place.start(['--json', 'watch', place.folder]);
        await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
        const mountAll = (): void => {
          for (const [kind, mountIt] of all) {
            mountIt(at(kind));
            mounted.push(at(kind));
          }
        };
        const eachSecret = async (says: string): Promise<void> => {
          for (const [kind] of all)
            await eventually(`${kind}: ${says}`, async () => {
              const { stdout, stderr } = await place.run(['why', path.join(at(kind), 'credentials.json')]);
              return (stdout + stderr).includes(says) || undefined;
            });
        };
        mountAll();
        await noticed('mounted', async () => {
          for (const [kind] of all) await eventually(`${kind}: uploaded`, () => storedAs(service, kind)[0]);
        });
        await eachSecret('Held: ');
        for (const folder of mounted.splice(0)) unmount(folder);
        await noticed('unmounted', () => eachSecret('There is no file'));
        mountAll();
        await eachSecret('Held: ');
        for (const [kind] of all) expect(storedAs(service, kind)).toHaveLength(1);
        expect(service.files().filter(({ filename }) => filename === 'credentials.json')).toEqual([]);
        expect((await watching.stop()).code).toBe(130);
      } finally {
        for (const folder of mounted) unmount(folder);
      }
    });
  },
);
