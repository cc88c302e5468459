// Handles on folders: chokidar watchers that are told to see nothing but the folders themselves.
//
// chokidar's own picture of the tree is not used. Its `raw` events, which come before it looks at anything, are
// all we want, so every path but the folders is ignored (an event then costs chokidar two comparisons and no stat),
// and its scan of each folder, which would stat every file in it, is left out.
//
// A watcher holds a group of up to 64 folders: a watcher of its own for each would take 11 KiB a folder instead of
// 5, and one for all would get slower for ever, because it compares each event with every path it was ever told to
// unwatch. A group whose last folder is dropped is closed and leaves nothing behind.
import { watch as watchDirectly } from 'node:fs';
import { FSWatcher } from 'chokidar';
import { toSystemPath } from '../files/paths.ts';

export const groupSize = 64;

export type Handle = { close(): Promise<void> };
export type Opened = { folder: string; handle: Handle } | { folder: string; fault: unknown };

export type Listener = {
  /** One handle for each folder and everything below it; names are then relative paths. */
  recursive: boolean;
  /** `rename`: an entry was added, removed or moved; `change`: content or attributes changed. */
  heard: (folder: string, event: string, name: string | null) => void;
  /** The folder's handle failed later; null: it is not known which folder. */
  failed: (folder: string | null, error: unknown) => void;
  signal: AbortSignal;
};

/**
 * Opens a group of at most `groupSize` folders, none inside another. Resolves when the system reports their changes,
 * with one result a folder; after an abort each of them is a fault.
 */
export const openHandles = async (folders: readonly string[], listener: Listener): Promise<Opened[]> => {
  const odd = folders.filter((folder) => !isNameable(folder)).map((folder) => openDirectly(folder, listener));
  const plain = folders.filter(isNameable);
  return plain.length === 0 ? odd : [...odd, ...(await openGroup(plain, listener))];
};

/** Overrides only chokidar's reading of a folder: 100,000 files take 2.1 s of processor time with it, 0.1 s without. */
class FolderWatcher extends FSWatcher {
  override createScanStream(): undefined {
    return undefined;
  }
}

const openGroup = async (
  folders: string[],
  { recursive, heard, failed, signal }: Listener,
): Promise<Opened[]> => {
  const members = new Set(folders);
  const faults = new Map<string, unknown>();
  let opening = true;
  const watcher = new FolderWatcher({
    ignored: (path) => !members.has(path),
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    ...(recursive ? { backend: 'native-recursive' } : { depth: 0 }),
  });
  watcher.on('raw', (event, name, details) => {
    const folder = textAt(details, 'watchedPath');
    if (folder !== null && members.has(folder)) heard(folder, event, name);
  });
  watcher.on('error', (error) => {
    const folder = pathOf(error);
    if (!opening) failed(folder !== null && members.has(folder) ? folder : null, error);
    else for (const each of folder === null ? folders : [folder]) faults.set(each, error);
  });
  watcher.add(folders);
  await readyOr(signal, watcher);
  opening = false;
  if (signal.aborted) {
    await watcher.close();
    const fault: unknown = signal.reason;
    return folders.map((folder) => ({ folder, fault }));
  }

  const drop = async (folder: string): Promise<void> => {
    if (!members.delete(folder)) return;
    if (members.size === 0) await watcher.close();
    else watcher.unwatch(folder);
  };
  const opened = folders.map((folder): Opened => {
    const fault = faults.get(folder);
    return fault === undefined ? { folder, handle: { close: () => drop(folder) } } : { folder, fault };
  });
  await Promise.all([...faults.keys()].map(drop));
  return opened;
};

/** Not `once` of node:events: that takes the fault of one folder for the end of waiting. */
const readyOr = (signal: AbortSignal, watcher: FSWatcher): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    watcher.once('ready', done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });

const pathOf = (error: unknown): string | null => textAt(error, 'filename') ?? textAt(error, 'path');

const textAt = (thing: unknown, key: string): string | null => {
  const text: unknown = typeof thing === 'object' && thing !== null ? Reflect.get(thing, key) : null;
  return typeof text === 'string' ? text : null;
};

/**
 * chokidar takes only strings and, everywhere, a backslash for a separator. The few folders on Linux and macOS
 * whose path has one, or bytes that are not UTF-8, are watched with what chokidar itself uses.
 */
const isNameable = (folder: string): boolean =>
  !folder.includes('\0') && (process.platform === 'win32' || !folder.includes('\\'));

const openDirectly = (folder: string, { recursive, heard, failed }: Listener): Opened => {
  try {
    const watcher = watchDirectly(toSystemPath(folder), { recursive });
    watcher.on('change', (event, name) => {
      heard(folder, event, String(name));
    });
    watcher.on('error', (error) => {
      failed(folder, error);
    });
    const close = (): Promise<void> => {
      watcher.close();
      return Promise.resolve();
    };
    return { folder, handle: { close } };
  } catch (fault) {
    return { folder, fault };
  }
};
