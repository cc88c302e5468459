// Another program has a file open on a drive that no longer answers. Files elsewhere go up as ever.
import { closeSync, linkSync, mkdirSync, openSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { within } from '../support/flow/within.ts';
import { hasFuse, mount, unmount } from './support/mounts.ts';
import { lacks } from './support/parts.ts';

/** The program that answers for the drive that is mounted at `at`. */
const driverOf = (at: string): number => {
  const pid = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      // The command line of a process that hangs cannot be read; its name always can.
      if (readFileSync(`/proc/${name}/comm`, 'utf8').trim() !== 'sshfs') return false;
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(at);
    } catch {
      return false;
    }
  });
  if (pid === undefined) throw new Error(`No program answers for ${at}.`);
  return Number(pid);
};

describe.skipIf(!hasFuse())('a drive that hangs, not watched', () => {
  test.skipIf(lacks('sshfs', 'sftp-server')).each(['with the name of our file', 'with another name'])(
    'and a file that is open on it, %s: a file with a hard link goes up within seconds',
    async (which) => {
      await within({ processes: true, settings: { settleMs: 300 } }, async (service, place) => {
        const [from, at] = [path.join(place.root, 'server'), path.join(place.root, 'drive')];
        for (const folder of [from, at]) mkdirSync(folder);
        mount.sshfs(from, at);
        const driver = driverOf(at);
        const name = which.endsWith('our file') ? 'a.txt' : 'other.txt';
        writeFileSync(path.join(at, name), 'there');
        const held = openSync(path.join(at, name), 'a');
        try {
          const file = await place.put('a.txt', 'here');
          linkSync(file, path.join(place.root, 'linked.txt'));
          process.kill(driver, 'SIGSTOP');
          const running = place.start(['watch', place.folder, '--once', '--existing', 'upload']);
          const waited = new Promise<'hangs'>((resolve) =>
            setTimeout(() => resolve('hangs'), 20_000).unref(),
          );
          const ended = await Promise.race([running.ended, waited]);
          expect(ended).toMatchObject({ code: 0 });
          expect(service.files().map(({ filename }) => filename)).toEqual(['a.txt']);
        } finally {
          process.kill(driver, 'SIGCONT');
          closeSync(held);
          unmount(at);
        }
      });
    },
  );
});
