// `outtray watch` as its users have it: the built command in a process of its own, with its own data folder.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { builtCommand } from './measure.ts';
import { makePlace, type ServiceProcess } from './outtray.ts';

export type Event = { event: string; path: string | null; at: string; [field: string]: unknown };
export type LogLine = { event: string; at: string; [field: string]: unknown };

export type Watcher = {
  pid: number;
  /** What it has printed so far. */
  events: readonly Event[];
  /** Its messages to people so far (stderr). */
  notes(): string;
  /** Resolves with the first event so far or to come that fits; throws after `mostMs` or when the process ends. */
  until(fits: (event: Event) => boolean, mostMs?: number): Promise<Event>;
  /** The same for a line of its log that was written after it started, once there are `times` of them. */
  untilLogged(event: string, mostMs?: number, times?: number): Promise<LogLine>;
  /** Ends it as Ctrl-C does. */
  stop(): Promise<void>;
};

export type Home = {
  home: string;
  folder: string;
  start(options?: StartOptions): Promise<Watcher>;
  /** `outtray watch --once`, to its end. */
  watchOnce(): Promise<void>;
  /** The output of `outtray status` beside it. */
  status(): Promise<{ watch?: string; remedy?: string }>;
  remove(): void;
};

type StartOptions = {
  args?: readonly string[];
  /** Watches the folders of the settings. */
  isOfSettings?: boolean;
  /** A module that is loaded into the command before anything else. */
  preload?: string;
  env?: NodeJS.ProcessEnv;
  /** A program that runs the command given to it. */
  within?: readonly string[];
};

const usualMs = 60_000;
const lookEveryMs = 10;

/** A data folder and an empty folder to watch, below one that is removed in the end. */
export const makeHome = async (
  service: ServiceProcess,
  settings: Record<string, unknown> = {},
): Promise<Home> => {
  const command = await builtCommand();
  const place = makePlace();
  const home = path.join(place.folder, 'home');
  const folder = path.join(place.folder, 'folder');
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(folder);
  const env = { ...process.env, OUTTRAY_HOME: home, OUTTRAY_BASE_URL: service.baseUrl };
  writeFileSync(path.join(home, 'settings.json'), JSON.stringify(settings));
  return {
    home,
    folder,
    remove: () => {
      place.remove();
    },
    async watchOnce() {
      await promisify(execFile)(process.execPath, [command, 'watch', folder, '--once'], {
        env: { ...env, OUTTRAY_API_KEY: service.key },
      });
    },
    async status() {
      const { stdout } = await promisify(execFile)(process.execPath, [command, '--json', 'status'], { env });
      return JSON.parse(stdout) as { watch?: string; remedy?: string };
    },
    async start({ args = [], isOfSettings = false, preload, env: more = {}, within = [] } = {}) {
      const sinceMs = Date.now();
      const preloading = preload === undefined ? [] : ['--import', preload];
      const watch = isOfSettings ? ['watch'] : ['watch', folder];
      const whole = [...within, process.execPath, ...preloading, command, '--json', ...watch, ...args];
      const child = spawn(whole[0] ?? process.execPath, whole.slice(1), {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...env, OUTTRAY_API_KEY: service.key, ...more },
      });
      const events: Event[] = [];
      let notes = '';
      child.stderr.on('data', (piece) => (notes += String(piece)));
      createInterface({ input: child.stdout }).on('line', (line) => events.push(JSON.parse(line) as Event));
      const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
      const poll = async <T>(find: () => T | undefined, what: string, mostMs: number): Promise<T> => {
        const endMs = performance.now() + mostMs;
        for (;;) {
          const found = find();
          if (found !== undefined) return found;
          if (isOver())
            throw new Error(`outtray watch ended before ${what}: ${notes}${JSON.stringify(events.at(-1))}`);
          if (performance.now() > endMs) throw new Error(`${what} did not come within ${mostMs} ms.`);
          await sleep(lookEveryMs);
        }
      };
      return {
        pid: child.pid ?? 0,
        events,
        notes: () => notes,
        until: (fits, mostMs = usualMs) => poll(() => events.find(fits), 'the event', mostMs),
        untilLogged: (event, mostMs = usualMs, times = 1) =>
          poll(
            () =>
              logLines(home).filter((line) => line.event === event && Date.parse(line.at) >= sinceMs)[
                times - 1
              ],
            `"${event}" in the log`,
            mostMs,
          ),
        async stop() {
          if (isOver()) return;
          child.kill('SIGINT');
          await once(child, 'exit');
        },
      };
    },
  };
};

const logLines = (home: string): LogLine[] => {
  const file = path.join(home, 'log', 'outtray.log');
  if (!existsSync(file)) return [];
  const whole = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return whole.map((line) => JSON.parse(line) as LogLine);
};
