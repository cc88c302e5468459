// Windows: Software\Policies\Outtray of the machine, then of the user; Windows lets only administrators write either.
// Read by the system's own reg.exe: a native module for a few values at the start would cost more than it saves.
import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { wholePath } from '../../contract/whole-path.ts';
import { windowsProgram } from '../system/programs.ts';
import { bothOf, noPolicy, type Policy } from './given.ts';
import { listSeparator, parseRegistry } from './registry.ts';
import { unusable } from './trusted-file.ts';

const policies = 'Software\\Policies';
const locked = `${policies}\\Outtray`;
/** As other programs name it (chromeenterprise.google, "Recommended"). */
const recommended = `${locked}\\Recommended`;

/** What `reg query KEY` prints, with the keys below if asked for; null when it fails, which it does without the key. */
export type QueryRegistry = (key: string, options: { below: boolean }) => string | null;

/** Throws `bad-setting` when the key is there but cannot be read. */
export const readWindowsPolicy = (query: QueryRegistry = registryQuery(process.env)): Policy => {
  const read = (hive: string): Policy => {
    const key = `${hive}\\${locked}`;
    const printed = query(key, { below: true });
    if (printed !== null)
      return {
        values: parseRegistry(printed, locked),
        recommended: parseRegistry(printed, recommended),
        source: key,
      };
    // reg.exe says "not there" and "not allowed" with the same code, the words are translated: its parent knows.
    const siblings = query(`${hive}\\${policies}`, { below: false })?.split(/\r?\n/) ?? [];
    if (siblings.some((line) => /^HKEY_.*\\Outtray$/i.test(line))) throw unusable(key, 'cannot be read');
    return noPolicy;
  };
  return bothOf(read('HKLM'), read('HKCU'));
};

/** Runs a program with its arguments written as they are, and gives what it prints. Throws when it fails. */
export type RunProgram = (program: string, args: readonly string[]) => string;

/**
 * Through cmd.exe, because reg.exe writes in the code page of its console: 65001 is UTF-8, so that folders in any
 * script arrive as they are. The key is one of a few constants.
 */
export const registryQuery =
  (env: NodeJS.ProcessEnv, run: RunProgram = runProgram): QueryRegistry =>
  (key, { below }) => {
    const [chcp, reg] = [windowsProgram('chcp.com', env), windowsProgram('reg.exe', env)];
    const line = `"${chcp}" 65001 >nul & "${reg}" query "${key}"${below ? ' /s' : ''} /se "${listSeparator}"`;
    try {
      return run(windowsProgram('cmd.exe', env), ['/d', '/s', '/c', `"${line}"`]);
    } catch {
      return null;
    }
  };

const runProgram: RunProgram = (program, args) =>
  execFileSync(wholePath(program), args, {
    ...verbatim,
    cwd: dirname(program),
    encoding: 'utf8',
    windowsHide: true,
    timeout: 10_000,
    maxBuffer: 4_000_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** Node's own, for cmd.exe's quotes; its types leave it out of this one call. */
const verbatim: object = { windowsVerbatimArguments: true };
