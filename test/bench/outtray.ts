// The command and the service as processes of their own, for benchmarks.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const root = path.resolve(import.meta.dirname, '../..');

export type Place = { folder: string; remove(): void };

export const makePlace = (): Place => {
  const folder = mkdtempSync(path.join(tmpdir(), 'outtray-bench-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

export type ServiceProcess = {
  baseUrl: string;
  key: string;
  control: string;
  pid: number;
  get<T>(what: string): Promise<T>;
  stop(): Promise<void>;
};

export const startServiceProcess = async (flags: readonly string[]): Promise<ServiceProcess> => {
  const child = spawn(process.execPath, [path.join(root, 'test/service/main.ts'), '--port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const at = JSON.parse(line) as { base_url: string; key: string; control: string };
  return {
    baseUrl: at.base_url,
    key: at.key,
    control: at.control,
    pid: child.pid ?? 0,
    get: async <T>(what: string) => (await (await fetch(`${at.control}/${what}`)).json()) as T,
    stop: () => ended(child, 'SIGTERM'),
  };
};

const ended = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
};

export type Run = {
  pid: number;
  lines: string[];
  done: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(signal: NodeJS.Signals): Promise<void>;
};

/** `outtray ARGS` with its own data folder. */
export const startOuttray = (args: readonly string[], to: { home: string; service: ServiceProcess }): Run => {
  const child = spawn(process.execPath, [path.join(root, 'src-main/cli.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      OUTTRAY_HOME: to.home,
      OUTTRAY_BASE_URL: to.service.baseUrl,
      OUTTRAY_API_KEY: to.service.key,
    },
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const done = once(child, 'exit').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  return {
    pid: child.pid ?? 0,
    lines,
    done,
    async kill(signal) {
      child.kill(signal);
      await done;
    },
  };
};
