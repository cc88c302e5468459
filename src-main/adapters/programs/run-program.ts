// Runs a program that the user names in the settings, without a shell and for a limited time.
import { ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { homedir } from 'node:os';
import { commandWords } from '../../contract/text/command-words.ts';
import { wholePath } from '../../contract/files/whole-path.ts';
import type { RunProgram } from '../../engine/ports/ports.ts';
import { findProgram, windowsProgram } from '../system/programs.ts';

/**
 * Starts a program by its whole path. Node throws some faults of a start (no memory, too long arguments, a batch file on
 * Windows) and reports others by the event `error`: here all are events. Then, and without a free file handle, the child
 * has no streams and no channel.
 */
export const startChild = (program: string, args: readonly string[], options: SpawnOptions): StartedChild => {
  try {
    const child = spawn(wholePath(program), args, options);
    // It may report more than one, for example that a program which became root cannot be ended.
    child.on('error', () => undefined);
    return child;
  } catch (error) {
    const child = new ChildProcess();
    // It has no process, and Node would send the signal to the number 0: to all of this group.
    child.kill = () => false;
    process.nextTick(() => child.emit('error', error));
    return child;
  }
};
type Streams = 'stdin' | 'stdout' | 'stderr' | 'stdio' | 'send';
export type StartedChild = Omit<ChildProcess, Streams> & Partial<Pick<ChildProcess, Streams>>;

export type ProgramEnd = { output: Buffer; problem: string | null; cause?: unknown };

/** How long its output may take after the program has ended: what it started may hold the pipe. */
const lastOutputMs = 1000;

/** `problem`: why it failed; null: it ended with code 0. */
export const runProgram = (
  text: string,
  options: {
    env: NodeJS.ProcessEnv;
    maxMs: number;
    maxBytes: number;
    /** For its standard input; then its errors belong to its output, and it is ended with all that it started. */
    input?: string;
    /** What happens to output over `maxBytes`. */
    overflow: 'fail' | 'drop';
    signal?: AbortSignal;
    platform?: NodeJS.Platform;
  },
): Promise<ProgramEnd> =>
  new Promise((resolve) => {
    const { env, maxMs, maxBytes, input, overflow, signal, platform = process.platform } = options;
    const pieces: Buffer[] = [];
    let size = 0;
    const [name = '', ...args] = commandWords(text) ?? [];
    const program = findProgram(name, env, platform);
    if (program === null || signal?.aborted === true) {
      resolve({ output: Buffer.alloc(0), problem: 'it cannot be started' });
      return;
    }
    const isGroup = input !== undefined && platform !== 'win32';
    const child = startChild(program, args, {
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', input === undefined ? 'ignore' : 'pipe'],
      env,
      ...(input === undefined ? {} : { cwd: homedir(), detached: isGroup }),
      windowsHide: true,
    });
    const end = (problem: string | null, cause?: unknown): void => {
      clearTimeout(limit);
      clearTimeout(last);
      signal?.removeEventListener('abort', stop);
      // What it started may live on and hold its output: this process would wait for that.
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      resolve({ output: Buffer.concat(pieces), problem, cause });
    };
    const fail = (problem: string, cause?: unknown): void => {
      // First, because a failed kill is an error of the child, and comes back here.
      end(problem, cause);
      if (input === undefined || child.pid === undefined) child.kill('SIGKILL');
      else if (isGroup) endGroup(child.pid);
      else
        // Windows has no groups: it asks who started whom, which only a program that still runs can answer.
        startChild(windowsProgram('taskkill.exe', env), ['/pid', `${child.pid}`, '/t', '/f'], {
          stdio: 'ignore',
          windowsHide: true,
        })
          .once('error', () => child.kill('SIGKILL'))
          .once('exit', () => child.kill('SIGKILL'))
          .unref();
    };
    const stop = (): void => fail('it was stopped');
    const limit = setTimeout(() => fail(`it did not end within ${maxMs / 1000} s`), maxMs);
    let last: NodeJS.Timeout | undefined;
    signal?.addEventListener('abort', stop, { once: true });
    const hear = (piece: Buffer): void => {
      if (size < maxBytes) pieces.push(piece.subarray(0, maxBytes - size));
      size += piece.length;
      if (size > maxBytes && overflow === 'fail') fail('it prints too much');
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    const ended = (code: number | null): void =>
      end(code === 0 ? null : `it ended with code ${code ?? 'of a signal'}`);
    child.once('error', (error) => fail('it cannot be started', error));
    child.once('exit', (code) => {
      last = setTimeout(() => ended(code), lastOutputMs);
    });
    child.once('close', ended);
    // A program need not read its input.
    child.stdin?.on('error', () => undefined).end(input);
  });

const endGroup = (leader: number): void => {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended.
  }
};

/** The port, for programs that hear of links. `env` is without the key. */
export const createRunProgram =
  (env: NodeJS.ProcessEnv, maxMs = 60_000): RunProgram =>
  async (command, input, signal) => {
    const { output, problem } = await runProgram(command, {
      env,
      input,
      signal,
      maxMs,
      maxBytes: 2000,
      overflow: 'drop',
    });
    return { output: output.toString(), problem };
  };
