// Windows: Software\Policies\Outtray of the machine, then of the user; Windows lets only administrators write either.
// Read by the system's own reg.exe: a native module for a few values at the start would cost more than it saves.
import { execFileSync } from 'node:child_process';
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
export const readWindowsPolicy = (query: QueryRegistry = runReg): Policy => {
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

/**
 * Through cmd.exe, because reg.exe writes in the code page of its console: 65001 is UTF-8, so that folders in any
 * script arrive as they are. The key is one of four constants.
 */
const runReg: QueryRegistry = (key, { below }) => {
  const system = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32`;
  const line = `"${system}\\chcp.com" 65001 >nul & "${system}\\reg.exe" query "${key}"${below ? ' /s' : ''} /se "${listSeparator}"`;
  try {
    return execFileSync(`${system}\\cmd.exe`, ['/d', '/s', '/c', `"${line}"`], {
      ...verbatim,
      encoding: 'utf8',
      windowsHide: true,
      timeout: 10_000,
      maxBuffer: 4_000_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
};

/** Node's own, for cmd.exe's quotes; its types leave it out of this one call. */
const verbatim: object = { windowsVerbatimArguments: true };
