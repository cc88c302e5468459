// The program and the service as processes of their own, as users run them: the built command (its start is four times
// shorter) or the command from source.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const root = path.resolve(import.meta.dirname, '../../..');
const doomModule = path.join(import.meta.dirname, 'doom.ts');
const bundle = path.join(root, 'out/cli/cli.cjs');

export type Build = 'bundle' | 'source';

// ---------------------------------------------------------------- the service

export type StoredFile = { id: number; account: string; filename: string; sha256: string; link: string };

export type ServiceProcess = {
  baseUrl: string;
  /** Asks the control endpoint; `body` makes it a POST. */
  control<T>(what: string, body?: unknown): Promise<T>;
  files(account: string): Promise<StoredFile[]>;
  remove(files: readonly StoredFile[]): Promise<void>;
  clearFaults(): Promise<void>;
  /** Another account on it, without limits. */
  account(name: string): Promise<{ name: string; key: string }>;
  stop(): Promise<void>;
};

export const startServiceProcess = async (flags: readonly string[] = []): Promise<ServiceProcess> => {
  const script = path.join(root, 'test/service/main.ts');
  const child = spawn(process.execPath, [script, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const at = JSON.parse(line) as { base_url: string; control: string };
  const control = async <T>(what: string, body?: unknown, method?: string): Promise<T> => {
    const sent =
      body === undefined ? { method: method ?? 'GET' } : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${at.control}/${what}`, sent);
    if (!answer.ok) throw new Error(`The service's control said ${answer.status} to ${what}.`);
    return (await answer.json()) as T;
  };
  return {
    baseUrl: at.base_url,
    control,
    files: async (account) =>
      (await control<StoredFile[]>('files')).filter((file) => file.account === account),
    async remove(files) {
      for (const { id } of files) await control(`files?id=${id}`, undefined, 'DELETE');
    },
    async clearFaults() {
      await control('faults', undefined, 'DELETE');
    },
    async account(name) {
      const key = `soak-key-${name}`;
      const none = { requestsPerMinute: null, requestsPerDay: null, dailyUploads: null };
      await control('accounts', { name, key, plan: 'Pro', maxFileSizeBytes: null, ...none });
      return { name, key };
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};

// ---------------------------------------------------------------- the program

/** Just before, just after or half through the n-th effect of that label, from 1 (doom.ts). */
export type Doom = { moment: 'before' | 'after' | 'torn'; label: string; nth: number };

export type Line = Record<string, unknown> & { event?: string };

export type Ended = { code: number | null; signal: NodeJS.Signals | null; tookMs: number };

export type Running = {
  lines: Line[];
  stderr(): string;
  ended: Promise<Ended>;
  stop(signal: NodeJS.Signals): Promise<Ended>;
  /** True once such a line has come; false when it ended, or the time passed, without. */
  until(find: (line: Line) => boolean, mostMs: number): Promise<boolean>;
};

/** `outtray --json ARGS`. `notes`: count effects and write them there; `doom`: die at one of them. */
export const startOuttray = (
  args: readonly string[],
  to: { build: Build; home: string; baseUrl: string; key: string; doom?: Doom; notes?: string },
): Running => {
  const script = to.build === 'bundle' ? bundle : path.join(root, 'src-main/cli.ts');
  const preload = to.doom === undefined && to.notes === undefined ? [] : ['--import', doomModule];
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [...preload, script, '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      TZ: 'UTC',
      // The bundle does this for itself. With it, the module that counts is not translated again each time.
      NODE_COMPILE_CACHE: path.join(tmpdir(), 'outtray-soak-compiled'),
      HOME: path.dirname(to.home),
      OUTTRAY_HOME: to.home,
      OUTTRAY_BASE_URL: to.baseUrl,
      OUTTRAY_API_KEY: to.key,
      ...(to.doom === undefined
        ? {}
        : { OUTTRAY_SOAK_DOOM: `${to.doom.moment} ${to.doom.nth} ${to.doom.label}` }),
      ...(to.notes === undefined ? {} : { OUTTRAY_SOAK_NOTES: to.notes }),
    },
  });
  const lines: Line[] = [];
  let stderr = '';
  let isOver = false;
  const hearers = new Set<() => void>();
  const tell = (): void => {
    for (const hear of hearers) hear();
  };
  createInterface({ input: child.stdout }).on('line', (text) => {
    // The last line of a killed process may be half of one.
    if (text.endsWith('}')) lines.push(JSON.parse(text) as Line);
    tell();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    isOver = true;
    tell();
    return {
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      tookMs: performance.now() - startedAtMs,
    };
  });
  return {
    lines,
    stderr: () => stderr,
    ended,
    stop(signal) {
      child.kill(signal);
      return ended;
    },
    until: (find, mostMs) =>
      new Promise((resolve) => {
        let read = 0;
        const finish = (found: boolean): void => {
          hearers.delete(look);
          clearTimeout(timer);
          resolve(found);
        };
        const look = (): void => {
          const isFound = lines.slice(read).some(find);
          read = lines.length;
          if (isFound || isOver) finish(isFound);
        };
        const timer = setTimeout(() => finish(false), mostMs);
        hearers.add(look);
        look();
      }),
  };
};
