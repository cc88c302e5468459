// “Forget everything”: the data folder is marked first, then what Outtray itself has in it is removed. If this process
// cannot do that (a file is in use, the system ends it), the next start does, before it reads anything.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { homeFiles, isOwnFile } from './home.ts';
import { takeEngineLock, type EngineLock } from './lock.ts';
import { fromFileSystem } from './storage.ts';

const markIn = (folder: string): string => join(folder, homeFiles.erase.path);

/** Throws `disk` and errors of the file system. */
export const markToErase = (folder: string): void => {
  writeFileSync(markIn(folder), '', { mode: 0o600 });
};

/**
 * Does nothing in a folder that is not marked, and none while another process has the engine. Throws `disk` or `ledger`
 * with the file that cannot be removed; the folder stays marked.
 */
export const eraseMarked = (folder: string, remove: typeof rmSync = rmSync): void => {
  if (!existsSync(markIn(folder))) return;
  const lock = lockUnlessTaken(folder);
  if (lock === null) return;
  const erase = (names: readonly string[]): void => {
    for (const name of names) {
      try {
        remove(join(folder, name), { recursive: true, force: true });
      } catch (error) {
        const known = fromFileSystem(error);
        // A program has it open, or it is protected: what to do is not what the data folder needs otherwise.
        if (known === null || known.storage === 'refused') throw unremovable(join(folder, name), error);
        throw known;
      }
    }
  };
  // The empty file of the lock stays: another start may have it open, and would lock a file that is no longer there.
  const lasting: readonly string[] = [
    homeFiles.engineLock.path,
    homeFiles.engineHolder.path,
    homeFiles.erase.path,
  ];
  try {
    erase(readdirSync(folder).filter((name) => isOwnFile(name) && !lasting.includes(name)));
    erase([homeFiles.erase.path]);
  } finally {
    lock.release();
  }
};

const lockUnlessTaken = (folder: string): EngineLock | null => {
  try {
    return takeEngineLock({ folder, who: 'a reset', isBrief: true });
  } catch (error) {
    if (error instanceof AppError && error.code === 'engine-taken') return null;
    throw error;
  }
};

const unremovable = (place: string, cause: unknown): AppError =>
  new AppError(
    'ledger',
    `${place} cannot be removed, and everything here is to be forgotten.`,
    'Close the program that uses it, or remove it yourself; then start Outtray again.',
    { cause },
  );
