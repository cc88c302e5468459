// The port `Watch` on chokidar: one watcher a folder, which sees nothing but the folder's own events. They are hints;
// the engine looks, and scans. One chokidar for the whole tree stats all files at once: with 10,000 files it blocks the
// loop for 0.5 s and takes 50 MiB more, with 100,000 files 1.9 s and 240 MiB.
//
// Windows and macOS watch a whole tree with one handle, and on Windows a handle inside a folder would prevent its
// renaming. On both systems Outtray watches only the root. (Tried on Linux with Node's stand-in for such a handle.)
import { lstatSync, realpathSync, watch as watchDirectly } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { AppError } from '../../contract/errors.ts';
import { deepestFolder, type Sighting, type Watch } from '../../engine/ports/files.ts';
import { disks } from '../files/disk.ts';
import { fromLatin1Name, fromSystemName, pathInFolder, toSystemPath } from '../files/paths.ts';
import { createHints } from './hints.ts';
import { isLimit, limitMessage, overflowEvents } from './limits.ts';

type Setup = {
  /** One handle for the whole tree, instead of one a folder. */
  oneHandle: boolean;
  /** The next attempt after the system had no watches left: the user may have followed the remedy. */
  retryMs: number;
  open: typeof openHandle;
};

type Options = Parameters<Watch['start']>[0];

/** The setup has defaults for this platform; other values are for tests. */
export const createWatch = (setup: Partial<Setup> = {}): Watch => ({
  start: (options) =>
    startWatch(options, {
      oneHandle: process.platform !== 'linux',
      retryMs: 300_000,
      open: openHandle,
      ...setup,
    }),
});

/** The pause before a restart after lost events: many more may follow. */
const restartMs = 1000;
/** How many folders all watches together open at the same time: each takes memory while chokidar lists it. */
const atOnce = 4;
const opening = pLimit(atOnce);

