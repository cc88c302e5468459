// Goal 5 of performance: what it costs to watch 100,000 files in 1,000 folders, beside plain chokidar on the same tree.
// Our watch alone, bundled as it is in the program, is what is compared; the whole program, whose ledger knows all the
// files, is shown beside it and is what has to be still.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'vite';
import { interleave, judge, type Bench, type Figures } from './frame.ts';
import { cpuMsOf, peakBytesOf } from './measure.ts';
import { makePlace, startServiceProcess } from './outtray.ts';
import { rounded } from './show.ts';
import { makeTree } from './tree.ts';
import { makeHome } from './watcher.ts';

const folders = 1_000;
const each = 100;
const rounds = 7;
const idleMs = 30_000;
/** After the watch is ready memory may still grow for a moment. */
const restMs = 300;
const goals = { memory: 0.6, watchesPerFolder: 1, idleCpuMs: 10 };

export const bench: Bench = {
  name: 'watch-memory',
  goal: `${folders * each} files in ${folders} folders: peak ≤ ${goals.memory} × chokidar, ≤ ${goals.watchesPerFolder} watch a folder, ≤ ${goals.idleCpuMs} ms of processor time in ${idleMs / 1_000} s`,
  async run() {
    const service = await startServiceProcess([]);
    const home = await makeHome(service);
    const place = makePlace();
    try {
      makeTree(home.folder, folders, each);
      const adapter = await bundled(place.folder);
      const chokidar = path.join(import.meta.dirname, 'chokidar.child.mjs');
      const first = await home.start({ args: ['--existing', 'skip'] });
      await first.untilLogged('scanned');
      await first.stop();
      const result = await interleave({
        rounds,
        contestants: [
          { name: 'our watch', run: () => watchOnce(adapter, home.folder) },
          { name: 'chokidar', run: () => watchOnce(chokidar, home.folder) },
        ],
      });
      const program = await home.start();
      await program.untilLogged('scanned');
      const programBytes = peakBytesOf(program.pid) ?? Number.NaN;
      const programWatches = watchesOf(program.pid);
      await program.until(({ event }) => event === 'idle');
      await sleep(3_000);
      const beforeMs = cpuMsOf(program.pid) ?? Number.NaN;
      await sleep(idleMs);
      const idleCpuMs = (cpuMsOf(program.pid) ?? Number.NaN) - beforeMs;
      await program.stop();
      const judged = judge([
        {
          what: 'peak, our watch ÷ chokidar',
          value: result.ratio('our watch', 'chokidar', 'peakBytes'),
          atMost: goals.memory,
        },
        {
          what: 'watches a folder',
          // The program has two or three more of its own: on its settings, and for its guests.
          value: result.spread('our watch', 'watches').median / (folders + 1),
          atMost: goals.watchesPerFolder,
        },
        { what: 'idle processor, ms', value: idleCpuMs, atMost: goals.idleCpuMs },
      ]);
      const wholeProgram = programBytes / result.spread('chokidar', 'peakBytes').median;
      return {
        ...judged,
        program: {
          peakBytes: programBytes,
          toChokidar: rounded(wholeProgram),
          watches: programWatches,
          idleCpuMs: rounded(idleCpuMs),
        },
        rounds: result.summary(),
      };
    } finally {
      await service.stop();
      home.remove();
      place.remove();
    }
  },
};

/** As the build of the program does it: Node's stripping of types alone would take 18 MiB. */
const bundled = async (folder: string): Promise<string> => {
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: path.join(import.meta.dirname, 'adapter.child.ts'),
      outDir: folder,
      rolldownOptions: { output: { entryFileNames: 'adapter.mjs' } },
    },
    ssr: { noExternal: true },
  });
  return path.join(folder, 'adapter.mjs');
};

const watchOnce = async (program: string, folder: string): Promise<Figures> => {
  const startMs = performance.now();
  const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const pid = child.pid ?? 0;
    for await (const line of createInterface({ input: child.stdout })) if (line.includes('"ready"')) break;
    const readyMs = performance.now() - startMs;
    await sleep(restMs);
    return {
      readyMs,
      peakBytes: peakBytesOf(pid) ?? Number.NaN,
      watches: watchesOf(pid),
      cpuMs: cpuMsOf(pid) ?? Number.NaN,
    };
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
};

/** inotify(7): one line for each watch. */
const watchesOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/fdinfo`)
    .map((fd) => {
      try {
        return readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1').match(/^inotify wd:/gm)?.length ?? 0;
      } catch {
        return 0; // closed meanwhile
      }
    })
    .reduce((sum, one) => sum + one, 0);
