// Paths as text. The engine knows no operating system: both separators are read, the folder's own is kept.
import { deepestFolder } from '../ports/files.ts';

/** The folder of what has no path: a link of another machine. */
export const nowhere = '.';

export const joinPath = (folder: string, name: string): string => withSeparator(folder) + name;

/** A share of a server, or the server: nothing is above it, and a look there would ask the network. */
const shareRoot = /^\\\\[^\\/]+(?:\\[^\\/]+)?$/;

export const splitPath = (path: string): { dir: string; name: string } => {
  if (shareRoot.test(path)) return { dir: path, name: '' };
  const at = Math.max(path.lastIndexOf('/'), separatorOf(path) === '\\' ? path.lastIndexOf('\\') : -1);
  if (at < 0) return { dir: nowhere, name: path };
  const isRoot = at === 0 || path[at - 1] === ':';
  return { dir: path.slice(0, isRoot ? at + 1 : at), name: path.slice(at + 1) };
};

/** The path below `root` with `/`, or null when it is not below it. */
export const relativeTo = (root: string, path: string): string | null => {
  const base = withSeparator(root);
  if (!path.startsWith(base)) return null;
  const rest = path.slice(base.length);
  return separatorOf(root) === '\\' ? rest.replaceAll('\\', '/') : rest;
};

/** Whether a folder is more than `deepestFolder` levels below the root. Nothing in such a folder is read. */
export const isTooDeep = (root: string, folder: string): boolean => {
  const way = relativeTo(root, folder);
  return way !== null && isTooLongWay(way);
};

/** The same for a path relative to the root, with `/`. */
export const isTooLongWay = (way: string): boolean => way.split('/').length > deepestFolder;

/** The deepest folder that is or contains each of the two; null: there is none. */
export const commonFolder = (one: string, other: string): string | null => {
  for (let dir = one, below = ''; dir !== below; below = dir, { dir } = splitPath(dir))
    if (dir === other || relativeTo(dir, other) !== null) return dir;
  return null;
};

/** Equal for two paths that are the same one where the disk ignores case. */
export const foldedPath = (path: string): string => path.normalize('NFC').toLowerCase();

const withSeparator = (folder: string): string =>
  folder.endsWith('/') || folder.endsWith(separatorOf(folder)) ? folder : folder + separatorOf(folder);

/** A drive letter or a share makes it a Windows path; a backslash alone is a valid character elsewhere. */
const separatorOf = (path: string): '/' | '\\' => (/^[a-z]:[\\/]|^\\\\/i.test(path) ? '\\' : '/');
