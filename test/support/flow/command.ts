// The command as its users run it: what ships, in a process, with its own data folder and no variable of
// ours in its environment. Its output is kept as it came, and is read as JSON lines as they arrive.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';

/** The bundle that ships, which takes half the processor time of the sources to start. */
export const cli = path.resolve(import.meta.dirname, '../../../out/cli/cli.cjs');

/** The program of the packages, which the deep ring tests (run-tests.ts). */
const program = process.env['OUTTRAY_PROGRAM'];

/** What starts the command: the program of the packages, or the bundle on Node. */
export const commandWords: readonly [string, ...string[]] =
  program === undefined ? [process.execPath, cli] : [program];

/** Every line that `--json` prints; which fields there are depends on `event`. */
export type Line = Record<string, unknown> & {
  event?: string;
  path?: string | null;
  error?: { code: string; message: string; remedy: string };
};

export type Ended = {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  tookMs: number;
};

export type Running = {
  pid: number;
  /** Parsed standard output so far; throws for a line that is no JSON object. */
  lines(): Line[];
  stdout(): string;
  stderr(): string;
  /** Resolves with the first value that is not undefined. `find` is asked again after each output. */
  until<T>(what: string, find: (lines: Line[]) => T | undefined): Promise<T>;
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  ended: Promise<Ended>;
};

export type RunOptions = {
  env?: Record<string, string | undefined>;
  cwd?: string;
  /**
   * Given whole and then closed; `open`: a pipe without input that is never closed; a stream: as it comes. Default:
   * closed at once.
   */
  stdin?: string | { open: true } | Readable;
  /** Hears the output of a command in the test's process. */
  hear?: (stream: 'stdout' | 'stderr', text: string) => void;
  /** A program and its arguments that starts the command, `setpriv` for example. */
  before?: readonly string[];
  /** The test is about the process: the command never runs inside the test's own. */
  process?: true;
  /** On a terminal with this many columns, if there is `script`. Then stdout has the output of both streams. */
  columns?: number;
};

export const hasTerminal = existsSync('/usr/bin/script');

const onTerminal = (columns: number, words: readonly string[]): string[] => {
  const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  return [
    '/usr/bin/script',
    '-qec',
    `stty cols ${columns} rows 40 -echo; exec ${quoted.join(' ')}`,
    '/dev/null',
  ];
};

const mostWaitMs = 60_000;

/** The environment of a command: nothing of the tests' own but PATH, and one folder for what Node has compiled. */
export const commandEnv = (env: RunOptions['env'] = {}): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  SHELL: '/bin/sh',
  NO_COLOR: '1',
  TZ: 'UTC',
  ...env,
});

export const start = (args: readonly string[], options: RunOptions = {}): Running => {
  const { columns } = options;
  // The program ignores options for Node.
  const isForNode = options.env?.['NODE_OPTIONS'] !== undefined;
  const command = isForNode ? [process.execPath, cli] : commandWords;
  const words = [...(options.before ?? []), ...command, ...args];
  const [program = process.execPath, ...given] = columns === undefined ? words : onTerminal(columns, words);
  const child = spawn(program, given, { env: commandEnv(options.env), cwd: options.cwd, stdio: 'pipe' });
  if (options.stdin instanceof Readable) options.stdin.pipe(child.stdin);
  else if (typeof options.stdin !== 'object') child.stdin.end(options.stdin ?? '');
  child.stdin.on('error', () => undefined);

  const reading = reader(args);
  child.stdout.setEncoding('utf8').on('data', (given: string) => {
    reading.write('stdout', columns === undefined ? given : given.replaceAll('\r\n', '\n'));
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => reading.write('stderr', chunk));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(reading.end(code, signal)));
  });
  return {
    ...reading.running,
    pid: child.pid ?? 0,
    stop: (signal = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
    ended,
  };
};

/** Reads what a run of `args` prints, in whatever process it runs. */
export const reader = (args: readonly string[]) => {
  const startedAtMs = performance.now();
  const end = args.indexOf('--');
  const isJson = args.slice(0, end < 0 ? args.length : end).includes('--json');
  const text = { stdout: '', stderr: '' };
  const lines: Line[] = [];
  let unread = '';
  let result: Ended | null = null;
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const hear of listeners) hear();
  };
  const running: Pick<Running, 'lines' | 'stdout' | 'stderr' | 'until'> = {
    lines: () => lines,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    until: (what, find) =>
      new Promise((resolve, reject) => {
        const finish = (settle: () => void): void => {
          listeners.delete(look);
          clearTimeout(timer);
          settle();
        };
        const fail = (why: string): void => {
          const said = `${text.stdout.slice(-3000)}\n${text.stderr.slice(-1000)}`;
          finish(() => reject(new Error(`Not seen: ${what} (${why}). It said:\n${said}`)));
        };
        const look = (): void => {
          const found = find(lines);
          if (found !== undefined) finish(() => resolve(found));
          else if (result !== null) fail(`ended with ${result.code ?? result.signal}`);
        };
        const timer = setTimeout(() => fail(`after ${mostWaitMs} ms`), mostWaitMs);
        listeners.add(look);
        look();
      }),
  };
  return {
    running,
    write(stream: 'stdout' | 'stderr', chunk: string): void {
      text[stream] += chunk;
      if (stream === 'stdout' && isJson) {
        unread += chunk;
        const whole = unread.split('\n');
        unread = whole.pop() ?? '';
        lines.push(...whole.map(parseLine));
      }
      tell();
    },
    end(code: number | null, signal: NodeJS.Signals | null): Ended {
      result = { code, signal, ...text, tookMs: performance.now() - startedAtMs };
      tell();
      return result;
    },
  };
};

const parseLine = (line: string): Line => {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`No object: ${line}`);
  return value as Line;
};

/** Standard output of a `--json` run; throws when anything else is on it. */
export const jsonLines = (ended: Ended): Line[] => {
  if (ended.stdout !== '' && !ended.stdout.endsWith('\n')) throw new Error(`Half a line: ${ended.stdout}`);
  return ended.stdout.split('\n').slice(0, -1).map(parseLine);
};
