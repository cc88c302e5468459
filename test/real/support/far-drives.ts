// Drives that a server answers for, each of another kind, all at once in one place.
import { spawn } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../../support/flow/poll.ts';
import type { Place } from '../../support/flow/place.ts';
import { system } from './disks.ts';
import { freeze, hasFuse, lastServer, mount, unmount } from './mounts.ts';
import { lacks } from './parts.ts';
import { accepts, freePort } from './ports.ts';

type FarDrive = {
  kind: string;
  /** A folder on it, as it is mounted here. */
  tray: string;
  /** Writes a file as another machine does: this system gets no event. The file is old enough to go at once. */
  write(name: string, content: string): void;
};

type FarDrives = {
  drives: readonly FarDrive[];
  /** Their servers hang, or go on. */
  hang(): void;
  goOn(): void;
  remove(): Promise<void>;
};

export const lacksFarDrives = (): boolean =>
  lacks('sshfs', 'sftp-server', 'bindfs', 'rclone', 'root') || !hasFuse();

export const mountFarDrives = async (place: Place): Promise<FarDrives> => {
  const folder = (name: string): string => {
    const made = path.join(place.root, name);
    mkdirSync(made);
    return made;
  };
  const mounted: string[] = [];
  const servers: number[] = [];
  const drives: FarDrive[] = [];
  const add = (kind: string, far: string, mountAt: (at: string) => void): void => {
    const at = folder(kind);
    const tray = path.join(far, 'tray');
    mkdirSync(tray);
    mountAt(at);
    mounted.unshift(at);
    drives.push({
      kind,
      tray: path.join(at, 'tray'),
      write(name, content) {
        const file = path.join(tray, name);
        writeFileSync(file, content);
        const longAgo = Date.now() / 1000 - 60;
        utimesSync(file, longAgo, longAgo);
      },
    });
  };
  const overSsh = (kind: string, show: (net: string, at: string) => void): void => {
    const [far, net] = [folder(`${kind}-far`), folder(`${kind}-net`)];
    mount.sshfs(far, net);
    mounted.unshift(net);
    servers.push(lastServer());
    add(kind, far, (at) => show(net, at));
  };

  overSsh('overlay', (net, at) => {
    const [upper, work] = [folder('upper'), folder('work')];
    system('mount', [
      '-t',
      'overlay',
      'overlay',
      '-o',
      `lowerdir=${net},upperdir=${upper},workdir=${work}`,
      at,
    ]);
  });
  overSsh('bind', (net, at) => void system('mount', ['--bind', net, at]));
  overSsh('bindfs', mount.bindfs);

  const far = folder('webdav-far');
  const port = await freePort();
  const rclone = { ...place.env, PATH: process.env['PATH'], RCLONE_CONFIG: '/dev/null' };
  const server = spawn(
    'rclone',
    ['serve', 'webdav', far, '--addr', `127.0.0.1:${port}`, '--dir-cache-time', '1s'],
    { stdio: 'ignore', env: rclone },
  );
  const ended = new Promise((next) => server.once('close', next));
  if (server.pid !== undefined) servers.push(server.pid);
  await eventually('the WebDAV server listens', () => accepts(port));
  add('rclone', far, (at) => {
    const url = ['--webdav-url', `http://127.0.0.1:${port}`];
    // It may answer from what it remembers, but not for longer than a scan takes to come.
    system('rclone', [
      'mount',
      ':webdav:',
      at,
      ...url,
      '--config',
      '/dev/null',
      '--dir-cache-time',
      '1s',
      '--daemon',
    ]);
  });

  const goOn = (): void => {
    for (const one of servers) process.kill(one, 'SIGCONT');
  };
  return {
    drives,
    hang() {
      for (const one of servers) freeze(one);
    },
    goOn,
    async remove() {
      goOn();
      for (const at of mounted) unmount(at);
      server.kill('SIGTERM');
      await ended;
    },
  };
};
