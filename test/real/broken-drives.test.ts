// A drive fails while a file on it is uploaded, and is mounted again: the file is uploaded without help, whole and once.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'vitest';
import { eventually } from '../support/flow/poll.ts';
import type { Place } from '../support/flow/place.ts';
import { storedAs } from '../support/flow/wire.ts';
import { within } from '../support/flow/within.ts';
import { system } from './support/disks.ts';
import { hasFuse, lastServer, mount, unmount } from './support/mounts.ts';
import { lacks } from './support/parts.ts';

const sizeBytes = 6_000_000;

type Drive = { far: string; net: string; server: number };
/** The kernel ends what waits for the program of the drive, as after its crash. */
const abort = (place: Place, { net }: Drive): void => {
  const control = path.join(place.root, 'fusectl');
  mkdirSync(control);
  system('mount', ['-t', 'fusectl', 'fusectl', control]);
  const device = system('findmnt', ['-n', '-o', 'MAJ:MIN', net]).trim();
  writeFileSync(path.join(control, device.replace(/^\d+:/, ''), 'abort'), '1');
  unmount(control);
};

const ways: [string, (drive: Drive, place: Place) => void][] = [
  ['its server is killed', ({ server }) => process.kill(server, 'SIGKILL')],
  ['its program crashes', (drive, place) => abort(place, drive)],
  ['it is unmounted', ({ net }) => unmount(net)],
];

test.skipIf(lacks('sshfs', 'sftp-server') || !hasFuse()).concurrent.for(ways)(
  'while a file on it is uploaded, %s: the file is uploaded once when it is mounted again',
  async ([, breakOff], { expect }) => {
    const settings = { settleMs: 300, bandwidthBytesPerSecond: 2_000_000 };
    await within({ settings }, async (service, place) => {
      const [far, net] = [path.join(place.root, 'far'), path.join(place.root, 'net')];
      for (const folder of [far, net]) mkdirSync(folder);
      mount.sshfs(far, net);
      const drive = { far, net, server: lastServer() };
      try {
        for (const folder of [place.folder, net])
          expect((await place.run(['folders', 'add', folder])).code).toBe(0);
        const watching = place.start(['--json', 'watch']);
        await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
        const content = Buffer.alloc(sizeBytes, 'drive ');
        writeFileSync(path.join(net, 'drive.bin'), content);
        await watching.until('half of it is sent', (lines) =>
          lines.find(({ event, sentBytes }) => event === 'progress' && Number(sentBytes) > sizeBytes / 5),
        );
        breakOff(drive, place);
        await place.put('local.txt', 'local');
        await eventually('the local file is uploaded', () => storedAs(service, 'local')[0]);
        unmount(net);
        mount.sshfs(far, net);
        await eventually('the file of the drive is uploaded', () => storedAs(service, content)[0], 120_000);
        expect(storedAs(service, content)).toHaveLength(1);
        const counts = await eventually('both have their links', async () => {
          const now = await place.counts();
          return now.uploaded === 2 ? now : undefined;
        });
        expect(counts).toMatchObject({ failed: 0, held: 0 });
        expect((await watching.stop()).code).toBe(130);
      } finally {
        unmount(net);
      }
    });
  },
);
