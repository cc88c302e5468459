// Whether this system reports when a file was created.
import { statSync, type BigIntStats } from 'node:fs';

/**
 * A file system without birth times reports 0. In a sandbox without statx, libuv reports the ctime instead, for every
 * file: then Node's own program seems to have been created at its last change, too.
 */
export const tellsBirth = ({ birthtimeNs }: BigIntStats): boolean => {
  if (birthtimeNs === 0n) return false;
  hasBirthTimes ??= isBornBeforeItsChange(process.execPath);
  return hasBirthTimes;
};
let hasBirthTimes: boolean | null = null;

const isBornBeforeItsChange = (path: string): boolean => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats !== undefined && stats.birthtimeNs !== stats.ctimeNs;
};
