// The port `Files` on a real file system. Nothing in here writes, and nothing follows a link below the folder that
// the user chose (the folder itself may be one).
import { lstatSync, statSync } from 'node:fs';
import { basename, sep } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { Files } from '../../engine/ports/files.ts';
import { disks, type Disks } from './disk.ts';
import { fileFault, isGone, isTooLong } from './faults.ts';
import { createListing, statOptions } from './listing.ts';
import { createOpen } from './open.ts';
import { toSystemPath } from './paths.ts';
import { createPieces } from './pieces.ts';
import { placeOf } from './place.ts';
import { createSlices } from './slices.ts';
import { spell } from './spelling.ts';
import { foundOf, foundWithout } from './stamps.ts';
import { tellsBirth } from '../system/birth.ts';
import { createWriters } from './writers.ts';

/** `pieceBytes`: the size of a file's pieces; a large file has larger ones by default. */
export const createFiles = ({ of = disks, pieceBytes }: { of?: Disks; pieceBytes?: number } = {}): Files => {
  const breathe = createSlices();
  return {
    identify: async (folder) => identify(folder, of),
    disk: (path) => of.of(path),
    mounts: (folder) => of.mounts(folder),
    list: createListing(breathe, of.hangingIn),
    look: async (path) => look(path),
    spell,
    place: (path) => placeOf(path),
    open: createOpen(createPieces(pieceBytes === undefined ? {} : { mostBytes: pieceBytes })),
    seesWriters: () => process.platform === 'linux',
    openForWriting: createWriters(breathe),
  };
};

const identify = (folder: string, of: Disks): string => {
  const remedy = 'Connect or mount it again, or choose another folder.';
  try {
    const stats = statSync(toSystemPath(folder), { bigint: true });
    const disk = of.of(folder);
    const inode = disk.keepsInodes ? stats.ino : 0n;
    const birth = disk.tellsBirth && tellsBirth(stats) ? stats.birthtimeNs : 0n;
    if (stats.isDirectory()) return `${stats.dev}:${inode}:${birth}:${disk.identity ?? ''}`;
  } catch (cause) {
    throw new AppError('folder-unavailable', `The folder ${folder} cannot be reached.`, remedy, { cause });
  }
  throw new AppError('folder-unavailable', `${folder} is not a folder.`, remedy);
};

const look = (path: string) => {
  try {
    // Most names that are asked for do not exist, and an error costs more than the look.
    const stats = lstatSync(toSystemPath(path), statOptions);
    return stats === undefined ? null : foundOf(basename(path), stats);
  } catch (error) {
    if (isGone(error) || hasImpossibleName(path)) return null;
    if (isTooLong(error)) return foundWithout(basename(path), error);
    throw fileFault(error, path);
  }
};

/** No disk has a name of more than 255 bytes, or of 255 characters where those are counted. */
const hasImpossibleName = (path: string): boolean => path.split(sep).some((name) => name.length > 255);
