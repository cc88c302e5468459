// The key from a program of the user's (the setting keyCommand): what it prints is the key. It runs without a shell and
// for at most a minute. Apart from the key, nothing that it prints is kept or logged.
import { call, wording } from '../../contract/text/wording.ts';
import { spawn } from 'node:child_process';
import { givenText } from '../../contract/text/given-text.ts';
import { commandWords } from '../../contract/text/command-words.ts';
import { AppError } from '../../contract/errors.ts';
import { wholePath } from '../../contract/whole-path.ts';
import { findProgram } from '../system/programs.ts';
import { parseSecret, type Secret } from '../secret.ts';

/** A password manager may ask its user first. */
const limitMs = 60_000;
const maxBytes = 4096;

/** Throws `key-missing`, never quoting the command or what it printed. */
export const keyFromCommand = (
  text: string,
  env: NodeJS.ProcessEnv,
  maxMs = limitMs,
  platform: NodeJS.Platform = process.platform,
): Promise<Secret> =>
  new Promise((resolve, reject) => {
    const refuse = (why: string, cause?: unknown): void =>
      reject(
        new AppError(
          'key-missing',
          `The key command gave no key: ${why}.`,
          wording`Run it by hand; ${call('settings', 'get keyCommand')} shows it.`,
          { cause },
        ),
      );
    const [name = '', ...args] = commandWords(text) ?? [];
    const program = findProgram(name, env, platform);
    if (program === null) {
      refuse('it cannot be started');
      return;
    }
    const failed = (why: string, cause?: unknown): void => {
      clearTimeout(limit);
      child.kill('SIGKILL');
      // What it started may live on and hold its output: this process would wait for that.
      streams.stdout?.destroy();
      child.unref();
      refuse(why, cause);
    };
    const child = spawn(wholePath(program), args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env,
      windowsHide: true,
    });
    const limit = setTimeout(() => failed(`it did not end within ${maxMs / 1000} s`), maxMs);
    const said: Buffer[] = [];
    let size = 0;
    // Without a free file handle there is no stream, and `error` says so.
    const streams: Partial<Pick<typeof child, 'stdout'>> = child;
    streams.stdout?.on('data', (piece: Buffer) => {
      said.push(piece);
      size += piece.length;
      if (size > maxBytes) failed('it prints too much');
    });
    child.once('error', (error) => failed('it cannot be started', error));
    child.once('close', (code) => {
      clearTimeout(limit);
      if (code !== 0) failed(`it ended with code ${code ?? 'of a signal'}`);
      else {
        try {
          resolve(parseSecret(givenText(Buffer.concat(said))));
        } catch {
          failed('what it prints is no key');
        }
      }
    });
  });
