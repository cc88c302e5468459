// A copy of the ledger from before a migration, beside it: `ledger.sqlite.version-22`. There is one at most, as large as
// the ledger, until the process that updated it, or a later one, ends the engine in good order.
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database } from './database.ts';

const startOf = (file: string): string => `${file}.version-`;

/** Absolute path of the copy; null: there is none. */
export const keptCopy = (file: string): string | null => all(file).find((name) => !isDraft(name)) ?? null;

/** Removes the copy and what is left of one that was not finished. */
export const dropKeptCopy = (file: string): void => {
  for (const name of all(file)) rmSync(name, { force: true });
};

/**
 * Writes the ledger as of its last commit and returns where, when it is on the disk. `reader` is a connection outside
 * any transaction. The file itself is not opened: closing it would free the locks of SQLite in this process.
 */
export const keepCopy = (reader: Database, file: string, version: number): string => {
  const kept = startOf(file) + String(version);
  const draft = `${kept}.new`;
  dropKeptCopy(file);
  try {
    // SQLite takes an empty file, and leaves its mode.
    closeSync(openSync(draft, 'wx', 0o600));
    reader.run('VACUUM INTO ?', draft);
    const written = openSync(draft, 'r+');
    try {
      fsyncSync(written);
    } finally {
      closeSync(written);
    }
    renameSync(draft, kept);
    return kept;
  } catch (error) {
    // Half of a copy would keep a full disk full.
    dropKeptCopy(file);
    throw error;
  }
};

const isDraft = (name: string): boolean => /\.new(-journal)?$/.test(name);

const all = (file: string): string[] => {
  const folder = dirname(file);
  const start = startOf(basename(file));
  return readdirSync(folder)
    .filter((name) => name.startsWith(start))
    .map((name) => join(folder, name));
};
