// Where a file or folder really lies, by all that the system reports. The real path resolves a link, `..`, a short name
// or other capitals. The identities of the folders above, and the path on the file system, resolve a bind mount or a
// disk that ignores capitals. A hard link in another folder cannot be distinguished from the first name of a file.
import { existsSync, readlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Place } from '../../engine/ports/files.ts';
import { mountOf, parseMounts, readMountTable, type Mount } from './mount-table.ts';
import { fromSystemName, toSystemPath } from './paths.ts';
import { folderSpelling, realSpelling } from './spelling.ts';

/** `fd`: the descriptor of the open file. Asynchronous, because one of the folders may be on a drive that hangs. */
export const placeOf = async (path: string, fd?: number): Promise<Place> => {
  const real = (fd === undefined ? null : descriptorPath(fd)) ?? (await realSpelling(path));
  if (real === null) return { path, names: [...new Set([path, await folderSpelling(path)])], folders: [] };
  const volume = onVolume(real, parseMounts(readMountTable() ?? ''));
  return {
    path,
    names: [...(path === real ? [] : [path]), ...(volume === null ? [] : [volume]), real],
    folders: await identitiesFrom(real),
  };
};

/**
 * The real path of an open file, which no swap of a folder changes; null where the system does not report it (not
 * Linux, or no /proc). Throws what the system throws: a file for which this fails is not trusted.
 */
export const descriptorPath = (fd: number): string | null => {
  // On Windows this would be a folder of the drive.
  if (process.platform === 'win32') return null;
  try {
    return fromSystemName(readlinkSync(`/proc/self/fd/${fd}`, { encoding: 'buffer' }));
  } catch (error) {
    if (existsSync('/proc/self/fd')) throw error;
    return null;
  }
};

const identitiesFrom = async (real: string): Promise<string[]> => {
  const identities: string[] = [];
  for (let at = real; ; at = dirname(at)) {
    identities.push(await identityOf(at));
    if (dirname(at) === at) return identities;
  }
};

const identityOf = async (path: string): Promise<string> => {
  const stats = await stat(toSystemPath(path), { bigint: true }).catch(() => null);
  // Some file systems have no inode numbers.
  return stats === null || stats.ino === 0n ? '' : `${stats.dev}:${stats.ino}`;
};

/** The path on its file system, the same under each mount of it. */
export const onVolume = (real: string, mounts: readonly Mount[]): string | null => {
  const mount = mountOf(mounts, real);
  if (mount === null) return null;
  const { device, root, path } = mount;
  const below = real.slice(path === '/' ? 0 : path.length);
  return `${device}:${root === '/' ? '' : root}${below === '' || below.startsWith('/') ? below : `/${below}`}`;
};
