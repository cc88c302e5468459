// The key from a program of the user's (the setting keyCommand): what it prints is the key. Apart from the key, nothing
// that it prints is kept or logged.
import { call, wording } from '../../contract/text/wording.ts';
import { givenText } from '../../contract/text/given-text.ts';
import { AppError } from '../../contract/errors.ts';
import { runProgram } from '../programs/run-program.ts';
import { parseSecret, type Secret } from '../secret.ts';

/** A password manager may ask its user first. */
const limitMs = 60_000;
const maxBytes = 4096;

/** Throws `key-missing`, never quoting the command or what it printed. */
export const keyFromCommand = async (
  text: string,
  env: NodeJS.ProcessEnv,
  maxMs = limitMs,
  platform: NodeJS.Platform = process.platform,
): Promise<Secret> => {
  const refused = (why: string, cause?: unknown): AppError =>
    new AppError(
      'key-missing',
      `The key command gave no key: ${why}.`,
      wording`Run it by hand; ${call('settings', 'get keyCommand')} shows it.`,
      { cause },
    );
  const { output, problem, cause } = await runProgram(text, {
    env,
    maxMs,
    maxBytes,
    overflow: 'fail',
    platform,
  });
  if (problem !== null) throw refused(problem, cause);
  try {
    return parseSecret(givenText(output));
  } catch {
    throw refused('what it prints is no key');
  }
};
