// Goal 7 of performance: how long after the end of writing a file is queued, and never before it. Six ways in which
// files come into a folder, twenty of each; the same files are watched by chokidar with its own way of waiting for
// the end of writing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPeers, judge, type Bench } from './frame.ts';
import { makePlace, startServiceProcess } from './outtray.ts';
import { mean, rounded, say, showTable, spreadOf } from './show.ts';
import { makeHome } from './watcher.ts';

const each = 20;
const startEveryMs = 500;
/** chokidar waits for two seconds of quiet, and a writer may pause for 3.5. */
const restMs = 8_000;
const goals = { ratio: 0.2, premature: 0 };
const sizeBytes = 512 * 1024;
const pieceBytes = sizeBytes / 4;

/**
 * Writes `file`, whose name is its content, or one content would be taken for the other's copy; resolves when it is
 * whole and closed.
 */
type Writer = (file: string) => Promise<void>;

const pieceOf = (file: string): Buffer => Buffer.alloc(pieceBytes, file);

const pausing =
  (pauseMs: number): Writer =>
  async (file) => {
    const handle = await open(file, 'w');
    await handle.write(pieceOf(file));
    await sleep(pauseMs);
    await handle.write(pieceOf(file));
    await handle.close();
  };

const run = async (file: string, args: readonly string[]): Promise<void> => {
  const child = spawn(file, args, { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${file} ended with ${String(code)}`);
};

/** The file is closed at once and written through its mapping for a second. */
const mapped = `
import mmap, sys, time
with open(sys.argv[1], 'w+b') as f:
    f.truncate(${sizeBytes})
    m = mmap.mmap(f.fileno(), ${sizeBytes})
name = sys.argv[1].encode()
for at in range(4):
    m[at * ${pieceBytes}:at * ${pieceBytes} + len(name)] = name
    m.flush()
    time.sleep(0.25)
m.close()
`;

const writersFrom = (source: string, hasPython: boolean): Record<string, Writer> => ({
  cp: async (file) => {
    const own = `${source}-${path.basename(file)}`;
    writeFileSync(own, pieceOf(file));
    await run('cp', [own, file]);
  },
  'pause of 1.5 s': pausing(1_500),
  'pause of 3.5 s': pausing(3_500),
  rename: async (file) => {
    writeFileSync(`${file}.part`, pieceOf(file));
    await sleep(100);
    await rename(`${file}.part`, file);
  },
  preallocated: async (file) => {
    const handle = await open(file, 'w');
    await handle.truncate(sizeBytes);
    for (let at = 0; at < 4; at += 1) {
      await sleep(400);
      await handle.write(pieceOf(file), 0, pieceBytes, at * pieceBytes);
    }
    await handle.close();
  },
  ...(hasPython ? { mmap: (file: string) => run('python3', ['-c', mapped, file]) } : {}),
});

type Times = Map<string, number>;

export const bench: Bench = {
  name: 'settle',
  goal: `end of writing to queued ≤ ${goals.ratio} × chokidar's awaitWriteFinish, ${goals.premature} premature in 6 scenarios × ${each}`,
  async run() {
    const peers = createPeers();
    const hasPython = peers.find('python3') !== null;
    const service = await startServiceProcess([]);
    const home = await makeHome(service, { burstFiles: 100_000 });
    const place = makePlace();
    const source = path.join(place.folder, 'source');
    try {
      const writers = Object.entries(writersFrom(source, hasPython));
      for (const [name] of writers) mkdirSync(path.join(home.folder, name));
      const watcher = await home.start();
      await watcher.until(({ event }) => event === 'idle');
      const peer = await startChokidar(home.folder);
      const closed: Times = new Map();
      const write = async ([name, writer]: [string, Writer], at: number): Promise<void> => {
        await sleep(at * startEveryMs);
        const file = path.join(home.folder, name, `${at}.bin`);
        await writer(file);
        closed.set(file, Date.now());
      };
      await Promise.all(writers.flatMap((one) => Array.from({ length: each }, (_, at) => write(one, at))));
      await sleep(restMs);
      await watcher.stop();
      await peer.stop();
      const queued: Times = new Map();
      for (const { event, path: file, at } of watcher.events) {
        // The first one counts: a premature one is followed by another.
        if (event === 'queued' && file !== null && !queued.has(file)) queued.set(file, Date.parse(at));
      }
      return verdict(
        writers.map(([name]) => name),
        closed,
        { outtray: queued, chokidar: peer.added },
        peers,
      );
    } finally {
      await service.stop();
      home.remove();
      place.remove();
    }
  },
};

const startChokidar = async (folder: string) => {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'chokidar.child.mjs'), folder, 'await'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const added: Times = new Map();
  const lines = createInterface({ input: child.stdout });
  const ready = once(lines, 'line');
  lines.on('line', (line) => {
    const { event, path: file, atMs } = JSON.parse(line) as { event: string; path: string; atMs: number };
    if (event === 'add' && !added.has(file)) added.set(file, atMs);
  });
  await ready;
  return {
    added,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};

/** The end of writing is noted by another process: so much earlier is the same moment. */
const graceMs = 2;

const verdict = (
  scenarios: readonly string[],
  closed: Times,
  seen: { outtray: Times; chokidar: Times },
  peers: ReturnType<typeof createPeers>,
) => {
  const figuresOf = (times: Times, scenario: string | null) => {
    const files = [...closed].filter(
      ([file]) => scenario === null || path.basename(path.dirname(file)) === scenario,
    );
    const delays = files.flatMap(([file, endMs]) => {
      const atMs = times.get(file);
      return atMs === undefined ? [] : [atMs - endMs];
    });
    return {
      missed: files.length - delays.length,
      premature: delays.filter((delay) => delay < -graceMs).length,
      delayMs: spreadOf(delays.filter((delay) => delay >= -graceMs)),
    };
  };
  const rows = [...scenarios, null].map((scenario) => ({
    scenario: scenario ?? 'all',
    outtray: figuresOf(seen.outtray, scenario),
    chokidar: figuresOf(seen.chokidar, scenario),
  }));
  showTable(
    ['scenario', 'outtray, ms', 'premature', 'missed', 'chokidar, ms', 'premature', 'missed'],
    rows.map(({ scenario, outtray, chokidar }) => [
      scenario,
      ...[outtray, chokidar].flatMap(({ delayMs, premature, missed }) => [
        `${rounded(delayMs.median)} (${rounded(delayMs.min)} – ${rounded(delayMs.max)})`,
        premature,
        missed,
      ]),
    ]),
  );
  const all = rows.at(-1);
  const ratios = rows
    .slice(0, -1)
    .map(({ outtray, chokidar }) => outtray.delayMs.median / chokidar.delayMs.median)
    .filter((ratio) => ratio > 0);
  if (!scenarios.includes('mmap')) say('mmap is not measured: python3 is missing.');
  const judged = judge([
    { what: 'outtray ÷ chokidar', value: mean(ratios), atMost: goals.ratio },
    { what: 'premature', value: all?.outtray.premature ?? Number.NaN, atMost: goals.premature },
    { what: 'never queued', value: all?.outtray.missed ?? Number.NaN, atMost: 0 },
    { what: 'scenarios', value: scenarios.length === 6 ? 6 : null, atLeast: 6 },
  ]);
  return { ...judged, scenarios: rows, peers: peers.summary() };
};
