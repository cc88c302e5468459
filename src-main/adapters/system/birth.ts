// Whether this system tells when a file was born.
import { statSync, type BigIntStats } from 'node:fs';

/**
 * A file system without birth times says 0; a sandbox without statx makes libuv say the ctime instead, for every
 * file: then Node's own program has been born at its last change, too.
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
