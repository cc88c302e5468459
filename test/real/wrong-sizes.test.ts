// Files that contain less, or more, than their size shows, as sysfs, procfs and a server's stale answers make them: each is
// in one of the counts with its reason, and nothing of it is read again and again.
import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { storedAs } from '../support/flow/wire.ts';
import { within } from '../support/flow/within.ts';
import { canMount, system } from './support/disks.ts';
import { hasFuse, mount, unmount } from './support/mounts.ts';
import { lacks } from './support/parts.ts';

const ofSystem = '/sys/kernel/mm/transparent_hugepage/enabled';
const ofProcesses = '/proc/version';
const hasLess = 'has another size than its disk reports';

test.skipIf(!canMount())('files of sysfs and procfs, in a watched folder and given by path', async () => {
  await within({ settings: { settleMs: 300 } }, async (service, place) => {
    const [short, long] = [await place.put('short.txt', ''), await place.put('long.txt', '')];
    const mounted: string[] = [];
    try {
      for (const [from, at] of [
        [ofSystem, short],
        [ofProcesses, long],
      ] as const) {
        system('mount', ['--bind', from, at]);
        mounted.push(at);
      }
      await place.put('whole.txt', 'whole');
      const { code } = await place.run(['watch', place.folder, '--once', '--existing', 'upload']);
      expect(code).toBe(8);
      expect(await place.counts()).toMatchObject({ uploaded: 1, skipped: 1, failed: 1, waiting: 0, held: 0 });
      expect((await place.run(['why', short])).stdout).toContain(hasLess);
      expect((await place.run(['why', long])).stdout).toContain('Skipped: empty');
      const given = await place.run(['upload', ofSystem]);
      expect(given).toMatchObject({ code: 8, stderr: expect.stringContaining(hasLess) as unknown });
      expect(service.files().map(({ filename }) => filename)).toEqual(['whole.txt']);
    } finally {
      for (const at of mounted) unmount(at);
    }
  });
});

/** The system caches what a drive reports of a file for this long. */
const heldSeconds = 600;

const drives: [
  kind: string,
  isMissing: boolean,
  mountIt: (far: string, net: string) => void,
  /** Asks the server when it opens a file. */
  asks: boolean,
][] = [
  [
    'sshfs',
    lacks('sshfs', 'sftp-server'),
    (far, net) =>
      mount.sshfs(far, net, undefined, `cache=yes,cache_timeout=${heldSeconds},attr_timeout=${heldSeconds}`),
    true,
  ],
  [
    'bindfs',
    lacks('bindfs'),
    (far, net) =>
      void system('bindfs', ['-o', `attr_timeout=${heldSeconds},entry_timeout=${heldSeconds}`, far, net]),
    true,
  ],
  [
    'rclone',
    lacks('rclone'),
    (far, net) =>
      void system('rclone', [
        'mount',
        '--config=/dev/null',
        '--daemon',
        '--vfs-cache-mode=off',
        `--dir-cache-time=${heldSeconds}s`,
        `--attr-timeout=${heldSeconds}s`,
        far,
        net,
      ]),
    false,
  ],
];

test.skipIf(!hasFuse()).for(drives.filter(([, isMissing]) => !isMissing))(
  'on %s a file is cut at the server, and its old size is still reported: the whole rest is uploaded, or nothing',
  async ([, , mountIt, asks]) => {
    await within({ settings: { settleMs: 300 } }, async (service, place) => {
      const [far, net] = [path.join(place.root, 'far'), path.join(place.root, 'net')];
      for (const folder of [far, net]) mkdirSync(folder);
      mountIt(far, net);
      try {
        const file = path.join(far, 'cut.bin');
        writeFileSync(file, Buffer.alloc(200_000, 'cut '));
        expect(statSync(path.join(net, 'cut.bin')).size).toBe(200_000);
        truncateSync(file, 70_000);
        const { code } = await place.run(['watch', net, '--once', '--existing', 'upload']);
        expect(code).toBe(asks ? 0 : 8);
        expect(await place.counts()).toMatchObject({
          ...{ uploaded: asks ? 1 : 0, waiting: asks ? 0 : 1 },
          ...{ held: 0, skipped: 0, failed: 0 },
        });
        expect((await place.run(['why', path.join(net, 'cut.bin')])).stdout).toMatch(
          asks ? /Uploaded/ : /another program has it open/,
        );
        expect(service.files()).toHaveLength(asks ? 1 : 0);
        expect(storedAs(service, readFileSync(file))).toHaveLength(asks ? 1 : 0);
      } finally {
        unmount(net);
      }
    });
  },
);
