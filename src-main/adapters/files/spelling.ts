// The one spelling of a path that comes from outside. `C:\Tray\a.txt`, `c:\TRAY\A.TXT`, `C:\Tray\A~1.TXT` and
// `\\?\C:/Tray/a.txt` are one file. The ledger has it under one path: that of the disk. Links on the way are resolved,
// as for a watched folder; a link in the last place is not, because it is judged as a link.
import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Disk, Spelled } from '../../engine/ports/files.ts';
import { disks } from './disk.ts';
import { fromSystemName, isWithin, toSystemPath } from './paths.ts';

/** What is needed of a system; tests have another one. All of it is asynchronous, because a drive may hang. */
export type SpellingSystem = {
  paths: Pick<typeof path, 'resolve' | 'basename' | 'dirname' | 'join'>;
  /** Null: nothing is there, or the system cannot resolve it. */
  real(path: string): Promise<string | null>;
  /** Whether `real` gives names as the disk has them; Linux gives them as they are asked for. */
  realIsSpelled: boolean;
  /** Null: nothing is there. */
  isLink(path: string): Promise<boolean | null>;
  /** The names in a folder; null: it cannot be read. */
  names(folder: string): Promise<readonly string[] | null>;
  /** Whether two spellings of a name may be one file there. */
  foldsNames(folder: string): boolean;
};

const orNull = <Found>(ask: () => Promise<Found>): Promise<Found | null> => ask().catch(() => null);

const system: SpellingSystem = {
  paths: path,
  real: (one) =>
    orNull(async () => fromSystemName(await realpath(toSystemPath(one), { encoding: 'buffer' }))),
  realIsSpelled: process.platform === 'win32' || process.platform === 'darwin',
  isLink: (one) => orNull(async () => (await lstat(toSystemPath(one))).isSymbolicLink()),
  names: (folder) =>
    orNull(async () => (await readdir(toSystemPath(folder), { encoding: 'buffer' })).map(fromSystemName)),
  foldsNames: (folder) => disks.of(folder).foldsNames,
};

/** How many paths are resolved at once. */
const mostAtOnce = 32;

export const createSpelling = (of: SpellingSystem = system) => {
  const { basename, dirname, join, resolve } = of.paths;

  /** Of a folder that is there, or may be there. */
  const nameIn = async (folder: string, name: string): Promise<string> => {
    const names = (await of.names(folder)) ?? [];
    return names.includes(name) ? name : (names.find((one) => folded(one) === folded(name)) ?? name);
  };

  /** A real path, as the disk spells it. */
  const asOnDisk = async (real: string): Promise<string> => {
    const above = dirname(real);
    if (of.realIsSpelled || above === real || !of.foldsNames(above)) return real;
    const folder = await asOnDisk(above);
    return join(folder, await nameIn(folder, basename(real)));
  };

  /** All links resolved; null: nothing is there. */
  const realSpelling = async (given: string): Promise<string | null> => {
    const real = await of.real(plain(given, resolve));
    return real === null ? null : await asOnDisk(real);
  };

  /** For a path that does not exist: the part that exists is resolved, the rest is added as the disk may have it. */
  const folderSpelling = async (folder: string): Promise<string> => {
    const real = await realSpelling(folder);
    if (real !== null) return real;
    const above = dirname(folder);
    if (above === folder) return withCapitalDrive(folder);
    const inside = await folderSpelling(above);
    // Some drives of Windows give no real paths.
    return join(inside, of.foldsNames(inside) ? await nameIn(inside, basename(folder)) : basename(folder));
  };

  /** For all files of one folder the system is asked about the folder once. */
  const spellWith = async (given: string, folders: Map<string, Promise<string>>): Promise<Spelled> => {
    const whole = plain(given, resolve);
    const above = dirname(whole);
    const known = folders.get(above) ?? folderSpelling(above);
    folders.set(above, known);
    const folder = await known;
    if (above === whole) return { path: folder, isGuess: false };
    const asGiven = join(folder, basename(whole));
    const foldsNames = of.foldsNames(folder);
    if (!foldsNames && !of.realIsSpelled) return { path: asGiven, isGuess: false };
    const isLink = await of.isLink(whole);
    if (isLink === null) return { path: asGiven, isGuess: foldsNames };
    const real = isLink ? null : await realSpelling(whole);
    return { path: real ?? join(folder, await nameIn(folder, basename(whole))), isGuess: false };
  };

  return {
    realSpelling,
    folderSpelling: (given: string) => folderSpelling(plain(given, resolve)),
    /** In the order of the paths. Never throws. */
    async spell(paths: readonly string[]): Promise<Spelled[]> {
      const folders = new Map<string, Promise<string>>();
      const spelled: Spelled[] = [];
      for (let from = 0; from < paths.length; from += mostAtOnce) {
        const some = paths.slice(from, from + mostAtOnce);
        spelled.push(...(await Promise.all(some.map((one) => spellWith(one, folders)))));
      }
      return spelled;
    },
  };
};

/** `\\?\C:\a` and `\\?\UNC\server\share` are other spellings of `C:\a` and `\\server\share`. */
const plain = (given: string, resolve: (path: string) => string): string => {
  const [, share, drive] = /^[\\/]{2}[?.][\\/](?:(UNC[\\/])|([a-z]:[\\/]))/i.exec(given) ?? [];
  const isWindows = resolve('\\').includes('\\');
  if (!isWindows || (share === undefined && drive === undefined)) return resolve(given);
  return resolve(share === undefined ? given.slice(4) : `\\\\${given.slice(8)}`);
};

const withCapitalDrive = (root: string): string => (/^[a-z]:/.test(root) ? root.toUpperCase() : root);

const folded = (name: string): string => name.normalize('NFC').toLowerCase();

/** Where capitals do not distinguish files, Linux gives the path of an open file as it was first asked for. */
export const isOnePath = (
  one: string,
  other: string,
  diskOf: (path: string) => Pick<Disk, 'foldsNames'>,
): boolean => one === other || (folded(one) === folded(other) && diskOf(one).foldsNames);

/** Whether the path is in the folder or is the folder itself, by the same rule. */
export const isInside = (
  folder: string,
  path: string,
  diskOf: (path: string) => Pick<Disk, 'foldsNames'>,
): boolean => isWithin(folder, path) || (isWithin(folded(folder), folded(path)) && diskOf(folder).foldsNames);

export const { realSpelling, folderSpelling, spell } = createSpelling();
export const realPaths = { real: realSpelling, realFolder: folderSpelling };
