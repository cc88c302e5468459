// Where a file or folder really lies, by all that the system reports. The real path resolves a link, `..`, a short name
// or other capitals. The identities of the folders above, and the path on the file system, resolve a bind mount or a
// disk that ignores capitals. A hard link in another folder cannot be distinguished from the first name of a file.
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Place } from '../../engine/ports/files.ts';
import { fromSystemName, isWithin, toSystemPath } from './paths.ts';
import { folderSpelling, realSpelling } from './spelling.ts';

/** `fd`: the descriptor of the open file. Asynchronous, because one of the folders may be on a drive that hangs. */
export const placeOf = async (path: string, fd?: number): Promise<Place> => {
  const real = (fd === undefined ? null : descriptorPath(fd)) ?? (await realSpelling(path));
  if (real === null) return { path, names: [...new Set([path, await folderSpelling(path)])], folders: [] };
  const volume = onVolume(real, readMounts());
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

/** `root`: the folder of the file system that is mounted at `point`. */
export type MountPoint = { device: string; root: string; point: string };

/** Empty where the system does not list them (not Linux). */
const readMounts = (): MountPoint[] => {
  try {
    return mountsIn(readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    return [];
  }
};

/** Parses the lines of proc(5): id, parent, device, root, mount point, … */
export const mountsIn = (text: string): MountPoint[] =>
  text.split('\n').flatMap((line) => {
    const [, , device, root, point] = line.split(' ');
    if (device === undefined || root === undefined || point === undefined) return [];
    return [{ device, root: unescaped(root), point: unescaped(point) }];
  });

const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** The path on its file system, the same under each mount of it. */
export const onVolume = (real: string, mounts: readonly MountPoint[]): string | null => {
  let deepest: MountPoint | null = null;
  for (const mount of mounts)
    if (isWithin(mount.point, real) && mount.point.length >= (deepest?.point.length ?? 0)) deepest = mount;
  if (deepest === null) return null;
  const { device, root, point } = deepest;
  const below = real.slice(point === '/' ? 0 : point.length);
  return `${device}:${root === '/' ? '' : root}${below === '' || below.startsWith('/') ? below : `/${below}`}`;
};
