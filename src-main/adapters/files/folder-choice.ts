// Which folders may be watched (README.md, promise 4): not the home folder itself, not a drive's root, not the
// place of Outtray's own data. Compared by real path, so that a link to one of them is refused as well.
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, resolve, sep } from 'node:path';
import { AppError } from '../../contract/errors.ts';

/** `problem`: why the rules of an administrator exclude a folder, as the end of a sentence. */
export const createFolderChoice = (
  ownFolder: string,
  home: string = homedir(),
  problem: (folder: string) => string | null = () => null,
) => ({
  /** The real path of `path`. Throws `folder-unavailable`, `folder-refused`. */
  async acceptFolder(path: string): Promise<string> {
    const folder = await realFolder(resolve(path));
    if (dirname(folder) === folder) throw refused('a whole drive');
    if (folder === (await realOr(home))) throw refused('your home folder itself');
    const own = await realOr(ownFolder);
    if (own === folder || isBelow(own, folder) || isBelow(folder, own)) {
      throw refused('where Outtray keeps its own data');
    }
    const excluded = problem(folder);
    if (excluded !== null)
      throw new AppError(
        'folder-refused',
        `Folders ${excluded} are not watched.`,
        'Choose another folder, or ask your administrator (`outtray settings` shows where it comes from).',
      );
    return folder;
  },
});

const realFolder = async (path: string): Promise<string> => {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (cause) {
    throw new AppError(
      'folder-unavailable',
      `There is no folder ${path}.`,
      'Create it, or choose another one.',
      { cause },
    );
  }
  throw new AppError('folder-unavailable', `${path} is not a folder.`, 'Choose a folder.');
};

const realOr = (path: string): Promise<string> => realpath(path).catch(() => resolve(path));

const isBelow = (path: string, folder: string): boolean => path.startsWith(folder + sep);

const refused = (what: string): AppError =>
  new AppError(
    'folder-refused',
    `Outtray does not watch ${what}: everything in it would become public.`,
    'Choose a folder that holds only what you share, for example ~/Outtray.',
  );
