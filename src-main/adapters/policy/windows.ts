// Windows: Software\Policies\Outtray of the machine, then of the user; Windows lets only administrators write either.
// Read by the system's own reg.exe: a native module for a few values at the start would cost more than it saves.
import { execFileSync } from 'node:child_process';
import { noPolicy, type Policy } from './given.ts';
import { listSeparator, parseRegistry } from './registry.ts';
import { unusable } from './trusted-file.ts';

const policies = 'Software\\Policies';

/** What `reg query KEY` prints; null when it fails, which it does when the key is not there. */
export type QueryRegistry = (key: string) => string | null;

/** Throws `bad-setting` when the key is there but cannot be read. */
export const readWindowsPolicy = (query: QueryRegistry = runReg): Policy => {
  const read = (hive: string): Policy => {
    const key = `${hive}\\${policies}\\Outtray`;
    const printed = query(key);
    if (printed !== null) return { values: parseRegistry(printed), source: key, warnings: [] };
    // reg.exe says "not there" and "not allowed" with the same code, the words are translated: its parent knows.
    const siblings = query(`${hive}\\${policies}`)?.split(/\r?\n/) ?? [];
    if (siblings.some((line) => /^HKEY_.*\\Outtray$/i.test(line))) throw unusable(key, 'cannot be read');
    return noPolicy;
  };
  const [machine, own] = [read('HKLM'), read('HKCU')];
  return {
    values: { ...own.values, ...machine.values },
    source: [machine.source, own.source].filter((source) => source !== '').join(' and '),
    warnings: [],
  };
};

/**
 * Through cmd.exe, because reg.exe writes in the code page of its console: 65001 is UTF-8, so that folders in any
 * script arrive as they are. The key is one of four constants.
 */
const runReg: QueryRegistry = (key) => {
  const system = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32`;
  const line = `"${system}\\chcp.com" 65001 >nul & "${system}\\reg.exe" query "${key}" /se "${listSeparator}"`;
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
