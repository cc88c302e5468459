// The command as a process: its streams, its signals, and unhandled errors.
import { fstatSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { Readable, Writable } from 'node:stream';
import type { ExitCode } from './exit-codes.ts';
import type { TerminalInput, Io, OutStream } from './io.ts';

/**
 * SIGHUP: the terminal is gone. The run gets the same grace, and output that can no longer be shown must not end it.
 * SIGBREAK: Ctrl-Break on Windows (nodejs.org/api/process.html, Signal events); other systems never send it.
 */
const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/** The longest delay of a timer. */
const longestMs = 2 ** 31 - 1;

/** Runs `act` with the process's own streams, and with `env`, which has the key; its signals interrupt it. */
export const asProcess = async (
  env: NodeJS.ProcessEnv,
  act: (io: Io) => Promise<ExitCode>,
): Promise<ExitCode> => {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  for (const name of interruptions) process.on(name, stop);
  // Node exits with 13 if a run waits only for what keeps no process alive, such as the end of an idle thread.
  const alive = setInterval(() => undefined, longestMs);
  try {
    return await act({
      stdin,
      stdout: kindOf(1) === 'file' ? fileOutput() : process.stdout,
      stderr: process.stderr,
      env,
      cwd: process.cwd(),
      userHome: homeOfUser(),
      platform: process.platform,
      signal: stopping.signal,
      hearFaults,
    });
  } finally {
    clearInterval(alive);
    for (const name of interruptions) process.off(name, stop);
  }
};

/** A user of a container may have neither HOME nor an account; then it is `/`, as in Docker. */
const homeOfUser = (): string => {
  try {
    return homedir();
  } catch {
    // For all that asks later.
    return (process.env['HOME'] = '/');
  }
};

/** Node treats a folder as an input that has ended; here it is an error. */
const stdin = (): TerminalInput =>
  kindOf(0) === 'folder'
    ? new Readable({
        read() {
          this.destroy(Object.assign(new Error('a folder'), { code: 'EISDIR' }));
        },
      })
    : process.stdin;

const kindOf = (descriptor: number): 'file' | 'folder' | 'other' => {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'other';
  }
};

/** Writes to a file may be cut short when the disk is full, which Node's own stream for files does not notice. */
const fileOutput = (): OutStream =>
  new Writable({
    write(chunk: Buffer, _, done) {
      try {
        let rest = chunk;
        while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });

const hearFaults = (report: (fault: unknown) => ExitCode): (() => void) => {
  const fall = (fault: unknown): void => process.exit(report(fault));
  process.on('uncaughtException', fall);
  process.on('unhandledRejection', fall);
  return () => {
    process.off('uncaughtException', fall);
    process.off('unhandledRejection', fall);
  };
};
