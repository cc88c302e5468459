// Goal 1 of performance: what a person waits for. From the close of a file in the watched folder to its link in the
// ledger, with a service that answers at once; and the same for a file that is given by path to a running engine.
import { randomFillSync } from 'node:crypto';
import { execFile } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { judge, type Bench } from './frame.ts';
import { builtCommand } from './measure.ts';
import { startServiceProcess, type ServiceProcess } from './outtray.ts';
import { quantile, rounded, say } from './show.ts';
import { makeHome, type Watcher } from './watcher.ts';

const drops = 200;
const given = 50;
const [least, most] = [1_000, 20_000_000];
/** A file is written in pieces with these pauses between them, as a program writes that computes. */
const pauses = [0, 5, 50];
const restedMs = 2_100;
/** An idle machine needs 80 s for the drops and 25 s for the files by path. Files not done by then are not measured. */
const mostMs = { drops: 300_000, given: 150_000 };
const tellEvery = 25;
const goals = { p50Ms: 350, p95Ms: 500, givenP50Ms: 120, early: 0 };
/** The limiter is open: other benchmarks measure its waits. */
const settings = { requestsPerMinute: 100_000, requestsPerDay: 100_000_000, burstFiles: 1_000_000 };

export const bench: Bench = {
  name: 'drop-to-link',
  goal: `${drops} drops of ${least / 1_000} KB to ${most / 1_000_000} MB: p50 ≤ ${goals.p50Ms} ms, p95 ≤ ${goals.p95Ms} ms, 0 taken too early; given by path p50 ≤ ${goals.givenP50Ms} ms`,
  async run() {
    const none = ['--requests-per-minute', 'none', '--requests-per-day', 'none', '--store', 'hash-only'];
    const service = await startServiceProcess(none);
    const home = await makeHome(service, settings);
    try {
      const watcher = await home.start({ args: ['--existing', 'skip'] });
      await watcher.until(({ event }) => event === 'idle');
      const dropped: number[] = [];
      let early = 0;
      const endMs = performance.now() + mostMs.drops;
      for (let at = 0; at < drops && performance.now() < endMs; at += 1) {
        const drop = await dropOne(home.folder, at);
        const link = await linkOf(watcher, drop.file);
        dropped.push(link.atMs - drop.closedMs);
        if (link.size !== drop.size) early += 1;
        tell('dropped', dropped, drops);
      }
      const byPath = await giveByPath(home.home, service, watcher);
      await watcher.stop();
      const [p50, p95] = [quantile(dropped, 0.5), quantile(dropped, 0.95)];
      return {
        ...judge([
          { what: 'drop to link p50, ms', value: p50, atMost: goals.p50Ms },
          { what: 'drop to link p95, ms', value: p95, atMost: goals.p95Ms },
          {
            what: 'given by path, from the queue on, p50, ms',
            value: quantile(byPath, 0.5),
            atMost: goals.givenP50Ms,
          },
          { what: 'taken too early', value: early, atMost: goals.early },
          { what: 'measured in time', value: dropped.length + byPath.length, atLeast: drops + given },
        ]),
        dropped: { p50: rounded(p50), p95: rounded(p95), most: rounded(Math.max(...dropped)) },
        byPath: { p50: rounded(quantile(byPath, 0.5)), p95: rounded(quantile(byPath, 0.95)) },
        // Two looks at a stable file, and the moment between them.
        limits: { quietMs: 250 },
      };
    } finally {
      await service.stop();
      home.remove();
    }
  },
};

const tell = (what: string, took: readonly number[], of: number): void => {
  if (took.length % tellEvery === 0)
    say(`${took.length} of ${of} ${what}: p50 ${rounded(quantile(took, 0.5))} ms`);
};

/** Sizes grow by equal factors from the least to the most. */
const sizeOf = (at: number, count: number): number =>
  Math.round(least * (most / least) ** (at / (count - 1)));

const dropOne = async (
  folder: string,
  at: number,
): Promise<{ file: string; size: number; closedMs: number }> => {
  const size = sizeOf(at, drops);
  const content = randomFillSync(Buffer.alloc(size));
  const file = path.join(folder, `drop ${at}.bin`);
  const pause = pauses[at % pauses.length] ?? 0;
  const handle = openSync(file, 'w');
  const piece = Math.ceil(size / 4);
  for (let from = 0; from < size; from += piece) {
    writeSync(handle, content, from, Math.min(piece, size - from));
    if (pause > 0) await sleep(pause);
  }
  closeSync(handle);
  return { file, size, closedMs: Date.now() };
};

const linkOf = async (watcher: Watcher, file: string): Promise<{ atMs: number; size: number }> => {
  const { at, size } = await watcher.until((one) => one.event === 'uploaded' && one.path === file);
  return { atMs: Date.parse(at), size: Number(size) };
};

/**
 * The whole command starts for each file, unlike for a drop on the window. So the time counts from the moment at which
 * the row is in the queue.
 */
const giveByPath = async (home: string, service: ServiceProcess, watcher: Watcher): Promise<number[]> => {
  const command = await builtCommand();
  const folder = path.join(home, '..', 'given');
  mkdirSync(folder);
  const files = Array.from({ length: given }, (_, at) => path.join(folder, `given ${at}.bin`));
  for (const [at, file] of files.entries())
    writeFileSync(file, randomFillSync(Buffer.alloc(sizeOf(at, given) / 20)));
  // A file that a person names has rested, all of them at once: its time of change cannot be set.
  await sleep(restedMs);
  const took: number[] = [];
  const endMs = performance.now() + mostMs.given;
  for (const file of files) {
    if (performance.now() > endMs) break;
    const env = { ...process.env, OUTTRAY_HOME: home, OUTTRAY_BASE_URL: service.baseUrl };
    await promisify(execFile)(process.execPath, [command, '--json', 'upload', file], {
      env: { ...env, OUTTRAY_API_KEY: service.key },
    });
    const queued = await watcher.until((one) => one.event === 'queued' && one.path === file);
    took.push((await linkOf(watcher, file)).atMs - Date.parse(queued.at));
    tell('given by path', took, given);
  }
  return took;
};
