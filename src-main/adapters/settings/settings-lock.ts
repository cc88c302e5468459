// The window and the command may change settings.json at once. Between the reading and the writing of one of them the
// other must not write: its change would be lost. The system frees the lock when a process dies.
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AppError } from '../../contract/errors.ts';
import { keepsLocks, lockOn } from '../system/storage.ts';

const patienceMs = 5000;
const pauseMs = 20;

/**
 * Where the disk gives no locks, or no file for one, `change` runs without. Throws `disk` when another process keeps the
 * lock for five seconds.
 */
export const whileLocked = async <T>(
  settingsFile: string,
  change: () => Promise<T>,
  pause: () => Promise<unknown> = () => setTimeout(pauseMs),
): Promise<T> => {
  const release = await take(settingsFile, pause);
  try {
    return await change();
  } finally {
    release();
  }
};

/** Waits between tries, not in SQLite: the holder may be in this very process, and a window must stay alive. */
const take = async (settingsFile: string, pause: () => Promise<unknown>): Promise<() => void> => {
  const folder = dirname(settingsFile);
  for (let waitedMs = 0; waitedMs <= patienceMs; waitedMs += pauseMs) {
    const held = tryToLock(join(folder, 'settings.lock'));
    if (held === 'impossible' || (held === null && waitedMs === 0 && !keepsLocks(folder))) return () => {};
    if (held !== null) return () => held.close();
    await pause();
  }
  throw new AppError(
    'disk',
    `The settings could not be written to ${settingsFile}: another Outtray has been writing them for ${patienceMs / 1000} seconds.`,
    'Try again. If it stays so, quit every other Outtray first.',
  );
};

/** Null while another has it. Why it is impossible, the write itself reports better. */
const tryToLock = (file: string) => {
  try {
    return lockOn(file, 0, 'BEGIN EXCLUSIVE');
  } catch {
    return 'impossible';
  }
};
