// The port `Watch` on chokidar. What it gives are hints in small batches; the engine looks, and scans.
//
// Plain chokidar 6 on 100,000 files in 1,000 folders takes 355 to 490 MiB and 2 to 4 s, because its first walk is
// wholly parallel and it stats and remembers every file. Here chokidar watches folders only, 64 to a watcher, with
// its scan left out (handles.ts), opened group by group along our own walk (tree.ts). The same tree, bundled code:
//   plain chokidar 6, ignoreInitial           1,001 watches   355 MiB   2.3 s
//   this adapter                              1,001 watches    75 MiB   0.15 s  (48 MiB are Node and chokidar)
//   where each folder has to be read          1,001 watches    82 MiB   0.2 s   (folders.ts: btrfs, overlays)
//   a chokidar watcher of its own a folder    1,001 watches    97 MiB   0.35 s
//   fs.watch a folder, no chokidar            1,001 watches    67 MiB   0.3 s
// Run from the TypeScript sources, Node's type stripping adds 18 MiB. Idle, none of them takes processor time (under
// 1 ms in 3 s). chokidar's 16 MiB buy its handling of replaced folders and of each system's peculiarities.
//
// Linux has one watch per folder. Windows and macOS watch a whole tree with one handle, and on Windows a handle
// inside a folder would keep it from being renamed: there the root alone has a handle, and the tree of folders only
// tells new ones from known ones. (Tried on Linux with Node's stand-in for such a handle.)
//
// When the root itself vanishes there is a sighting of it and the watch goes quiet; it is for the engine to start
// again when the folder is back.
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { Sighting, Watch } from '../../engine/ports.ts';
import { fromSystemName, toSystemPath } from '../files/paths.ts';
import { openHandles, type Handle, type Listener, type Opened } from './handles.ts';
import { createHealth } from './health.ts';
import { createHints, type Batch, type Moves } from './hints.ts';
import { isLimit, limitMessage, overflowEvents } from './limits.ts';
import { createTree } from './tree.ts';

type Setup = {
  /** One handle for the whole tree, instead of one a folder. */
  oneHandle: boolean;
  /** The time until the next attempt after the system had no watches left: the user may have followed the remedy. */
  retryMs: number;
  open: typeof openHandles;
};

type Options = Parameters<Watch['start']>[0];

/** The setup has defaults for this platform; other values are for tests. */
export const createWatch = (setup: Partial<Setup> = {}): Watch => ({
  start: (options) =>
    startWatch(options, {
      oneHandle: process.platform !== 'linux',
      retryMs: 30_000,
      open: openHandles,
      ...setup,
    }),
});

/** Throws `folder-unavailable`, `aborted`. */
const startWatch = async (options: Options, setup: Setup): Promise<{ stop(): Promise<void> }> => {
  const root = realRoot(options.root);
  const shown = (folder: string): string => options.root + folder.slice(root.length);
  const ended = new AbortController();
  const wholeTree = setup.oneHandle && options.recursive;
  let walked = false;

  // ---- what is to be done about the tree of folders: one thing after the other

  let moves: Moves = new Map();
  const broken = new Set<string>();
  let review = false;
  let working: Promise<void> | null = null;

  const work = async (): Promise<void> => {
    while (!ended.signal.aborted && (review || moves.size > 0 || broken.size > 0)) {
      const [turn, reviewing, reopening] = [moves, review, [...broken]];
      moves = new Map();
      review = false;
      broken.clear();
      if (!tree.holdsRoot() && !reviewing) continue;
      for (const folder of reopening) await tree.reopen(folder);
      if (reviewing) await reviewAll();
      else for (const [folder, names] of turn) await tree.moved(folder, names);
    }
  };

  const arrange = (): void => {
    working ??= work().finally(() => {
      working = null;
    });
  };

  const deliver = (batch: Batch): void => {
    options.sighted(
      batch.sightings.map((sighting): Sighting => ({ ...sighting, folder: shown(sighting.folder) })),
    );
    review ||= batch.everything;
    for (const [folder, names] of batch.moves) {
      const more = moves.get(folder);
      moves.set(folder, names === null || more === null ? null : new Set([...(more ?? []), ...names]));
    }
    if (walked) arrange();
  };

  const hints = createHints({ root, overflowAt: overflowEvents(), deliver });

  // ---- health

  const health = createHealth({
    hear: options.health,
    retryMs: setup.retryMs,
    retry: () => {
      review = true;
      arrange();
    },
  });

  const reviewAll = async (): Promise<void> => {
    const complete = await tree.review();
    if (!health.isDegraded() || ended.signal.aborted) return;
    if (complete) {
      health.live();
      hints.everything(); // what came while there were too few watches
    } else {
      health.retryLater();
    }
  };

  // ---- handles

  const heard = (folder: string, event: string, name: string | null): void => {
    const moved = event === 'rename';
    if (name === null) {
      if (wholeTree) hints.everything();
      else hints.hint(folder, null, true);
    } else if (wholeTree && name.includes(separator)) {
      note(join(folder, dirname(name)), basename(name), moved);
    } else {
      note(folder, name, moved);
      // A folder tells its own going as an event of its own name.
      if (moved && folder !== root && name === basename(folder)) note(dirname(folder), name, true);
    }
  };

  const note = (folder: string, name: string, moved: boolean): void => {
    if (walked && !tree.has(folder)) return; // not entered; or new, and announced as a whole when it is watched
    // Bytes that are not UTF-8 do not survive in an event: then only the folder is known.
    if (name.includes('\ufffd')) hints.hint(folder, null, moved);
    else hints.hint(folder, name, moved || tree.wasRefused(folder, name));
  };

  const listener: Listener = {
    recursive: wholeTree,
    heard,
    failed: (folder, error) => {
      if (isLimit(error)) health.degrade(limitMessage(error));
      if (folder !== null) broken.add(folder);
      hints.everything();
    },
    signal: ended.signal,
  };

  const open = async (folders: readonly string[]): Promise<Opened[]> => {
    const own = wholeTree ? folders.filter((folder) => folder === root) : folders;
    const others = wholeTree ? folders.filter((folder) => folder !== root) : [];
    const opened = own.length === 0 ? [] : await setup.open(own, listener);
    return [...opened, ...others.map((folder): Opened => ({ folder, handle: noHandle }))];
  };

  const tree = createTree({
    root,
    recursive: options.recursive,
    enter: (folder) => options.enter(shown(folder)),
    open,
    announce: (folder) => {
      hints.hint(folder, null, false);
    },
    isShort: (error) => {
      if (isLimit(error)) health.degrade(limitMessage(error));
      return isLimit(error);
    },
  });

  // ---- start and stop

  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopping ??= close());
  const close = async (): Promise<void> => {
    ended.abort();
    options.signal.removeEventListener('abort', abort);
    health.stop();
    hints.stop();
    await tree.close();
    await working;
  };
  const abort = (): void => {
    void stop();
  };
  options.signal.addEventListener('abort', abort);

  if (!options.signal.aborted) await tree.start();
  if (options.signal.aborted) {
    await stop();
    throw new AppError('aborted', 'Watching was stopped.');
  }
  walked = true;
  if (tree.has(root)) {
    if (!health.isDegraded()) health.live();
  } else {
    health.degrade(`${options.root} cannot be watched, so it is scanned every 30 s instead`);
  }
  arrange();
  return { stop };
};

const noHandle: Handle = { close: () => Promise.resolve() };

const separator = process.platform === 'win32' ? '\\' : '/';

/** The folder behind the path: a link to it is for the user to make, and chokidar is to follow none. */
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
