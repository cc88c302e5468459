// A child process, measured: time, processor time, memory; and the built command to measure.
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import buildWhenStale from '../support/build.ts';
import { builtProgram } from '../support/program.ts';
import type { Figures } from './frame.ts';

const root = path.resolve(import.meta.dirname, '../..');

export type Measured = {
  wallMs: number;
  /**
   * User and system time of the child and of all it waited for, to 10 ms: what this process is charged for ended
   * children, so no other child of this process may end meanwhile. Linux only, else NaN.
   */
  cpuMs: number;
  /** The system's own high-water mark of resident memory, read every few ms. Linux only, else NaN. */
  peakBytes: number;
  code: number | null;
  stdout: string;
  stderr: string;
};

export type Command = {
  file: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Exit codes that are no failure; 0 alone when left out. */
  allowed?: readonly number[];
  /** Pipes this many zeros into it; without a number there is no standard input. */
  stdinBytes?: number;
  /** After this it is killed and counts as failed. */
  mostMs?: number;
};

const sampleMs = 5;

/** Runs a command to its end. Throws with its output when it fails. */
export const measure = async (command: Command): Promise<Measured> => {
  const { file, args, env = process.env, cwd, allowed = [0], stdinBytes, mostMs = 300_000 } = command;
  const cpuBeforeMs = cpuOfEndedChildrenMs();
  const startMs = performance.now();
  const child = spawn(file, args, {
    env,
    ...(cwd === undefined ? {} : { cwd }),
    stdio: [stdinBytes === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  // A command that ends before it has read all fails by its code.
  if (child.stdin !== null) pipeline(zeros(stdinBytes ?? 0), child.stdin).catch(() => undefined);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (piece) => (stdout += String(piece)));
  child.stderr?.on('data', (piece) => (stderr += String(piece)));
  let peak = Number.NaN;
  const sample = (): void => {
    const now = child.pid === undefined ? null : peakBytesOf(child.pid);
    if (now !== null) peak = now;
  };
  sample();
  const sampling = setInterval(sample, sampleMs);
  const limit = setTimeout(() => child.kill('SIGKILL'), mostMs);
  try {
    let wallMs = Number.NaN;
    child.on('exit', () => (wallMs = performance.now() - startMs));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    if (code === null || !allowed.includes(code))
      throw new Error(`${file} ${args.join(' ')} ended with ${String(code)}:\n${stdout}${stderr}`);
    const cpuMs = cpuOfEndedChildrenMs() - cpuBeforeMs;
    return { wallMs, cpuMs, peakBytes: peak, code, stdout, stderr };
  } finally {
    clearInterval(sampling);
    clearTimeout(limit);
  }
};

const piece = Buffer.alloc(64 * 1024);

const zeros = function* (bytes: number) {
  for (let left = bytes; left > 0; left -= piece.length)
    yield left < piece.length ? piece.subarray(0, left) : piece;
};

/** The figures that are compared. */
export const figuresOf = ({ wallMs, cpuMs, peakBytes }: Measured): Figures => ({ wallMs, cpuMs, peakBytes });

/** The highest resident memory that a running process has had so far, or null when it is gone (or not on Linux). */
export const peakBytesOf = (pid: number): number | null => statusBytes(pid, 'VmHWM');

/** Resident memory at this moment. */
export const residentBytesOf = (pid: number): number | null => statusBytes(pid, 'VmRSS');

const statusBytes = (pid: number, line: string): number | null => {
  const found = new RegExp(String.raw`^${line}:\s+(\d+) kB$`, 'm').exec(proc(`${pid}/status`) ?? '');
  return found === null ? null : Number(found[1]) * 1024;
};

/**
 * Processor time of all living threads of a running process, exact to the microsecond; null when it is gone. A thread
 * that ended is no longer in it: for processes over some time, take the difference of two.
 */
export const cpuMsOf = (pid: number): number | null => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const eachNs = threads.map((thread) =>
      Number(proc(`${pid}/task/${thread}/schedstat`)?.split(' ')[0] ?? 0),
    );
    return eachNs.reduce((sum, one) => sum + one, 0) / 1e6;
  } catch {
    return null;
  }
};

/** The processes that it has started and that still run. */
export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((one) => Number.isInteger(one) && parentOf(one) === pid);

const parentOf = (pid: number): number => Number(/^PPid:\s+(\d+)$/m.exec(proc(`${pid}/status`) ?? '')?.[1]);

/** cutime and cstime of proc_pid_stat(5), in ticks of 10 ms. */
const cpuOfEndedChildrenMs = (): number => {
  const fields = proc('self/stat')
    ?.replace(/^.*\) /s, '')
    .split(' ');
  return fields === undefined ? Number.NaN : (Number(fields[13]) + Number(fields[14])) * 10;
};

const proc = (file: string): string | null => {
  try {
    return readFileSync(`/proc/${file}`, 'utf8');
  } catch {
    return null;
  }
};

/** What ships: the program of the packages, built first when it is older than its sources. */
export const shippedCommand = async (): Promise<readonly string[]> => [await builtProgram()];

/** The bundle as argument of `process.execPath`, for what needs options of Node; builds first when out/ is missing or older than its sources. */
export const builtCommand = async (): Promise<string> => {
  await buildWhenStale();
  return path.join(root, 'out/cli/cli.cjs');
};
