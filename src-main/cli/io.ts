// What a run of the command is given: streams, environment, places, clock and interruption. `own-process.ts` makes one
// from the process; a program that embeds the command makes its own. Nothing below reads `process`.
import type { Readable, Writable } from 'node:stream';
import type { Inspector } from '../adapters/inspect/inspect.ts';
import type { SystemClock } from '../adapters/system/clock.ts';
import type { ExitCode } from './exit-codes.ts';

export type TerminalInput = Readable & { isTTY?: boolean };
export type OutStream = Writable & { isTTY?: boolean; columns?: number };

export type Io = {
  /** Opened on first use: a command that reads no input leaves it alone. */
  stdin: () => TerminalInput;
  stdout: OutStream;
  stderr: OutStream;
  env: NodeJS.ProcessEnv;
  /** Absolute; relative paths start here. */
  cwd: string;
  /** The user's home folder, absolute. */
  userHome: string;
  platform: NodeJS.Platform;
  /** Interrupts the run: exit code 130, everything recorded. */
  signal: AbortSignal;
  /** Instead of the system's. */
  clock?: SystemClock;
  /** Looks into files, and outlives the run; instead of threads of its own. */
  inspect?: Inspector;
  /** Reports unhandled errors during the run; returns its undo. Only a process can catch them. */
  hearFaults?: (report: (fault: unknown) => ExitCode) => () => void;
};

/** The whole input; null: it is longer than `mostBytes`, and the rest is not read. */
export const wholeInput = async (input: TerminalInput, mostBytes: number): Promise<Uint8Array | null> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of input) {
    const bytes = Buffer.from(part as Uint8Array);
    size += bytes.length;
    if (size > mostBytes) return null;
    parts.push(bytes);
  }
  return Buffer.concat(parts);
};
