// Lists one folder with the stamp of every file in it. The thread pool reads the names. The lstat calls are synchronous
// (3 µs each; through the thread pool 20 to 60 µs) and taken in slices, so that nothing else waits for longer than a
// slice. A process of its own lists what may hang (adapters/drives/).
import { lstatSync, type StatSyncOptions } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { Files, Found, Listing } from '../../engine/ports/files.ts';
import type { Disks } from './disk.ts';
import { isGone } from './faults.ts';
import { fromLatin1Name, pathInFolder, toSystemPath } from './paths.ts';
import type { Breathe } from './slices.ts';
import { foundOf, foundWithout, stampKeyOf, typeOf } from './stamps.ts';

/** Entries between two looks at the clock: about 0.2 ms. */
const stride = 64;

export const statOptions = { bigint: true, throwIfNoEntry: false } as const satisfies StatSyncOptions;

type IsUnchanged = Parameters<Files['list']>[1];

/** Returns `list` of the port. `hangingIn`: names of folders on another drive, which is not asked. */
export const createListing = (breathe: Breathe, hangingIn: Disks['hangingIn']) => {
  const collect = async (folder: string, names: string[], isUnchanged: IsUnchanged): Promise<Found[]> => {
    const inside = pathInFolder(folder, '');
    const mounted = hangingIn(folder);
    const found: Found[] = [];
    for (let from = 0; from < names.length; from += stride) {
      await breathe();
      for (const raw of names.slice(from, from + stride)) {
        const name = fromLatin1Name(raw);
        const entry = mounted.has(name)
          ? ({ name, type: 'folder', stamp: null, onlineOnly: false } as const)
          : entryAt(inside, name, isUnchanged);
        if (entry !== null) found.push(entry);
      }
    }
    return found;
  };

  return async (folder: string, isUnchanged?: IsUnchanged): Promise<Listing> => {
    try {
      const names = await readdir(toSystemPath(folder), 'latin1');
      return { ok: true, found: await collect(folder, names, isUnchanged) };
    } catch (error) {
      if (isGone(error)) return { ok: false, gone: true, message: `${folder} is not there.` };
      const message = error instanceof Error ? error.message : String(error);
      return { ok: false, gone: false, message: `${folder} cannot be read: ${message}` };
    }
  };
};

/** Null: gone since its name was read, or unchanged. */
const entryAt = (inside: string, name: string, isUnchanged: IsUnchanged): Found | null => {
  try {
    const stats = lstatSync(toSystemPath(inside + name), statOptions);
    if (stats === undefined) return null;
    return typeOf(stats) === 'file' && isUnchanged?.(name, stampKeyOf(stats)) === true
      ? null
      : foundOf(name, stats);
  } catch (error) {
    return foundWithout(name, error);
  }
};
