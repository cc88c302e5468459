// Zips with names that a disk of another kind cannot distinguish or cannot have: each member is there after unpacking
// on such a disk, also by a reader that streams.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { within } from '../support/flow/within.ts';
import { hasLoop, system } from './support/disks.ts';
import { hasFuse, makeImage, mount, unmount } from './support/mounts.ts';
import { lacks } from './support/parts.ts';

const kinds = [
  ['ext4', false, mount.image],
  ['xfs', lacks('mkfs.xfs'), mount.image],
  ['btrfs', lacks('mkfs.btrfs'), mount.image],
  ['ntfs', lacks('mkntfs', 'ntfs-3g') || !hasFuse(), mount.ntfs],
] as const;

/** Each of these names is a file of its own on a disk of Linux. */
const names = [
  'Report.txt',
  'REPORT.TXT',
  'report.txt',
  'r\u00e9sum\u00e9.txt',
  're\u0301sume\u0301.txt',
  'R\u00c9SUM\u00c9.txt',
  'a<b>c|d"e?f*g.txt',
  'a_b_c_d_e_f_g.txt',
  'ends in a dot.',
  'ends in a dot',
  'ends in a blank ',
  'colon:stream.txt',
  'CON',
  'con.txt',
  'invoice\u202excod.exe',
  'Sub/a.txt',
  'sub/A.txt',
];

test
  .skipIf(!hasLoop() || lacks('mkfs.exfat', 'mount.exfat-fuse', 'unzip', 'bsdtar') || !hasFuse())
  .for(kinds.filter(([, isMissing]) => !isMissing))(
  'from %s: every file is there on a stick, whether the zip is unpacked or streamed',
  async ([kind, , mountIt]) => {
    await within({}, async (service, place) => {
      const [from, stick] = [path.join(place.root, 'from'), path.join(place.root, 'stick')];
      for (const at of [from, stick]) mkdirSync(at);
      makeImage(path.join(place.root, 'from.img'), kind);
      makeImage(path.join(place.root, 'stick.img'), 'exfat');
      mountIt(path.join(place.root, 'from.img'), from);
      try {
        mount.exfat(path.join(place.root, 'stick.img'), stick);
        const folder = path.join(from, 'all');
        const contents = names.map((name) => `content of ${name}`);
        for (const [at, name] of names.entries()) {
          mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
          writeFileSync(path.join(folder, name), contents[at] ?? '');
        }
        const { code, stdout, stderr } = await place.run(['upload', '--zip', folder]);
        expect({ code, stderr }).toMatchObject({ code: 0 });
        const zip = path.join(place.root, 'fetched.zip');
        writeFileSync(zip, Buffer.from(await (await fetch(stdout.trim())).arrayBuffer()));
        expect(service.files()).toHaveLength(1);
        const [unpacked, streamed] = [path.join(stick, 'unpacked'), path.join(stick, 'streamed')];
        for (const at of [unpacked, streamed]) mkdirSync(at);
        system('unzip', ['-q', '-n', zip, '-d', unpacked]);
        execFileSync('bsdtar', ['-x', '-k', '-f', '-', '-C', streamed], { input: readFileSync(zip) });
        for (const at of [unpacked, streamed]) expect(textsIn(at)).toEqual(contents.toSorted());
      } finally {
        for (const at of [stick, from]) unmount(at);
      }
    });
  },
);

const textsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(path.join(one.parentPath, one.name), 'utf8'))
    .toSorted();
