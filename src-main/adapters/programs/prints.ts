// What a program of the system prints. It is named by its whole path, and gets its arguments exactly as they are given.
import { execFile, execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { wholePath } from '../../contract/files/whole-path.ts';

type More = { env?: NodeJS.ProcessEnv; input?: Uint8Array; timeout?: number };

const optionsFor = (program: string, more: More) => ({
  // Windows looks for libraries in the current folder.
  cwd: dirname(program),
  encoding: 'utf8' as const,
  windowsHide: true,
  timeout: 10_000,
  maxBuffer: 4_000_000,
  ...verbatim,
  ...more,
});

/** For the quotes of cmd.exe; the types of Node lack this option for these calls. */
const verbatim: object = { windowsVerbatimArguments: true };

/** Throws when it fails, or does not end in time. */
export const prints = (program: string, args: readonly string[], more: More = {}): string =>
  execFileSync(wholePath(program), args, {
    ...optionsFor(program, more),
    stdio: ['pipe', 'pipe', 'ignore'],
  });

/** `isDone`: it ended well. `printed` null: it did not end in time. */
export const printsLater = (
  program: string,
  args: readonly string[],
  more: More = {},
): Promise<{ printed: string | null; isDone: boolean }> =>
  new Promise((resolve) => {
    execFile(wholePath(program), args, optionsFor(program, more), (error, printed) =>
      resolve({ printed: error?.killed === true ? null : printed, isDone: error === null }),
    );
  });
