// A file on a stick is renamed by its capitals alone, or the stick is plugged in again: it keeps one link, and a refusal stands.
import { mkdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { within } from '../support/flow/within.ts';
import { hasFuse, makeImage, mount, unmount } from './support/mounts.ts';
import { lacks } from './support/parts.ts';

const kinds = [
  ['exfat', lacks('mkfs.exfat', 'mount.exfat-fuse') || !hasFuse(), mount.exfat],
  ['ntfs', lacks('mkntfs', 'ntfs-3g') || !hasFuse(), mount.ntfs],
] as const;

test.for(kinds.filter(([, isMissing]) => !isMissing))(
  'on %s: nothing is uploaded twice, and no refused file is uploaded',
  async ([kind, , mountIt]) => {
    await within({ settings: { settleMs: 300 } }, async (service, place) => {
      const [image, at] = [path.join(place.root, 'stick.img'), path.join(place.root, 'stick')];
      const tray = path.join(at, 'tray');
      const names = ['sent.txt', 'recalled.txt', 'skipped-credentials.json', 'held-credentials.json'];
      mkdirSync(at);
      makeImage(image, kind);
      mountIt(image, at);
      const runOnce = async (): Promise<void> => {
        const { stdout, code } = await place.run(['--json', 'watch', tray, '--once']);
        expect({ code, stdout }).toMatchObject({ code: expect.toBeOneOf([0, 8]) as unknown });
      };
      const rows = async (): Promise<string[]> => {
        const { stdout } = await place.run(['export', '--format', 'json']);
        return (
          stdout
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as { path: string; state: string })
            // The old name, as after any renaming.
            .filter(({ state }) => state !== 'gone')
            .map((row) => `${path.basename(row.path).toLowerCase()} ${row.state}`)
            .toSorted()
        );
      };
      try {
        mkdirSync(tray);
        await runOnce();
        for (const name of names) {
          const file = path.join(tray, name);
          writeFileSync(file, `password = ${name}`);
          const old = Date.now() / 1000 - 5;
          utimesSync(file, old, old);
        }
        await runOnce();
        expect((await place.run(['recall', path.join(tray, 'recalled.txt'), '--yes'])).code).toBe(0);
        expect((await place.run(['cancel', path.join(tray, 'skipped-credentials.json')])).code).toBe(0);
        const before = await rows();
        expect(before).toEqual([
          'held-credentials.json held',
          'recalled.txt recalled',
          // The file is still there, and is not uploaded again.
          'recalled.txt skipped',
          'sent.txt uploaded',
          'skipped-credentials.json skipped',
        ]);
        const uploads = (): number =>
          service
            .requests()
            .filter(({ method, path: asked }) => method === 'POST' && asked.endsWith('/upload')).length;
        const sent = uploads();
        for (const isUnplugged of [false, true]) {
          for (const name of names) {
            const [old, next] = isUnplugged ? [name.toUpperCase(), name] : [name, name.toUpperCase()];
            renameSync(path.join(tray, old), path.join(tray, next));
          }
          if (isUnplugged) {
            unmount(at);
            mountIt(image, at);
          }
          await runOnce();
          expect(uploads()).toBe(sent);
          expect(await rows()).toEqual(before);
        }
        // Another order: the drive numbers files in the order in which they are looked up.
        for (const order of [names, names.toReversed()]) {
          unmount(at);
          mountIt(image, at);
          for (const name of order) statSync(path.join(tray, name));
          await runOnce();
          expect(uploads()).toBe(sent);
          expect(await rows()).toEqual(before);
        }
      } finally {
        unmount(at);
      }
    });
  },
);
