// Goal 8 of performance: Outtray also finds the files that the system sends no events for. 20,000 files come while the
// event loop stands still (the system's queue of events overflows), and 50 files come where fewer than half of the
// folders have a watch. Linux: the second part needs user namespaces.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { judge, type Bench } from './frame.ts';
import { startServiceProcess, type ServiceProcess } from './outtray.ts';
import { rounded, say } from './show.ts';
import { makeTree } from './tree.ts';
import { makeHome, type Watcher } from './watcher.ts';

const withinMs = 60_000;
const many = 20_000;
const standstillMs = 15_000;
const scattered = 50;
const folders = 1_011;
const watches = 500;
const standstill = path.join(import.meta.dirname, 'standstill.child.mjs');
/** By default bursts are held; here they must go on. */
const settings = { burstFiles: 1_000_000, concurrentUploads: 1 };

export const bench: Bench = {
  name: 'nothing-missed',
  goal: `${many} files while the loop stands still, ${scattered} files with ${watches} watches for ${folders} folders: all queued within ${withinMs / 1_000} s, "degraded" visible`,
  async run() {
    const service = await startServiceProcess([]);
    try {
      const overflow = await whileStandingStill(service);
      const short = await withTooFewWatches(service);
      const judged = judge([
        { what: 'queued of the many', value: overflow.queued / many, atLeast: 1 },
        { what: 'many, seconds', value: overflow.tookMs / 1_000, atMost: withinMs / 1_000 },
        { what: 'queued of the scattered', value: short && short.queued / scattered, atLeast: 1 },
        { what: 'scattered, seconds', value: short && short.tookMs / 1_000, atMost: withinMs / 1_000 },
        { what: 'degraded is visible', value: short && Number(short.isVisible), atLeast: 1 },
      ]);
      return { ...judged, overflow, short };
    } finally {
      await service.stop();
    }
  },
};

const queued = (watcher: Watcher): number =>
  new Set(watcher.events.filter(({ event }) => event === 'queued').map((event) => event.path)).size;

/** From now until `wanted` files are queued, or the time is over. */
const untilQueued = async (watcher: Watcher, wanted: number) => {
  const startMs = performance.now();
  const passedMs = (): number => performance.now() - startMs;
  while (queued(watcher) < wanted && passedMs() < withinMs) await sleep(50);
  return { queued: queued(watcher), tookMs: rounded(passedMs()) };
};

const whileStandingStill = async (service: ServiceProcess) => {
  const home = await makeHome(service, settings);
  try {
    const watcher = await home.start({
      preload: standstill,
      env: { OUTTRAY_BENCH_BLOCK_MS: String(standstillMs) },
    });
    await watcher.until(({ event }) => event === 'idle');
    process.kill(watcher.pid, 'SIGUSR2');
    const startMs = performance.now();
    for (let file = 0; file < many; file += 1) {
      writeFileSync(path.join(home.folder, `file ${file}.txt`), `${file}\n`);
    }
    const writtenMs = performance.now() - startMs;
    if (writtenMs > standstillMs) say('The files took longer than the standstill: the machine is too busy.');
    await sleep(Math.max(0, standstillMs - writtenMs));
    const result = await untilQueued(watcher, many);
    await watcher.stop();
    return { ...result, writtenMs: rounded(writtenMs) };
  } finally {
    home.remove();
  }
};

const namespace = (command: string): string[] => [
  'unshare',
  '-Ur',
  'sh',
  '-c',
  `echo ${watches} > /proc/sys/user/max_inotify_watches && ${command}`,
  'sh',
];

/** Null where the system has no user namespaces. */
const withTooFewWatches = async (service: ServiceProcess) => {
  const [file = '', ...args] = namespace('true');
  try {
    execFileSync(file, args, { stdio: 'ignore' });
  } catch {
    say('User namespaces are not to be had here: too few watches is not measured.');
    return null;
  }
  const home = await makeHome(service, settings);
  try {
    makeTree(home.folder, folders - 1, 1);
    const watcher = await home.start({ args: ['--existing', 'skip'], within: namespace('exec "$@"') });
    await watcher.until(({ event }) => event === 'idle');
    for (let file = 0; file < scattered; file += 1) {
      const folder = `folder ${Math.floor((file * (folders - 1)) / scattered)}`;
      writeFileSync(path.join(home.folder, folder, `new ${file}.txt`), `new ${file}\n`);
    }
    const result = await untilQueued(watcher, scattered);
    const { watch, remedy } = await home.status();
    await watcher.stop();
    return { ...result, isVisible: watch === 'scanning' && remedy !== undefined, remedy };
  } finally {
    home.remove();
  }
};
