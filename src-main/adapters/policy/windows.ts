// Windows: Software\Policies\Outtray of the machine, then of the user; Windows lets only administrators write either.
// Read by the system's own reg.exe: a native module for a few values at the start would cost more than it saves.
import { execFile, execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { wholePath } from '../../contract/whole-path.ts';
import { windowsProgram } from '../system/programs.ts';
import { bothOf, noPolicy, type Policy } from './given.ts';
import { isReadable, isWhole, listSeparator, parseRegistry } from './registry.ts';
import { unusable } from './trusted-file.ts';

const policies = 'Software\\Policies';
const locked = `${policies}\\Outtray`;
/** As other programs name it (chromeenterprise.google, "Recommended"). */
const recommended = `${locked}\\Recommended`;

/** What `reg query KEY` prints, with the keys below if asked for; null when it fails, as it does without the key. */
export type QueryRegistry = (key: string, options: { below: boolean }) => string | null;

/** Throws `bad-setting` when the key exists but cannot be read, and when it is unclear whether it exists. */
export const readWindowsPolicy = (query: QueryRegistry = registryQuery(process.env)): Policy => {
  const read = (hive: string): Policy => {
    const key = `${hive}\\${locked}`;
    const printed = query(key, { below: true });
    if (printed === null) {
      if (isAbsent(query, hive)) return noPolicy;
      throw unusable(key, 'cannot be read');
    }
    if (!isWhole(printed, locked)) throw unusable(key, 'cannot be understood');
    return {
      values: parseRegistry(printed, locked),
      recommended: parseRegistry(printed, recommended),
      source: key,
    };
  };
  return bothOf(read('HKLM'), read('HKCU'));
};

/**
 * reg.exe has the same exit code for "not there" and "not allowed", and its messages are translated. So a key is absent
 * only when a key above it can be listed and the list lacks it. `Software` is in every hive.
 */
const isAbsent = (query: QueryRegistry, hive: string): boolean => {
  const below = query(`${hive}\\${policies}`, { below: false });
  if (below !== null) return isReadable(below) && !listed(below).includes(locked.toLowerCase());
  const above = query(`${hive}\\Software`, { below: false });
  // A list without any key is no answer: there are always keys in it.
  const keys = listed(above ?? '');
  return isReadable(above ?? '') && keys.length > 0 && !keys.includes(policies.toLowerCase());
};

/** The keys in what was printed, without their hive, in small letters. */
const listed = (printed: string): string[] =>
  printed
    .split(/\r?\n/)
    .filter((line) => /^HKEY_/i.test(line))
    .map((line) =>
      line
        .slice(line.indexOf('\\') + 1)
        .trim()
        .toLowerCase(),
    );

/** Runs a program with its arguments exactly as given, and returns what it prints. Throws when it fails. */
export type RunProgram = (program: string, args: readonly string[]) => string;

/**
 * Through cmd.exe, because reg.exe writes in the code page of its console: 65001 is UTF-8, so that folders in any
 * script arrive as they are. The key is one of a few constants.
 */
export const registryQuery =
  (env: NodeJS.ProcessEnv, run: RunProgram = runProgram): QueryRegistry =>
  (key, { below }) => {
    const [chcp, reg] = [windowsProgram('chcp.com', env), windowsProgram('reg.exe', env)];
    const line = `"${chcp}" 65001 >nul & "${reg}" query "${key}"${below ? ` /s /se "${listSeparator}"` : ''}`;
    try {
      return run(windowsProgram('cmd.exe', env), ['/d', '/s', '/c', `"${line}"`]);
    } catch {
      return null;
    }
  };

/**
 * What both keys hold, as text to compare. It is asked every few seconds, so it must cost little. Null when the
 * registry gives no answer in time.
 */
export const windowsMark = (env: NodeJS.ProcessEnv, ask: AskProgram = askProgram): Promise<string | null> => {
  const [chcp, reg] = [windowsProgram('chcp.com', env), windowsProgram('reg.exe', env)];
  const query = (hive: string): string => `"${reg}" query "${hive}\\${locked}" /s`;
  const line = `"${chcp}" 65001 >nul & ${query('HKLM')} & ${query('HKCU')}`;
  return ask(windowsProgram('cmd.exe', env), ['/d', '/s', '/c', `"${line}"`]);
};

/** What a program prints, whether it fails or not; null when it does not end in time. */
type AskProgram = (program: string, args: readonly string[]) => Promise<string | null>;

/** reg.exe fails where one of the keys is missing; what it printed counts all the same. */
const askProgram: AskProgram = (program, args) =>
  new Promise((tell) => {
    execFile(wholePath(program), args, limitsOf(program), (error, printed) =>
      tell(error?.killed === true ? null : printed),
    );
  });

const runProgram: RunProgram = (program, args) =>
  execFileSync(wholePath(program), args, { ...limitsOf(program), stdio: ['ignore', 'pipe', 'ignore'] });

const limitsOf = (program: string) => ({
  ...verbatim,
  cwd: dirname(program),
  encoding: 'utf8' as const,
  windowsHide: true,
  timeout: 10_000,
  maxBuffer: 4_000_000,
});

/** Node's own option, for cmd.exe's quotes; the types of Node lack it for this one call. */
const verbatim: object = { windowsVerbatimArguments: true };
