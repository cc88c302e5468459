// Which files an agent may name: those in the folders of the setting agentRoots and, where the client offers roots, in
// one of these, too. Judged by real paths; the engine opens the file over no link, so that a later swap lets nothing out.
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWithin } from '../../adapters/files/paths.ts';
import { AppError } from '../../contract/errors.ts';
import { watchedPaths, type Settings } from '../../contract/settings.ts';

export type Roots = {
  /** Real folders of the setting: what the engine holds the files to. */
  folders: readonly string[];
  /** The real path of a file or folder that may be named. Throws `outside`, `gone`, `bad-use`, `not-a-file`. */
  accept(path: string): string;
  /** Whether the agent may hear of a file at this path. */
  covers(path: string): boolean;
};

/** `offered`: addresses of the client's roots; null: it offers none, and the setting alone counts. */
export const createRoots = (
  { agentRoots, ...watched }: Pick<Settings, 'agentRoots' | 'folder' | 'folders'>,
  offered: readonly string[] | null,
): Roots => {
  const named = agentRoots.length > 0 ? agentRoots : watchedPaths(watched);
  const folders = named.flatMap(realFolder);
  const ofClient = offered === null ? null : offered.flatMap(folderOf);
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
    accept(path) {
      if (path.includes('\0') || !isAbsolute(path))
        throw new AppError('bad-use', 'A path must be absolute and without NUL.', 'Give the whole path.');
      const real = realPath(path);
      if (real === null) {
        // Nothing is told of what lies, or does not lie, outside.
        if (!covers(nearest(path))) throw outside(nearest(path));
        throw new AppError('gone', 'There is no such file.', 'Check the path.');
      }
      if (!covers(real)) throw outside(real);
      if (lstatSync(path).isSymbolicLink())
        throw new AppError('not-a-file', 'This is a symbolic link.', 'Name the file that it leads to.');
      return real;
    },
  };
};

const realPath = (path: string): string | null => {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
};

/** The real path of the last folder on the way that is there, with the next name, which is not. */
const nearest = (path: string): string => {
  for (let at = path, dir = dirname(at); dir !== at; at = dir, dir = dirname(at)) {
    const real = realPath(dir);
    if (real !== null) return join(real, basename(at));
  }
  return path;
};

const realFolder = (path: string): string[] => {
  const real = realPath(path);
  return real === null ? [] : [real];
};

const folderOf = (address: string): string[] => {
  try {
    return realFolder(fileURLToPath(address));
  } catch {
    // Roots need not be files.
    return [];
  }
};
