// A small model of one user's machine: a data folder with settings, a folder to share from, and the account's key in
// the environment. Everything is in one temporary folder that is removed with the test.
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceOptions } from '../../service/options.ts';
import { startService, type Service } from '../../service/service.ts';
import { createQuickClock } from './quick-clock.ts';
import { everyProcess, needsProcess, startHere } from './in-process.ts';
import { eventually } from './poll.ts';
import { jsonLines, start, type Ended, type Line, type Running, type RunOptions } from './command.ts';

export const apiKey = 'flow-key-4f9c';

/** A service whose limits restrict no test. */
export const openService = (options: ServiceOptions = {}): Promise<Service> =>
  startService({
    key: apiKey,
    seed: 1,
    requestsPerMinute: null,
    requestsPerDay: null,
    dailyUploads: null,
    ...options,
  });

export type Counts = { uploaded: number; waiting: number; held: number; skipped: number; failed: number };

export type Place = {
  root: string;
  home: string;
  folder: string;
  env: Record<string, string | undefined>;
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  start(args: readonly string[], options?: RunOptions): Running;
  /** With `--json`; checks that nothing but JSON lines is on standard output and nothing at all on the other. */
  json(args: readonly string[], options?: RunOptions): Promise<{ code: number | null; lines: Line[] }>;
  counts(): Promise<Counts>;
  /** Writes a file in the folder, with the folders above it; returns its path. */
  put(name: string, content: string | Uint8Array): Promise<string>;
  /** Waits until so much of its time has passed. */
  pass(ms: number): Promise<void>;
  remove(): Promise<void>;
};

const openSettings = { requestsPerMinute: 100_000, requestsPerDay: 10_000_000, burstFiles: 100_000 };

export const createPlace = async (
  service: Pick<Service, 'baseUrl' | 'key'> | null,
  options: {
    settings?: Record<string, unknown>;
    key?: string | null;
    /** Its subject is the process: every command is one. */
    processes?: true;
    /** How many times as fast time passes for commands in this process. Default: the system's time. */
    rate?: number;
  } = {},
): Promise<Place> => {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'outtray-flow-')));
  const home = path.join(root, 'home');
  const folder = path.join(root, 'folder');
  await mkdir(home, { mode: 0o700 });
  await mkdir(folder);
  await writeFile(path.join(home, 'settings.json'), JSON.stringify({ ...openSettings, ...options.settings }));
  const key = options.key === undefined ? service?.key : options.key;
  const env = {
    HOME: path.join(root, 'user'),
    OUTTRAY_HOME: home,
    ...(service === null ? {} : { OUTTRAY_BASE_URL: service.baseUrl }),
    ...(key === undefined || key === null ? {} : { OUTTRAY_API_KEY: key }),
  };
  await mkdir(env.HOME);

  const started: Running[] = [];
  const keep = (running: Running): Running => {
    started.push(running);
    return running;
  };
  const clock = options.rate === undefined ? null : createQuickClock(options.rate);
  const isProcess = (args: readonly string[], given: RunOptions): boolean =>
    options.processes === true || needsProcess(args, given);
  const givenTo = (more: RunOptions): RunOptions => ({ cwd: root, ...more, env: { ...env, ...more.env } });
  const asProcess = (args: readonly string[], more: RunOptions = {}): Running =>
    keep(start(args, givenTo(more)));
  const here = (args: readonly string[], more: RunOptions = {}): Running =>
    keep(startHere(args, { ...givenTo(more), clock: clock?.begin() }));
  /** Runs in this process go one after another: files in the data folder contain the id of their process. */
  let last: Promise<unknown> = Promise.resolve();
  const runHere = async (args: readonly string[], more: RunOptions): Promise<Ended> => {
    const before = last;
    const ended = before.then(() => here(args, more).ended);
    last = ended.catch(() => undefined);
    return await ended;
  };
  const place: Place = {
    root,
    home,
    folder,
    env,
    start: (args, more = {}) => (isProcess(args, givenTo(more)) ? asProcess(args, more) : here(args, more)),
    run(args, more = {}) {
      return isProcess(args, givenTo(more)) ? asProcess(args, more).ended : runHere(args, more);
    },
    async json(args, more) {
      const ended = await place.run(['--json', ...args], more);
      if (ended.stderr !== '') throw new Error(`On standard error: ${ended.stderr}`);
      return { code: ended.code, lines: jsonLines(ended) };
    },
    async counts() {
      const { lines } = await place.json(['status']);
      return lines[0]?.['counts'] as Counts;
    },
    async put(name, content) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    pass: (ms) => pause(everyProcess ? ms : ms / (options.rate ?? 1)),
    async remove() {
      // A test that failed may have left one running.
      await Promise.all(
        started.map((running) => running.stop(running.pid === process.pid ? 'SIGTERM' : 'SIGKILL')),
      );
      await rm(root, { recursive: true, force: true });
    },
  };
  return place;
};

/** The process in the background has ended. */
export const untilAlone = (place: Place): Promise<boolean> =>
  eventually('no engine runs', async () => (await place.json(['status'])).lines[0]?.['running'] === false);

/** Everything below a folder that is not a folder, links and special files too: what the five counts add up to. */
export const countThings = async (folder: string | Buffer): Promise<number> => {
  let things = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const inside = Buffer.concat([Buffer.from(folder), Buffer.from('/'), entry.name]);
    things += entry.isDirectory() ? await countThings(inside) : 1;
  }
  return things;
};

export const sum = (counts: Counts): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** Both are gone afterwards. */
export const leave = async (place: Place, service: Service): Promise<void> => {
  await place.remove();
  await service.close();
};
