// A signal from one process to another: the command changes the ledger and touches a file, and the running engine looks
// at the ledger. The file itself is watched, not its folder, because the ledger writes there all the time. Where the
// system has no watch left, the file's time is read every second instead.
import { constants, watch, type FSWatcher } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { AppError } from '../../contract/errors.ts';
import { tellsBirth } from './birth.ts';
import { fromFileSystem } from './storage.ts';

/** Several touches within this time count as one. */
const gatherMs = 50;
const pollMs = 1000;

/** A link in its place is never followed. (Windows has no such flag; the data folder is checked at the start.) */
const writing = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/** Wakes all listeners. Never replaces the file: a listener would keep watching the old one. Throws `disk`. */
export const touchWake = async (file: string): Promise<void> => {
  try {
    await writeFile(file, `${Date.now()}\n`, { mode: 0o600, flag: writing });
  } catch (error) {
    const below = fromFileSystem(error);
    if (below !== null && below.storage !== 'refused') throw below;
    throw new AppError(
      'disk',
      `The running Outtray cannot be told about the change: ${file} cannot be written.`,
      'It will notice at its next start.',
      { cause: error },
    );
  }
};

/** A new file may get the inode of the one that was deleted just before. */
const lookAt = async (file: string): Promise<{ identity: string; mtimeMs: number }> => {
  const stats = await stat(file, { bigint: true });
  const birth = tellsBirth(stats) ? stats.birthtimeNs : 0n;
  return { identity: `${stats.ino}:${birth}`, mtimeMs: Number(stats.mtimeMs) };
};

type Stop = () => void;

/** Calls `hear` soon after a touch by any process. The returned function stops it. Never throws. */
export const onWake = async (
  file: string,
  hear: () => void,
  startWatch: typeof watch = watch,
): Promise<() => Promise<void>> => {
  let gathering: NodeJS.Timeout | null = null;
  let stop: Stop | null = null;
  let stopped = false;
  let mending = false;

  const heard = () => {
    gathering ??= setTimeout(() => {
      gathering = null;
      hear();
    }, gatherMs);
  };

  const start = async (): Promise<void> => {
    await touchWake(file);
    const { identity, mtimeMs } = await lookAt(file);
    if (stopped) return;
    stop = watchFile(identity) ?? pollFile(mtimeMs);
  };

  /** Null when the system refuses another watch. */
  const watchFile = (identity: string): Stop | null => {
    let watcher: FSWatcher;
    try {
      watcher = startWatch(file, (event) => {
        heard();
        if (event === 'rename') void mend(watcher, identity);
      });
    } catch {
      return null;
    }
    // A watcher that reported an error reports nothing more.
    watcher.on('error', () => void mend(watcher, null));
    return () => watcher.close();
  };

  /**
   * The file was deleted or replaced: the watched file is no longer the one that other processes touch. `identity`:
   * null where the watch itself has ended.
   */
  const mend = async (watcher: FSWatcher, identity: string | null): Promise<void> => {
    if (mending || stopped) return;
    mending = true;
    try {
      // Some platforms report every write as a rename.
      if ((await lookAt(file).catch(() => null))?.identity === identity) return;
      watcher.close();
      await start();
    } catch {
      fallBack();
    } finally {
      mending = false;
    }
  };

  /** The data folder is gone or full; the ledger reports that in more detail. The file is heard once it is back. */
  const fallBack = (): void => {
    if (!stopped) stop = pollFile(0);
  };

  const pollFile = (sinceMs: number): Stop => {
    let before = sinceMs;
    const timer = setInterval(() => {
      void lookAt(file)
        .then(({ mtimeMs }) => {
          if (mtimeMs !== before) heard();
          before = mtimeMs;
        })
        .catch(() => undefined);
    }, pollMs);
    timer.unref();
    return () => clearInterval(timer);
  };

  await start().catch(fallBack);
  return () => {
    stopped = true;
    stop?.();
    if (gathering !== null) clearTimeout(gathering);
    return Promise.resolve();
  };
};
