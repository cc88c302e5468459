// A data folder and an audit file on each kind of drive: doctor names the drives that may lose or reveal their content.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { within } from '../support/flow/within.ts';
import { hasLoop } from './support/disks.ts';
import { hasFuse, makeImage, mount, unmount } from './support/mounts.ts';
import { lacks } from './support/parts.ts';

type Mount = (place: { root: string }, at: string) => void;

const folder =
  (mountIt: (from: string, at: string) => void): Mount =>
  ({ root }, at) => {
    const from = path.join(root, 'from');
    mkdirSync(from);
    mountIt(from, at);
  };
const image =
  (kind: Parameters<typeof makeImage>[1], mountIt: typeof mount.image): Mount =>
  ({ root }, at) => {
    const file = path.join(root, 'disk.img');
    makeImage(file, kind);
    mountIt(file, at);
  };

const kinds: [kind: string, isMissing: boolean, mountIt: Mount, says: RegExp | null][] = [
  [
    'sshfs',
    lacks('sshfs', 'sftp-server') || !hasFuse(),
    folder(mount.sshfs),
    /on a network drive \(fuse\.sshfs\)/,
  ],
  ['bindfs', lacks('bindfs') || !hasFuse(), folder(mount.bindfs), /on a (network drive|drive that)/],
  [
    'exFAT',
    lacks('mkfs.exfat', 'mount.exfat-fuse') || !hasFuse(),
    image('exfat', mount.exfat),
    /on a drive that another program answers for \(fuseblk\)/,
  ],
  [
    'NTFS',
    lacks('mkntfs', 'ntfs-3g') || !hasFuse(),
    image('ntfs', mount.ntfs),
    /on a drive that another program answers for \(fuseblk\)/,
  ],
  ['ext4', !hasLoop(), image('ext4', mount.image), null],
  ['XFS', lacks('mkfs.xfs') || !hasLoop(), image('xfs', mount.image), null],
  ['btrfs', lacks('mkfs.btrfs') || !hasLoop(), image('btrfs', mount.image), null],
];

test.for(kinds.filter(([, isMissing]) => !isMissing))(
  'on %s: doctor reports it, or nothing where there is nothing to report, and a file is uploaded',
  async ([, , mountIt, says]) => {
    await within({}, async (service, place) => {
      const at = path.join(place.root, 'drive');
      mkdirSync(at);
      mountIt(place, at);
      try {
        const env = { OUTTRAY_HOME: path.join(at, 'home') };
        const run = (args: string[]) => place.run(args, { process: true, env });
        expect((await run(['settings', 'set', 'auditFile', path.join(at, 'audit.jsonl')])).code).toBe(0);
        expect(await run(['upload', await place.put('../a.txt', 'a')])).toMatchObject({ code: 0 });
        expect(service.files()).toHaveLength(1);
        const { stdout } = await run(['doctor']);
        // For a small image the first line reports that little is free.
        const lines = stdout.split('\n').filter((line) => / (disk|audit): (?!Only)/.test(line));
        expect(lines.some((line) => line.includes(' audit: '))).toBe(true);
        for (const line of lines) {
          if (says === null) expect(line).not.toMatch(/is on a /);
          else expect(line).toMatch(says);
        }
      } finally {
        unmount(at);
      }
    });
  },
);
