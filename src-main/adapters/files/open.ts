// Opens one file so that what is sent is what was looked at: a regular file, reached over no link, inside the
// folder, and the same until the end (upload-protocol.md, Withheld tail, 1 and 4).
//
// Open, stat and path checks are synchronous for the reason given in listing.ts: together 25 µs a file, against
// 300 µs of processor time through the thread pool, a third of what a small file may cost in all.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
  type BigIntStats,
} from 'node:fs';
import { dirname } from 'node:path';
import { noLinks, type OpenFile } from '../../engine/ports/files.ts';
import { ownData } from '../../contract/errors.ts';
import { hasLocksHere } from '../system/storage.ts';
import { disks } from './disk.ts';
import { fault, fileFault } from './faults.ts';
import { fromSystemName, toSystemPath } from './paths.ts';
import type { createPieces } from './pieces.ts';
import { cutOf } from './cut.ts';
import { descriptorPath, placeOf } from './place.ts';
import { readHead } from './reading.ts';
import { isInside, isOnePath } from './spelling.ts';
import { inodeOf, stampOf, typeOf } from './stamps.ts';

// Windows has neither of the last two flags (undefined, hence 0). There the lstat before the open and the comparison
// with the real path after it must do.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Returns `open` of the port. */
export const createOpen = (readerOf: ReturnType<typeof createPieces>) => {
  return (path: string, root: string | null): Promise<OpenFile> =>
    new Promise((resolve) => {
      resolve(openFile(path, root, readerOf));
    });
};

const openFile = (path: string, root: string | null, readerOf: ReturnType<typeof createPieces>): OpenFile => {
  const fd = openDescriptor(path);
  try {
    const stats = fstatSync(fd, { bigint: true });
    if (typeOf(stats) !== 'file') throw fault('not-a-file', path);
    if (!isReached(fd, path, root, stats)) throw fault('outside', path);

    const stamp = stampOf(stats);
    const reader = readerOf({ fd, path, sizeBytes: stamp.sizeBytes });
    let closing: Promise<void> | null = null;
    const file: OpenFile = {
      stamp,
      place: () => placeOf(path, fd),
      pieces: reader.pieces,
      descriptor: fd,
      cut: (parts) => cutOf(file, { fd, path, sizeBytes: stamp.sizeBytes }, parts),
      head: (maxBytes) => readHead({ fd, path, sizeBytes: stamp.sizeBytes }, maxBytes),
      sha256: reader.sha256,
      unchanged: () => Promise.resolve(closing === null && isStill(fd, path, root, stamp.key)),
      close: () => (closing ??= reader.end().then(() => closeSync(fd))),
    };
    return file;
  } catch (error) {
    closeSync(fd);
    throw fileFault(error, path);
  }
};

const openDescriptor = (path: string): number => {
  try {
    // Opening a device can act on it, so only a regular file is opened; the open file is checked again afterwards.
    const stats = lstatSync(toSystemPath(path), { bigint: true });
    if (typeOf(stats) !== 'file') throw fault('not-a-file', path);
    if (hasLocksHere(stats)) throw ownData(path);
    return openSync(toSystemPath(path), flags);
  } catch (error) {
    throw fileFault(error, path);
  }
};

const isStill = (fd: number, path: string, root: string | null, key: string): boolean => {
  try {
    const stats = fstatSync(fd, { bigint: true });
    const there = lstatSync(toSystemPath(path), { bigint: true });
    return stampOf(stats).key === key && isSame(there, stats) && isReached(fd, path, root, stats);
  } catch {
    return false; // what cannot be asked cannot be vouched for
  }
};

/**
 * True when the real path of `path` is inside that of `root` and is the open file itself. On Linux the system reports
 * the real path of the descriptor, so a folder that is swapped for a link at any moment lets nothing out. Elsewhere the
 * path is resolved twice: a swap there and back between the two can win. `noLinks`: no link may be on the way.
 */
const isReached = (fd: number, path: string, root: string | null, open: BigIntStats): boolean => {
  if (root === null) return true;
  const isSameAt = (there: string): boolean => isSame(lstatSync(toSystemPath(there), { bigint: true }), open);
  const told = descriptorPath(fd);
  if (root !== noLinks) {
    const real = told ?? realPath(path);
    return isInside(realPath(root), real, disks.of) && isSameAt(real);
  }
  const real = told ?? realPathOrNull(path);
  if (real !== null) return isOnePath(real, path, disks.of) && isSameAt(real);
  // Some drives of Windows give no real paths, but report links.
  return !isBelowLink(path) && isSameAt(path);
};

const isBelowLink = (path: string): boolean => {
  const above = dirname(path);
  return above !== path && (lstatSync(toSystemPath(above)).isSymbolicLink() || isBelowLink(above));
};

const isSame = (there: BigIntStats, open: BigIntStats): boolean =>
  typeOf(there) === 'file' && inodeOf(there) === inodeOf(open);

const realPath = (path: string): string =>
  fromSystemName(realpathSync.native(toSystemPath(path), { encoding: 'buffer' }));

const realPathOrNull = (path: string): string | null => {
  try {
    return realPath(path);
  } catch {
    return null;
  }
};
