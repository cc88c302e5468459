// A nudge from one process to another without polling: the command changes the ledger and touches a file, the running
// engine is told to look. The file itself is watched, not its folder, where the ledger writes all the time.
import { watch, type FSWatcher } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { AppError } from '../contract/errors.ts';

/** Several touches within this time are heard once. */
const gatherMs = 50;

/** Wakes whoever listens. Never replaces the file, or a listener would keep watching the old one. Throws `disk`. */
export const touchWake = async (file: string): Promise<void> => {
  try {
    await writeFile(file, `${Date.now()}\n`, { mode: 0o600 });
  } catch (error) {
    throw new AppError(
      'disk',
      `The running Outtray cannot be told about the change: ${file} cannot be written.`,
      'It will notice at its next start.',
      { cause: error },
    );
  }
};

/** Calls `hear` up to 50 ms after a touch by any process. The answer stops it. Throws `disk`, `folder-unavailable`. */
export const onWake = async (file: string, hear: () => void): Promise<() => Promise<void>> => {
  let gathering: NodeJS.Timeout | null = null;
  let watching: { watcher: FSWatcher; inode: number } | null = null;
  let stopped = false;

  const heard = () => {
    gathering ??= setTimeout(() => {
      gathering = null;
      hear();
    }, gatherMs);
  };

  const start = async () => {
    await touchWake(file);
    const { ino: inode } = await stat(file);
    if (stopped) return;
    const watcher = watch(file, (event) => {
      heard();
      if (event === 'rename') void mend();
    });
    watcher.on('error', () => void mend());
    watching = { watcher, inode };
  };

  /** Somebody deleted or replaced the file: what is watched now is not what will be touched. */
  const mend = async () => {
    const before = watching;
    if (before === null) return;
    watching = null;
    try {
      // Some platforms call every write a rename.
      if ((await stat(file).catch(() => null))?.ino === before.inode) {
        watching = before;
        return;
      }
      before.watcher.close();
      await start();
    } catch {
      // The data folder is gone or full; the ledger reports that, and has more to say.
    }
  };

  try {
    await start();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(
      'folder-unavailable',
      `${file} cannot be watched.`,
      'Allow more watches (fs.inotify.max_user_watches and max_user_instances on Linux).',
      { cause: error },
    );
  }
  return () => {
    stopped = true;
    watching?.watcher.close();
    if (gathering !== null) clearTimeout(gathering);
    return Promise.resolve();
  };
};
