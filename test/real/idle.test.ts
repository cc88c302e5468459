// Nothing happens in folders that are found by scans alone, or that have many watches: it takes next to no processor time
// and no request. The goals are those of `npm run bench -- disks` and `weight`, which an idle machine keeps.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'vitest';
import { childrenOf, cpuMsOf } from '../bench/measure.ts';
import { makeTree } from '../bench/tree.ts';
import type { Place } from '../support/flow/place.ts';
import { within } from '../support/flow/within.ts';
import { hasFuse, mount, unmount } from './support/mounts.ts';
import { lacks } from './support/parts.ts';

const idleMs = 100_000;
/** Compilation, and the work left by the first scan. */
const restMs = 10_000;
/** An idle machine takes a tenth of it. */
const mostPercent = 2;

const withoutWatches = [
  ...['unshare', '--user', '--map-root-user', '/bin/sh', '-c'],
  'echo 0 > /proc/sys/user/max_inotify_instances && exec "$0" "$@"',
];

type Kind = {
  name: string;
  isMissing: boolean;
  before?: readonly string[];
  /** Fills the folder; returns what is to be unmounted. */
  make(place: Place): string[];
};

const shown = (by: (from: string, at: string) => void, place: Place, at: string): string[] => {
  const far = path.join(place.root, 'far');
  makeTree(far, 20, 100);
  mkdirSync(at, { recursive: true });
  by(far, at);
  return [at];
};

const kinds: Kind[] = [
  {
    name: '5,000 files without watches',
    isMissing: lacks('root', 'unshare'),
    before: withoutWatches,
    make(place) {
      makeTree(place.folder, 50, 100);
      return [];
    },
  },
  {
    name: '1,000 folders with watches',
    isMissing: process.platform !== 'linux',
    make(place) {
      makeTree(place.folder, 1000, 2);
      return [];
    },
  },
  {
    name: '2,000 files of a server',
    isMissing: lacks('sshfs', 'sftp-server') || !hasFuse(),
    make: (place) => shown(mount.sshfs, place, place.folder),
  },
  {
    name: '2,000 files of a program, mounted in a local folder',
    isMissing: lacks('bindfs') || !hasFuse(),
    make: (place) => shown(mount.bindfs, place, path.join(place.folder, 'drive')),
  },
];

test.concurrent.for(kinds.filter(({ isMissing }) => !isMissing))(
  '$name are left alone',
  async ({ name, before, make }, { expect }) => {
    await within({}, async (service, place) => {
      const mounted = make(place);
      try {
        const watching = place.start(['--json', 'watch', place.folder, '--existing', 'skip'], {
          ...(before === undefined ? {} : { before }),
        });
        await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
        await delay(restMs);
        const cpuMs = (): number =>
          [watching.pid, ...childrenOf(watching.pid)].reduce((sum, pid) => sum + (cpuMsOf(pid) ?? 0), 0);
        const [atMs, requests] = [cpuMs(), service.requests().length];
        await delay(idleMs);
        const percent = (100 * (cpuMs() - atMs)) / idleMs;
        console.log(`${name}: ${percent.toFixed(2)} % of a core`);
        expect(percent).toBeLessThan(mostPercent);
        expect(service.requests()).toHaveLength(requests);
        expect((await watching.stop()).code).toBe(130);
      } finally {
        for (const at of mounted) unmount(at);
      }
    });
  },
);
