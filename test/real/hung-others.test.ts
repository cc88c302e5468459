// Other programs have files open on drives whose server hangs, in every way: a file with two names is searched among them.
import { spawn, type ChildProcess } from 'node:child_process';
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/flow/poll.ts';
import { storedAs } from '../support/flow/wire.ts';
import { within } from '../support/flow/within.ts';
import { system } from './support/disks.ts';
import { freeze, hasFuse, lastServer, mount, unmount } from './support/mounts.ts';
import { lacks } from './support/parts.ts';

/** A call that hangs never ends here. Without a hang it is about one second. */
const mostMs = 30_000;

test.skipIf(lacks('root', 'sshfs', 'sftp-server', 'bindfs', 'unshare') || !hasFuse())(
  'files that others have open on a hung drive, a bind mount, an overlay, FUSE over it and in a namespace block nothing',
  async () => {
    await within({ settings: { settleMs: 300 } }, async (service, place) => {
      const folder = (name: string): string => {
        const made = path.join(place.root, name);
        mkdirSync(made);
        return made;
      };
      const [far, net, bind, over, fuse] = ['far', 'net', 'bind', 'over', 'fuse'].map(folder) as [
        string,
        string,
        string,
        string,
        string,
      ];
      writeFileSync(path.join(far, 'file.txt'), 'of somebody else');
      const mounted: string[] = [];
      const holders: ChildProcess[] = [];
      mount.sshfs(far, net);
      mounted.push(net);
      const server = lastServer();
      try {
        system('mount', ['--bind', net, bind]);
        mounted.unshift(bind);
        const layers = `lowerdir=${net},upperdir=${folder('upper')},workdir=${folder('work')}`;
        system('mount', ['-t', 'overlay', 'overlay', '-o', layers, over]);
        mounted.unshift(over);
        mount.bindfs(net, fuse);
        mounted.unshift(fuse);
        const hold = (at: string, mode = '<>', before: readonly string[] = []): void => {
          const script = `exec 3${mode}"$0"; echo ready; exec sleep 600`;
          const shell = ['/bin/sh', '-c', script, path.join(at, 'file.txt')];
          const [program, ...args] = [...before, ...shell];
          if (program === undefined) throw new Error('No program.');
          holders.push(spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
        };
        for (const at of [net, bind, fuse]) hold(at);
        hold(net, '<>', ['unshare', '--mount', '--propagation', 'private']);
        // To read alone: to write it would be copied to the local layer.
        hold(over, '<');
        await Promise.all(holders.map((child) => new Promise((next) => child.stdout?.once('data', next))));
        const watching = place.start(['--json', 'watch', place.folder]);
        await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
        freeze(server);
        for (let at = 0; at < 3; at += 1) {
          const given = path.join(place.root, `given-${at}.txt`);
          writeFileSync(given, `two names ${at}`);
          const startMs = performance.now();
          linkSync(given, path.join(place.folder, `${at}.txt`));
          await eventually('it is uploaded', () => storedAs(service, `two names ${at}`)[0]);
          expect(performance.now() - startMs).toBeLessThan(mostMs);
          expect((await place.run(['upload', given], { process: true })).tookMs).toBeLessThan(mostMs);
          expect((await place.run(['status'], { process: true })).tookMs).toBeLessThan(mostMs);
        }
        expect((await watching.stop()).code).toBe(130);
      } finally {
        process.kill(server, 'SIGCONT');
        for (const child of holders) child.kill('SIGKILL');
        for (const at of mounted) unmount(at);
      }
    });
  },
);