/** Throws `folder-unavailable`, `aborted`. */
const startWatch = async (options: Options, setup: Setup): Promise<{ stop(): Promise<void> }> => {
  const root = realRoot(options.root);
  const oneHandle = setup.oneHandle && options.recursive;
  const ended = new AbortController();
  const watched = new Map<string, { identity: string; handle: Handle }>();
  /** Folders that could not be watched; a change of one is a reason to try again. */
  const refused = new Set<string>();
  let told: 'live' | 'degraded' | null = null;

  const hints = createHints({
    root,
    overflowAt: overflowEvents(),
    deliver: (sightings, lost) => {
      const shown = (folder: string): string => options.root + folder.slice(root.length);
      options.sighted(sightings.map((each): Sighting => ({ ...each, folder: shown(each.folder) })));
      if (lost) restartIn(restartMs);
    },
  });

  // ---- the folders under watch

  /**
   * A folder is watched first and listed afterwards, so whatever arrives meanwhile is either listed or reported.
   * Returns false when the system allows no more watches.
   */
  const grow = async (from: string, isNew: boolean): Promise<boolean> => {
    const todo = [from];
    while (todo.length > 0 && !ended.signal.aborted) {
      const added = await Promise.all(todo.splice(-atOnce).map(add));
      if (added.includes('limit')) return false;
      for (const folder of added) {
        if (folder === null) continue;
        // Files may have arrived in it before it was watched.
        if (isNew) hints.hint(folder, null);
        if (options.recursive && !oneHandle && mayGoBelow(folder)) todo.push(...(await subfoldersOf(folder)));
      }
    }
    return true;
  };

  const mayGoBelow = (folder: string): boolean =>
    folder.slice(root.length).split(sep).length <= deepestFolder;

  /** Returns the folder when it is watched now, and `limit` when the system allows no more. */
  const add = async (folder: string): Promise<string | null> => {
    const identity = identityOf(folder);
    if (identity === null || watched.has(folder)) return null;
    const listener = { recursive: oneHandle, heard, failed };
    const handle = await opening(() => setup.open(folder, listener)).catch((fault: unknown) => ({ fault }));
    if ('fault' in handle) {
      refused.add(folder);
      if (isLimit(handle.fault)) degrade(limitMessage(handle.fault));
      else if (folder === root)
        degrade(`${root} cannot be watched, so it is scanned every 30 s or less often instead`);
      return isLimit(handle.fault) ? 'limit' : null;
    }
    refused.delete(folder);
    watched.set(folder, { identity, handle });
    return folder;
  };

  /** Returns the folders that are no longer watched: this one and all below it. */
  const release = async (from: string): Promise<string[]> => {
    const inside = pathInFolder(from, '');
    const folders = [...watched.keys()].filter((folder) => folder === from || folder.startsWith(inside));
    for (const folder of folders) {
      await watched.get(folder)?.handle.close();
      watched.delete(folder);
    }
    return folders;
  };

  /** Watches everything from the start: folders may have come unseen, or the user may have followed the remedy. */
  const restart = async (): Promise<void> => {
    refused.clear();
    await release(root);
    const isComplete = await grow(root, false);
    if (!watched.has(root)) restartIn(setup.retryMs);
    else if (isComplete && told !== 'live') {
      told = 'live';
      options.health({ kind: 'live' });
    }
  };

  const degrade = (message: string): void => {
    if (told !== 'degraded') options.health({ kind: 'degraded', message });
    told = 'degraded';
    restartIn(setup.retryMs);
  };

  /** A folder may have come to this path, or left it. */
  const compare = async (path: string): Promise<void> => {
    if (path !== root && disks.hangingIn(dirname(path)).has(basename(path))) return;
    const identity = identityOf(path);
    const before = watched.get(path);
    if (before !== undefined && before.identity !== identity) {
      for (const folder of await release(path)) hints.hint(folder, null);
      // The engine stops the watch when the root is gone, unless it is back before the engine looks.
      if (path === root) restartIn(restartMs);
    }
    const isInside =
      options.recursive && !oneHandle && watched.has(dirname(path)) && mayGoBelow(dirname(path));
    if (identity !== null && isInside && !watched.has(path)) await grow(path, true);
  };

  // ---- the work to do, one piece after the other

  const moved = new Set<string>();
  let isToRestart = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | null = null;

  const work = async (): Promise<void> => {
    while (!ended.signal.aborted && (isToRestart || moved.size > 0)) {
      const paths = [...moved];
      moved.clear();
      if (isToRestart) {
        isToRestart = false;
        await restart();
        hints.everything(); // what came while it was not watched
      }
      for (const path of paths) await compare(path);
    }
  };

  const arrange = (): void => {
    working ??= work().finally(() => {
      working = null;
    });
  };

  const restartIn = (delayMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isToRestart = true;
      arrange();
    }, delayMs);
    timer.unref();
  };

  // ---- what the system reports

  const heard = (folder: string, event: string, name: string | null): void => {
    if (name === null) {
      hints.everything();
      return;
    }
    const path = pathInFolder(folder, name);
    // Bytes that are not UTF-8 do not survive in an event: then only the folder is known.
    const isBroken = name.includes('\ufffd');
    hints.hint(dirname(path), isBroken ? null : basename(path));
    if (event !== 'rename' && !refused.has(path) && !isBroken) return;
    moved.add(path);
    // The system reports a deleted folder as an event with the folder's own name. A folder in it may have the same.
    if (folder === root && name === basename(root)) moved.add(root);
    arrange();
  };

  const failed = (error: unknown): void => {
    hints.everything();
    restartIn(restartMs);
    if (isLimit(error)) degrade(limitMessage(error));
  };

  const stop = async (): Promise<void> => {
    ended.abort();
    options.signal.removeEventListener('abort', abort);
    clearTimeout(timer);
    hints.stop();
    await working;
    await release(root);
  };
  const abort = (): void => {
    void stop();
  };
  options.signal.addEventListener('abort', abort);

  if (options.signal.aborted) ended.abort();
  working = restart();
  await working;
  working = null;
  if (ended.signal.aborted) {
    await stop();
    throw new AppError('aborted', 'Watching was stopped.');
  }
  arrange(); // what moved meanwhile
  return { stop };
};

