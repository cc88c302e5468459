// The facts of one lstat in the terms of the port. Big integers: a stamp without nanoseconds would not distinguish two
// versions written within the same quarter of a microsecond.
import { constants, type BigIntStats } from 'node:fs';
import type { EntryType, Found, Stamp } from '../../engine/ports/files.ts';
import { tellsBirth } from '../system/birth.ts';
import { isGone, isTooLong } from './faults.ts';

const onWindows = process.platform === 'win32';
const typeMask = BigInt(constants.S_IFMT);
const [regular, folder, link] = [
  BigInt(constants.S_IFREG),
  BigInt(constants.S_IFDIR),
  BigInt(constants.S_IFLNK),
];

/** Junctions count as links: libuv reports them so. */
export const typeOf = ({ mode }: BigIntStats): EntryType => {
  const type = mode & typeMask;
  if (type === regular) return 'file';
  if (type === folder) return 'folder';
  return type === link ? 'link' : 'special';
};

export const inodeOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

/** `key` of a stamp. */
export const stampKeyOf = ({ size, mtimeNs, ctimeNs, dev, ino }: BigIntStats): string =>
  `${size}:${mtimeNs}:${ctimeNs}:${dev}:${ino}`;

export const stampOf = (stats: BigIntStats): Stamp => ({
  sizeBytes: Number(stats.size),
  key: stampKeyOf(stats),
  inode: String(stats.ino),
  mtimeMs: Number(stats.mtimeMs),
  ctimeMs: Number(stats.ctimeMs),
  ...(tellsBirth(stats) ? { bornMs: Number(stats.birthtimeMs) } : {}),
});

export const foundOf = (name: string, stats: BigIntStats): Found => {
  const type = typeOf(stats);
  if (type !== 'file') return { name, type, stamp: null, onlineOnly: false };
  return { name, type, stamp: stampOf(stats), onlineOnly: isPlaceholder(stats) };
};

/** An entry that lstat cannot describe; null: it is gone. */
export const foundWithout = (name: string, error: unknown): Found | null =>
  isGone(error)
    ? null
    : { name, type: isTooLong(error) ? 'too-deep' : 'unreadable', stamp: null, onlineOnly: false };

/**
 * Node shows no file attributes, but a cloud placeholder on Windows has content and not one block. Files under a
 * page may live inside the file table with no block of their own, so those are not judged. (Tried on Linux only.)
 */
const isPlaceholder = ({ blocks, size }: BigIntStats): boolean => onWindows && blocks === 0n && size > 4096n;
