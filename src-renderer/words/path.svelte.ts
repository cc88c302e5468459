// How a path is shown: on one line of plain text (name.ts), and a path in the home of the user begins with `~`.
import { plainName } from './name.ts';

let home = $state('');

/** `folder`: the user's home; empty on a system that does not use `~`. Called once, before a path is shown. */
export const noteHome = (folder: string): void => {
  home = folder.replace(/\/+$/, '');
};

export const plainPath = (path: string): string => {
  if (home === '' || !(path === home || path.startsWith(`${home}/`))) return plainName(path);
  return plainName(`~${path.slice(home.length)}`);
};
