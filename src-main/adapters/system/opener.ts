// The system's own program for opening an address. The address is one argument of a program, never a shell's text.
import { spawn } from 'node:child_process';
import { AppError } from '../../contract/errors.ts';

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` belongs to cmd.exe, for which & and % in an address have a meaning.
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
};

/** Resolves once the program is started. Throws `bad-use` where there is none. */
export const openAddress = (address: string, env: NodeJS.ProcessEnv): Promise<void> => {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args, address], { env, stdio: 'ignore', detached: true });
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
    child.once('error', (cause) => {
      const message = `The link cannot be opened: there is no ${program}.`;
      reject(new AppError('bad-use', message, 'Open it in a browser yourself.', { cause }));
    });
  });
};
