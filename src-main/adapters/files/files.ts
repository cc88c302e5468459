// The port `Files` on a real file system. Nothing in here writes, and nothing follows a link below the folder that
// the user chose (the folder itself may be one).
import { lstatSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { Files } from '../../engine/ports.ts';
import { fileFault, isGone } from './faults.ts';
import { createListing } from './listing.ts';
import { createOpen } from './open.ts';
import { toSystemPath } from './paths.ts';
import { createPieces } from './pieces.ts';
import { placeOf } from './place.ts';
import { createSlices } from './slices.ts';
import { foundOf } from './stamps.ts';
import { createWriters } from './writers.ts';

export const createFiles = (): Files => {
  const breathe = createSlices();
  return {
    identify: async (folder) => identify(folder),
    list: createListing(breathe),
    look: async (path) => look(path),
    place: (path) => placeOf(path),
    open: createOpen(createPieces()),
    openForWriting: createWriters(breathe),
  };
};

const identify = (folder: string): string => {
  const remedy = 'Connect or mount it again, or choose another folder.';
  try {
    const stats = statSync(toSystemPath(folder), { bigint: true });
    if (stats.isDirectory()) return `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
  } catch (cause) {
    throw new AppError('folder-unavailable', `The folder ${folder} cannot be reached.`, remedy, { cause });
  }
  throw new AppError('folder-unavailable', `${folder} is not a folder.`, remedy);
};

const look = (path: string) => {
  try {
    return foundOf(basename(path), lstatSync(toSystemPath(path), { bigint: true }));
  } catch (error) {
    if (isGone(error)) return null;
    throw fileFault(error, path);
  }
};
