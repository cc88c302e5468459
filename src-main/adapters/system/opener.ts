// The system's own program for opening an address. The address is one argument of a program, never a shell's text.
import { startChild } from '../programs/run-program.ts';
import path from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { findProgram } from './programs.ts';

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` belongs to cmd.exe, for which & and % in an address have a meaning.
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
};

/** Resolves once the program is started. Throws `bad-use` where there is none. */
export const openAddress = (
  address: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<void> => {
  const [name, ...args] = openers[platform] ?? ['xdg-open'];
  return new Promise((resolve, reject) => {
    const failed = (cause?: unknown): void => {
      const message = `The link cannot be opened: there is no ${name}.`;
      reject(new AppError('bad-use', message, 'Open it in a browser yourself.', { cause }));
    };
    const program = findProgram(name, env, platform);
    if (program === null) {
      failed();
      return;
    }
    const child = startChild(program, [...args, address], {
      env,
      cwd: path.dirname(program),
      stdio: 'ignore',
      detached: true,
    });
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
    child.once('error', failed);
  });
};
