// Which files an agent may name: those in the folders of the setting agentRoots and, if the client offers roots, also
// in one of these. Real paths decide. The engine opens a file without following links, so a later swap exposes nothing.
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWithin } from '../../adapters/files/paths.ts';
import { AppError } from '../../contract/errors.ts';
import type { Composed } from '../session.ts';
import { watchedPaths, type Settings } from '../../contract/settings.ts';

export type Roots = {
  /** Real folders of the setting, which the engine enforces for each file. */
  folders: readonly string[];
  /**
   * The real path of a file or folder that may be named, as the disk spells it. Throws `outside`, `gone`, `bad-use`,
   * `not-a-file`, `locked`.
   */
  accept(path: string): Promise<string>;
  /** Whether the agent may know of a file at this path. */
  covers(path: string): boolean;
};

/** `offered`: addresses of the client's roots; null: it offers none, and the setting alone counts. */
export const createRoots = async (
  { agentRoots, ...watched }: Pick<Settings, 'agentRoots' | 'folder' | 'folders'>,
  offered: readonly string[] | null,
  { paths: { real: realOf, realFolder }, files }: Pick<Composed, 'paths' | 'files'>,
): Promise<Roots> => {
  /** A folder whose drive does not answer is left out, so that no file in it is allowed. */
  const realFolders = async (paths: readonly string[]): Promise<string[]> =>
    (await Promise.all(paths.map((path) => realOf(path).catch(() => null)))).filter((real) => real !== null);

  const named = agentRoots.length > 0 ? agentRoots : watchedPaths(watched);
  const folders = await realFolders(named);
  const ofClient = offered === null ? null : await realFolders(offered.flatMap(pathOf));
  const covers = (path: string): boolean =>
    folders.some((root) => isWithin(root, path)) &&
    (ofClient === null || ofClient.some((root) => isWithin(root, path)));
  const outside = (path: string): AppError => {
    const isClients = ofClient !== null && folders.some((root) => isWithin(root, path));
    return new AppError(
      'outside',
      isClients
        ? 'The path is outside the roots of the MCP client.'
        : 'The path is outside the folders that agents may use, or a link leads there.',
      isClients
        ? 'Name a file in an open folder of the client.'
        : folders.length === 0
          ? 'No folder is set up for agents: a person runs `outtray settings set agentRoots FOLDER`.'
          : `Name a file in ${folders.join(' or ')}; a person can add folders (setting agentRoots).`,
    );
  };
  return {
    folders,
    covers,
    async accept(path) {
      if (path.includes('\0') || !isAbsolute(path))
        throw new AppError('bad-use', 'A path must be absolute and without NUL.', 'Give the whole path.');
      const real = await realOf(path);
      if (real === null) {
        const nearest = await realFolder(path);
        // The answer must not reveal whether a file outside exists.
        if (!covers(nearest)) throw outside(nearest);
        throw new AppError('gone', 'There is no such file.', 'Check the path.');
      }
      if (!covers(real)) throw outside(real);
      if ((await files.look(path))?.type === 'link')
        throw new AppError('not-a-file', 'This is a symbolic link.', 'Name the file that it leads to.');
      return real;
    },
  };
};

const pathOf = (address: string): string[] => {
  try {
    return [fileURLToPath(address)];
  } catch {
    // A root need not be a `file:` address.
    return [];
  }
};