/** Distinguishes a folder from another one at its path, even where inode numbers are reused; null: no folder there. */
const identityOf = (folder: string): string | null => {
  try {
    const stats = lstatSync(toSystemPath(folder), { bigint: true });
    return stats.isDirectory() ? `${stats.dev}:${stats.ino}:${stats.birthtimeNs}` : null;
  } catch {
    return null;
  }
};

/**
 * Never links, nor other drives, which may hang. Empty when the folder is gone or closed to us: its own event, or the
 * scan, reports that.
 */
const subfoldersOf = async (folder: string): Promise<string[]> => {
  const subfolders: string[] = [];
  const names = await readdir(toSystemPath(folder), 'latin1').catch(() => []);
  const mounted = disks.hangingIn(folder);
  for (const [at, raw] of names.entries()) {
    if (at % 256 === 255) await nextTurn(); // about 1 ms
    const name = fromLatin1Name(raw);
    const path = pathInFolder(folder, name);
    if (!mounted.has(name) && identityOf(path) !== null) subfolders.push(path);
  }
  return subfolders;
};

// ---------------------------------------------------------------- one handle

type Handle = { close(): Promise<void> | void };

type Listener = {
  /** Everything below the folder, too: names are then relative paths. */
  recursive: boolean;
  /** `rename`: an entry was added, removed or moved; `change`: content or attributes changed. */
  heard: (folder: string, event: string, name: string | null) => void;
  /** The handle failed later. */
  failed: (error: unknown) => void;
};

/** Resolves when the system reports what happens in the folder. */
export const openHandle = (folder: string, listener: Listener): Promise<Handle | { fault: unknown }> =>
  isNameable(folder) ? openByChokidar(folder, listener) : Promise.resolve(openDirectly(folder, listener));

const openByChokidar = async (
  folder: string,
  { recursive, heard, failed }: Listener,
): Promise<Handle | { fault: unknown }> => {
  const itself = onWindows ? folder.replaceAll('\\', '/') : folder; // as chokidar asks for it
  const { watch: watchWithChokidar } = await import('chokidar');
  const watcher = watchWithChokidar(folder, {
    ignored: (path) => path !== itself,
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    ...(recursive ? { backend: 'native-recursive' } : { backend: 'native', depth: 0 }),
  });
  watcher.on('raw', (event, name) => heard(folder, event, name));
  const fault = await new Promise<{ fault: unknown } | null>((resolve) => {
    watcher.on('error', (error) => resolve({ fault: error }));
    watcher.on('ready', () => resolve(null));
  });
  if (fault === null) {
    watcher.on('error', failed);
    return watcher;
  }
  await watcher.close();
  return fault;
};

/**
 * chokidar takes only strings, and treats a backslash as a separator on every system. The few folders on Linux and
 * macOS whose path has one, or bytes that are not UTF-8, are watched with the function that chokidar itself uses.
 */
const isNameable = (folder: string): boolean =>
  !folder.includes('\0') && (onWindows || !folder.includes('\\'));

const onWindows = process.platform === 'win32';

const openDirectly = (
  folder: string,
  { recursive, heard, failed }: Listener,
): Handle | { fault: unknown } => {
  try {
    const watcher = watchDirectly(toSystemPath(folder), { recursive });
    // Its type lacks null, for events that were lost.
    watcher.on('change', (event: string, name: string | Buffer | null) =>
      heard(folder, event, name === null ? null : String(name)),
    );
    watcher.on('error', failed);
    return watcher;
  } catch (fault) {
    return { fault };
  }
};

/** The folder behind the path: the user may choose a link to it, but chokidar must follow none. */
const realRoot = (root: string): string => {
  try {
    return fromSystemName(realpathSync.native(toSystemPath(root), { encoding: 'buffer' }));
  } catch (cause) {
    throw new AppError(
      'folder-unavailable',
      `The folder ${root} cannot be reached.`,
      'Connect or mount it again, or choose another folder.',
      { cause },
    );
  }
};
