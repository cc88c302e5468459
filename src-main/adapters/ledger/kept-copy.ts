// A copy of the ledger from before a migration, beside it: `ledger.sqlite.version-22`. There is at most one, as large
// as the ledger. It stays until the process that updated the ledger, or a later one, stops the engine in good order.
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database } from './database.ts';

const startOf = (file: string): string => `${file}.version-`;

/** Absolute path of the copy; null: there is none. */
export const keptCopy = (file: string): string | null => all(file).find((name) => !isDraft(name)) ?? null;

/** Removes the copy, and the rest of one that was not finished. */
export const dropKeptCopy = (file: string): void => {
  for (const name of all(file)) rmSync(name, { force: true });
};

/**
 * Writes the ledger as of its last commit, and returns the path once the copy is on the disk. `reader` is a connection
 * outside any transaction. The file itself is not opened: closing it would free the locks of SQLite in this process.
 */
export const keepCopy = (reader: Database, file: string, version: number): string => {
  const kept = startOf(file) + String(version);
  const draft = `${kept}.new`;
  dropKeptCopy(file);
  try {
    // SQLite accepts an empty file, and keeps its mode.
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
    // A partial copy would keep a full disk full.
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
