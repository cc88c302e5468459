// Drives that people plug in: their roots are refused at every door, and a system's own folders on them are uploaded
// through none. The folders are those that the systems and their tools make.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/flow/poll.ts';
import type { Place } from '../support/flow/place.ts';
import { storedAs } from '../support/flow/wire.ts';
import { within } from '../support/flow/within.ts';
import { hasLoop, system } from './support/disks.ts';
import { hasFuse, makeImage, mount, unmount } from './support/mounts.ts';
import { lacks } from './support/parts.ts';

/** Each in its system's own spelling, some in other capitals; FAT and its followers keep none. */
const kept = [
  '$RECYCLE.BIN/S-1-5-21-1-1001/$R1.docx',
  'System Volume Information/IndexerVolumeGuid',
  'system volume information/other.txt',
  'RECYCLER/S-1-5-21/Dc1.txt',
  'FOUND.000/FILE0000.CHK',
  '.Trash-0/files/letter.txt',
  '.Trash-1000/info/letter.txt.trashinfo',
  '.Trashes/501/photo.jpg',
  '.Spotlight-V100/Store-V2/index.db',
  '.fseventsd/0000000001',
  '.TemporaryItems/folders.501/a.txt',
  'LOST.DIR/12',
  '@eaDir/photo.jpg@SynoEAStream',
  '#recycle/letter.docx',
  '@Recycle/letter.docx',
  'lost+found/#12',
];

const write = (folder: string, name: string): void => {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `kept in ${name}`);
  const old = Date.now() / 1000 - 5;
  utimesSync(file, old, old);
};

const kinds: [kind: Parameters<typeof makeImage>[1], isMissing: boolean, mountIt: typeof mount.image][] = [
  ['ext4', !hasLoop(), mount.image],
  ['xfs', lacks('mkfs.xfs') || !hasLoop(), mount.image],
  ['btrfs', lacks('mkfs.btrfs') || !hasLoop(), mount.image],
  ['exfat', lacks('mkfs.exfat', 'mount.exfat-fuse') || !hasFuse(), mount.exfat],
  ['ntfs', lacks('mkntfs', 'ntfs-3g') || !hasFuse(), mount.ntfs],
];

describe.each(kinds.filter(([, isMissing]) => !isMissing))('on %s', (kind, _, mountIt) => {
  const plugged = async (at: string, place: Place, act: () => Promise<void>): Promise<void> => {
    const image = path.join(place.root, 'stick.img');
    makeImage(image, kind);
    mkdirSync(at, { recursive: true });
    mountIt(image, at);
    try {
      for (const name of kept) write(at, name);
      write(at, 'shared.txt');
      await act();
    } finally {
      unmount(at);
    }
  };

  test('the root is refused, however it is named', async () => {
    await within({}, async (service, place) => {
      const at = path.join(place.root, 'stick');
      await plugged(at, place, async () => {
        const link = path.join(place.root, 'link');
        symlinkSync(at, link);
        const bound = path.join(place.root, 'bound');
        mkdirSync(bound);
        system('mount', ['--bind', at, bound]);
        try {
          mkdirSync(path.join(at, 'inner'));
          for (const folder of [at, `${at}/.`, path.join(at, 'inner/..'), link, bound])
            for (const args of [
              ['folders', 'add', folder],
              ['watch', folder, '--once'],
            ]) {
              const { code, stderr } = await place.run(args);
              expect({ args, code, stderr }).toMatchObject({
                code: expect.toSatisfy((is) => is !== 0) as unknown,
                stderr: expect.stringContaining('does not watch a whole drive') as unknown,
              });
            }
          expect((await place.run(['folders', 'add', path.join(at, 'inner')])).code).toBe(0);
        } finally {
          unmount(bound);
        }
        expect(service.files()).toEqual([]);
      });
    });
  });

  test.skipIf(lacks('unzip'))(
    'system folders are uploaded neither from the watched folder, nor with a folder or a zip',
    async () => {
      await within({ settings: { settleMs: 300, includeHidden: true } }, async (service, place) => {
        const at = path.join(place.folder, 'stick');
        await plugged(at, place, async () => {
          const watching = place.start(['--json', 'watch', place.folder, '--existing', 'upload']);
          await eventually('the other file is uploaded', () => storedAs(service, 'kept in shared.txt')[0]);
          write(at, '$RECYCLE.BIN/later.txt');
          write(at, 'later.txt');
          await eventually('it is uploaded', () => storedAs(service, 'kept in later.txt')[0], 120_000);
          // One of two spellings may be the same folder.
          const counts = await eventually('each is in a count', async () => {
            const now = await place.counts();
            return now.skipped >= kept.length + 1 && now.waiting === 0 ? now : undefined;
          });
          expect(counts).toMatchObject({ uploaded: 2, held: 0, failed: 0 });
          expect((await place.run(['why', path.join(at, kept[0] ?? '')])).stdout).toMatch(/Windows/);
          expect((await watching.stop()).code).toBe(130);

          const given = await place.json(['upload', '--recursive', at]);
          expect(given.code).toBe(0);
          expect(await place.json(['upload', '--zip', at])).toMatchObject({ code: 0 });
          const names = service.files().map(({ filename }) => filename);
          expect(names.toSorted()).toEqual(['later.txt', 'shared.txt', 'stick.zip']);
          const zip = service.files().find(({ filename }) => filename === 'stick.zip');
          const answer = await fetch(zip?.link ?? '');
          const file = path.join(place.root, 'got.zip');
          writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
          const members = execFileSync('unzip', ['-Z1', file], { encoding: 'utf8' }).trim().split('\n');
          expect(members.map((one) => path.posix.basename(one)).toSorted()).toEqual([
            'later.txt',
            'shared.txt',
          ]);
          expect(readdirSync(at)).toContain('$RECYCLE.BIN');
        });
      });
    },
  );
});
