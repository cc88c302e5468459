// Goal 6 of performance: after a restart, 100,000 files that have not changed are compared with the ledger. This takes
// little more time than it takes to list them, and the event loop never stands still for long. It is the whole program,
// started again each round; its log says when the scan began and how long it took. A bare walk shows the lower bound of
// a scan in Node.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createPeers, interleave, judge, type Bench, type Contestant, type Figures } from './frame.ts';
import { cpuMsOf, peakBytesOf } from './measure.ts';
import { makePlace, startServiceProcess, type ServiceProcess } from './outtray.ts';
import { chart, say, type Point } from './show.ts';
import { makeTree, markHalfUploaded } from './tree.ts';
import { makeHome, type Home } from './watcher.ts';

const each = 100;
const folders = 1_000;
const rounds = 7;
/** Rounds of the sizes that only show the growth. */
const growthRounds = 1;
/** Files in the folder for measuring the growth; a million takes minutes to make. */
const sizes = process.argv.includes('--large') ? [10, 100, 1_000, 10_000] : [10, 100, 1_000];
const goals = { find: 2.5, once: 6, blockMs: 20, peakMiB: 350 };
const bareWalk = path.join(import.meta.dirname, 'walk.child.mjs');
const blocksPreload = path.join(import.meta.dirname, 'blocks.child.mjs');

export const bench: Bench = {
  name: 'scan',
  goal: `${folders * each} unchanged files: ≤ ${goals.find} × find -printf (watch --once from start to end: ≤ ${goals.once} ×), longest block of the event loop ≤ ${goals.blockMs} ms, ≤ ${goals.peakMiB} MiB with the watcher`,
  async run() {
    const service = await startServiceProcess([]);
    const peers = createPeers();
    try {
      const growth: Awaited<ReturnType<typeof measureSize>>[] = [];
      for (const count of sizes) growth.push(await measureSize(service, count, peers, count === folders));
      const main = growth.find(({ files }) => files === folders * each);
      const judged = judge([
        { what: 'outtray ÷ find', value: main?.ratios.find ?? null, atMost: goals.find },
        { what: 'watch --once ÷ find', value: main?.ratios.once ?? null, atMost: goals.once },
        { what: 'longest block, ms', value: main?.blockMs ?? null, atMost: goals.blockMs },
        {
          what: 'peak, MiB',
          value: main === undefined ? null : main.peakBytes / 1024 ** 2,
          atMost: goals.peakMiB,
        },
      ]);
      const points = (value: (one: (typeof growth)[number]) => number): Point[] =>
        growth.map((one) => ({ label: String(one.files), x: one.files, value: value(one) }));
      return {
        ...judged,
        roundsCounted: { find: rounds, growth: growthRounds },
        limits: { 'bare walk ÷ find': main?.ratios.bareWalk ?? null },
        rounds: main?.summary,
        growth: {
          tookMs: chart(
            'Milliseconds by files',
            points(({ tookMs }) => tookMs),
          ),
          peakMiB: chart(
            'Peak of memory, MiB, by files',
            points(({ peakBytes }) => peakBytes / 1024 ** 2),
          ),
        },
        peers: peers.summary(),
      };
    } finally {
      await service.stop();
    }
  },
};

const measureSize = async (
  service: ServiceProcess,
  count: number,
  peers: ReturnType<typeof createPeers>,
  isMain: boolean,
) => {
  say(`${count * each} files`);
  const home = await makeHome(service);
  const place = makePlace();
  makeTree(home.folder, count, each);
  await fillLedger(home);
  const find = isMain ? peers.find('find', 'findutils') : null;
  const blocks: number[] = [];
  try {
    const outtray = {
      name: 'outtray',
      run: () => restart(home, path.join(place.folder, 'blocks.json'), blocks),
    };
    const contestants: Contestant[] = [
      outtray,
      ...(find === null
        ? []
        : [
            { name: 'find', run: () => Promise.resolve(findOnce(home.folder)) },
            { name: 'watch --once', run: () => once(home) },
            { name: 'bare walk', run: () => Promise.resolve(walkOnce(home.folder)) },
          ]),
    ];
    const result = await interleave({ rounds: isMain ? rounds : growthRounds, contestants });
    return {
      files: count * each,
      tookMs: result.spread('outtray', 'wallMs').median,
      peakBytes: result.spread('outtray', 'peakBytes').median,
      // At times the machine itself stands still. A pause that half of the runs show is the program's.
      blockMs: result.spread('outtray', 'blockMs').median,
      ratios: {
        find: find === null ? null : result.ratio('outtray', 'find', 'wallMs'),
        once: find === null ? null : result.ratio('watch --once', 'find', 'wallMs'),
        bareWalk: find === null ? null : result.ratio('bare walk', 'find', 'wallMs'),
      },
      summary: result.summary(),
    };
  } finally {
    place.remove();
    home.remove();
  }
};

/** The first scan, and every second file as if it had been uploaded. */
const fillLedger = async (home: Home): Promise<void> => {
  const watcher = await home.start({ args: ['--existing', 'skip'] });
  await watcher.untilLogged('scanned', 600_000);
  await watcher.stop();
  markHalfUploaded(home.home);
};

const restart = async (home: Home, blocksFile: string, blocks: number[]): Promise<Figures> => {
  const watcher = await home.start({ preload: blocksPreload, env: { OUTTRAY_BENCH_BLOCKS: blocksFile } });
  const scanned = await watcher.untilLogged('scanned');
  const peakBytes = peakBytesOf(watcher.pid) ?? Number.NaN;
  const cpuMs = cpuMsOf(watcher.pid) ?? Number.NaN;
  await watcher.stop();
  const endMs = Date.parse(scanned.at);
  const wallMs = Number(scanned['tookMs']);
  const during = (JSON.parse(readFileSync(blocksFile, 'utf8')) as { atMs: number; blockMs: number }[]).filter(
    ({ atMs }) => atMs > endMs - wallMs && atMs <= endMs + 5,
  );
  const blockMs = Math.max(0, ...during.map((one) => one.blockMs));
  blocks.push(blockMs);
  return { wallMs, blockMs, peakBytes, cpuMs };
};

const once = async (home: Home): Promise<Figures> => {
  const startMs = performance.now();
  await home.watchOnce();
  return { wallMs: performance.now() - startMs };
};

const findOnce = (folder: string): Figures => {
  const startMs = performance.now();
  execFileSync('find', [folder, '-printf', '%s %T@ %p\n'], { stdio: ['ignore', 'ignore', 'inherit'] });
  return { wallMs: performance.now() - startMs };
};

const walkOnce = (folder: string): Figures => {
  const said = execFileSync(process.execPath, [bareWalk, folder], { encoding: 'utf8' });
  return { wallMs: (JSON.parse(said) as { tookMs: number }).tookMs };
};
