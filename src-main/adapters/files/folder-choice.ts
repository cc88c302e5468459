// Which folders may be watched (README.md, promise 4): not the home folder itself, not a drive's root, not the
// place of Outtray's own data. Compared by real path, so that a link to one of them is refused as well.
import { call, wording } from '../../contract/text/wording.ts';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError, toAppError } from '../../contract/errors.ts';
import type { Files } from '../../engine/ports/files.ts';
import { createFiles } from './files.ts';
import { isWithin } from './paths.ts';
import { folderSpelling } from './spelling.ts';

/** `problem`: why the rules of an administrator exclude a folder, as the end of a sentence. */
export const createFolderChoice = (
  ownFolder: string,
  homes: readonly string[] = [homedir()],
  problem: (folder: string) => Promise<string | null> = () => Promise.resolve(null),
  files: Pick<Files, 'place' | 'look' | 'disk'> = createFiles(),
) => ({
  /** The real path of `path`. Throws `folder-unavailable`, `folder-refused`. */
  async acceptFolder(path: string): Promise<string> {
    const folder = await realFolder(path, files);
    if (dirname(folder) === folder || files.disk(folder).isDrive) throw refused('a whole drive');
    for (const home of homes) {
      const real = await folderSpelling(home);
      if (folder === real) throw refused('your home folder itself');
      if (isBelow(real, folder)) throw refused('a folder that has your home folder in it');
    }
    const own = await folderSpelling(ownFolder);
    if (own === folder || isBelow(own, folder) || isBelow(folder, own)) {
      throw refused('where Outtray keeps its own data');
    }
    const excluded = await problem(folder);
    if (excluded !== null)
      throw new AppError(
        'folder-refused',
        `Folders ${excluded} are not watched.`,
        wording`Choose another folder, or ask your administrator (${call('settings')} shows where it comes from).`,
      );
    return folder;
  },
  async ownIn(path: string): Promise<string | null> {
    const { names } = await files.place(path);
    const real = names.at(-1) ?? path;
    const own = await folderSpelling(ownFolder);
    if (own === real || isBelow(real, own)) return path;
    return isBelow(own, real) ? join(path, own.slice(real.length)) : null;
  },
  async assertApart(folder: string, others: readonly string[]): Promise<void> {
    const mine = await placesOf(folder, files);
    for (const other of others) {
      const theirs = await placesOf(other, files);
      const isBelow = mine.some((place) => place === theirs[0]);
      const isAbove = theirs.some((place) => place === mine[0]);
      if (!isBelow && !isAbove) continue;
      const how =
        isBelow && isAbove ? 'is watched already' : isBelow ? `lies in ${other}` : `has ${other} in it`;
      throw new AppError(
        'folder-refused',
        `${folder} ${how}${isBelow && isAbove ? '' : ', which is watched already'}: a file would be in two folders.`,
        wording`Choose another folder, or remove the other one first (${call('folders', 'remove DIR')}).`,
      );
    }
  },
});

/**
 * A folder and those above it, as the file system identifies them: by device and inode. So another spelling (a link,
 * capitals, composed letters, a second mount) is the same folder. One that does not exist is identified by its path.
 */
const placesOf = async (folder: string, files: Pick<Files, 'place'>): Promise<string[]> => {
  const { folders } = await files.place(folder);
  if (folders.length > 0) return [...folders];
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...(await placesOf(above, files))];
};

const realFolder = async (path: string, files: Pick<Files, 'place' | 'look'>): Promise<string> => {
  const { names, folders } = await files.place(path);
  const real = names.at(-1) ?? path;
  const found = await files.look(real).catch((cause: unknown) => {
    const { message, remedy } = toAppError(cause);
    throw new AppError('folder-unavailable', message, remedy, { cause });
  });
  if (found === null || folders.length === 0)
    throw new AppError(
      'folder-unavailable',
      `There is no folder ${path}.`,
      'Create it, or choose another one.',
    );
  if (found.type === 'folder') return real;
  throw new AppError('folder-unavailable', `${path} is not a folder.`, 'Choose a folder.');
};

const isBelow = (path: string, folder: string): boolean => path !== folder && isWithin(folder, path);

const refused = (what: string): AppError =>
  new AppError(
    'folder-refused',
    `Outtray does not watch ${what}: everything in it would become public.`,
    `Choose a folder that holds only what you share, for example ${join(homedir(), 'Outtray')}.`,
  );
