// Disks that are deep, far or without watches: when the top of 2,500 levels is uploaded, and the processor time of
// checking unchanged files. The drive is a folder of this machine, mounted by sshfs with its SFTP server on a pipe.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasFuse, mount, unmount } from '../real/support/mounts.ts';
import { lacks } from '../real/support/parts.ts';
import { judge, type Bench, type Goal } from './frame.ts';
import { childrenOf, cpuMsOf, peakBytesOf } from './measure.ts';
import { startServiceProcess, type ServiceProcess } from './outtray.ts';
import { rounded, say } from './show.ts';
import { makeTree } from './tree.ts';
import { makeHome, type Home, type Watcher } from './watcher.ts';

const levels = 2500;
const [sharedFolders, localFolders, each] = [200, 100, 100];
/** Covers several scans, even where they are five minutes apart. The variable is for a short run. */
const forMs = 1000 * Number(process.env['OUTTRAY_IDLE_SECONDS'] ?? 600);
const scanMostMs = 300_000;
const goals = { topMs: 10_000, peakMiB: 250, sharedMsAMinute: 2000, scanShare: 3, idleShare: 0.3 };

export const bench: Bench = {
  name: 'disks',
  extra: true,
  goal: `the top of ${levels} levels goes up within ${goals.topMs / 1000} s, ≤ ${goals.peakMiB} MiB; ${sharedFolders * each} unchanged files on a network drive: ≤ ${goals.sharedMsAMinute} ms of processor time a minute, scans ≤ ${goals.scanShare} % of the time; ${localFolders * each} without watches: ≤ ${goals.idleShare} % of a core`,
  async run() {
    const service = await startServiceProcess([]);
    try {
      const deep = await ofDeepFolder(service);
      const shared = await ofSharedDrive(service);
      const unwatched = await withoutWatches(service);
      return { ...judge([...deep.goals, ...shared.goals, ...unwatched.goals]), ...shared.figures, forMs };
    } finally {
      await service.stop();
    }
  },
};

type Part = { goals: Goal[]; figures: Record<string, unknown> };

const withHome = async <T>(service: ServiceProcess, act: (home: Home) => Promise<T>): Promise<T> => {
  const home = await makeHome(service);
  try {
    return await act(home);
  } finally {
    // Node cannot remove what no path leads to.
    execFileSync('rm', ['-rf', home.folder]);
    home.remove();
  }
};

const ofDeepFolder = (service: ServiceProcess): Promise<Part> =>
  withHome(service, async (home) => {
    say(`${levels} levels`);
    const program = `
      process.chdir(process.argv[1]);
      for (let level = 0; level < ${levels}; level += 1) {
        require('node:fs').mkdirSync('d');
        process.chdir('d');
      }`;
    execFileSync(process.execPath, ['-e', program, home.folder]);
    const top = path.join(home.folder, 'top.txt');
    writeFileSync(top, 'top');
    const startMs = Date.now();
    const watcher = await home.start({ args: ['--existing', 'upload'] });
    const { at } = await watcher.until((one) => one.event === 'uploaded' && one.path === top);
    await sleep(5000);
    const peakMiB = (peakBytesOf(watcher.pid) ?? Number.NaN) / 1024 ** 2;
    await watcher.stop();
    return {
      goals: [
        { what: `${levels} levels: the top, ms`, value: Date.parse(at) - startMs, atMost: goals.topMs },
        { what: `${levels} levels: peak, MiB`, value: peakMiB, atMost: goals.peakMiB },
      ],
      figures: {},
    };
  });

const ofSharedDrive = async (service: ServiceProcess): Promise<Part> => {
  const what = `${sharedFolders * each} files on a network drive`;
  if (lacks('sshfs', 'sftp-server') || !hasFuse())
    return { goals: [{ what, value: null, atMost: goals.scanShare }], figures: {} };
  return await withHome(service, async (home) => {
    say(what);
    const far = path.join(home.home, '..', 'far');
    mkdirSync(far);
    makeTree(far, sharedFolders, each);
    mount.sshfs(far, home.folder);
    try {
      const first = await home.start({ args: ['--existing', 'skip'] });
      await first.untilLogged('scanned', scanMostMs);
      await first.stop();
      const watcher = await home.start();
      await watcher.untilLogged('scanned', scanMostMs);
      const { cpuMs, scans } = await idle(watcher, home);
      return {
        goals: [
          {
            what: `${what}: processor, ms a minute`,
            value: (cpuMs / forMs) * 60_000,
            atMost: goals.sharedMsAMinute,
          },
          {
            what: `${what}: scans, % of the time`,
            value: (100 * scans.reduce((sum, tookMs) => sum + tookMs, 0)) / forMs,
            atMost: goals.scanShare,
          },
        ],
        figures: { sharedScansMs: scans.map(rounded) },
      };
    } finally {
      unmount(home.folder);
    }
  });
};

const withoutWatches = (service: ServiceProcess): Promise<Part> =>
  withHome(service, async (home) => {
    const what = `${localFolders * each} files without watches`;
    say(what);
    makeTree(home.folder, localFolders, each);
    const first = await home.start({ args: ['--existing', 'skip'] });
    await first.untilLogged('scanned');
    await first.stop();
    const limit = 'echo 0 > /proc/sys/user/max_inotify_instances && exec "$0" "$@"';
    const within = ['unshare', '--user', '--map-root-user', '/bin/sh', '-c', limit];
    const watcher = await home.start({ within });
    await watcher.untilLogged('scanned');
    const { cpuMs } = await idle(watcher, home);
    return {
      goals: [
        { what: `${what}: processor, % of a core`, value: (100 * cpuMs) / forMs, atMost: goals.idleShare },
      ],
      figures: {},
    };
  });

/** Processor time of the command and of its drives' processes, and what each scan took, in milliseconds. */
const idle = async (watcher: Watcher, home: Home): Promise<{ cpuMs: number; scans: number[] }> => {
  await sleep(5000);
  const logged = (): number[] =>
    readFileSync(path.join(home.home, 'log', 'outtray.log'), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { event: string; tookMs?: number })
      .flatMap(({ event, tookMs }) => (event === 'scanned' && tookMs !== undefined ? [tookMs] : []));
  const all = (): number =>
    [watcher.pid, ...childrenOf(watcher.pid)].reduce((sum, pid) => sum + (cpuMsOf(pid) ?? Number.NaN), 0);
  const [beforeMs, before] = [all(), logged().length];
  await sleep(forMs);
  const result = { cpuMs: all() - beforeMs, scans: logged().slice(before) };
  await watcher.stop();
  return result;
};
