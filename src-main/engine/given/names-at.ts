// Which rules for names judge a file that somebody gives: those of the watched folder in which it lies, else those of
// the settings.

import { isByPerson } from '../../contract/model.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload, WatchedFolder } from '../ports/uploads.ts';
import { rulesNow, type ActiveFolder } from '../shared/folder.ts';
import { createNameRules, judgeByHand, type NameVerdict } from '../shared/names/name-rules.ts';
import { joinPath, relativeTo, splitPath } from '../shared/paths.ts';
import { namedFile } from '../shared/sent-name.ts';

export type FolderOf = (path: string) => WatchedFolder | null;

/** `root`: the given folder, which the settings' patterns refer to. */
export type NamesAt = (path: string, root: string) => NameVerdict;

/**
 * With the settings of this moment. `agent`: an agent gives the files. Its roots are what the patterns refer to, and the
 * subfolders of a folder that is watched without them are kept out.
 */
export const createNamesAt = (
  ports: Pick<Ports, 'settings' | 'ignore'>,
  folderOf: FolderOf,
  agent: { roots: readonly string[] } | null,
): NamesAt => {
  const general = createNameRules(ports.settings.current(), ports.ignore);
  const known = new Map<string, ReturnType<typeof rulesNow>>();
  const rulesIn = (folder: WatchedFolder): ReturnType<typeof rulesNow> => {
    const rules = known.get(folder.path) ?? rulesNow(ports, folder);
    known.set(folder.path, rules);
    return rules;
  };
  const below = (from: string, path: string) => namedFile(relativeTo(from, path) ?? splitPath(path).name);
  let last: { dir: string; folder: WatchedFolder | null } | null = null;
  return (path, root) => {
    const { dir } = splitPath(path);
    if (last?.dir !== dir) last = { dir, folder: folderOf(path) };
    const { folder } = last;
    if (folder === null) {
      const from = agent?.roots.find((one) => relativeTo(one, path) !== null) ?? root;
      return general.judge(below(from, path));
    }
    const { rules, names } = rulesIn(folder);
    if (agent !== null && !rules.recursive && dir !== folder.path) return { kind: 'skip', rule: 'ignored' };
    return names.judge(below(folder.path, path));
  };
};

/**
 * The same for a row that has settled. A person names a file in spite of the rules of its folder. What arrives in the
 * folder or is given by an agent keeps to them, whichever process watches the folder. `active`: the folder, if this one does.
 */
export const nameVerdict = (
  ports: Pick<Ports, 'settings' | 'ignore' | 'ledger'>,
  row: Pick<Upload, 'folderId' | 'dir' | 'name' | 'door'>,
  active: Pick<ActiveFolder, 'rules' | 'names'> | null,
): NameVerdict => {
  const path = joinPath(row.dir, row.name);
  const folder =
    row.folderId === null || isByPerson(row.door) ? null : ports.ledger.folders.byId(row.folderId);
  if (folder === null) return judgeByHand(ports.settings.current(), namedFile(path));
  const { rules, names } = active ?? rulesNow(ports, folder);
  // Where the folder is watched, its scan ends the rows of subfolders that are left out.
  const isLeftOut = active === null && !rules.recursive && row.dir !== folder.path;
  if (isLeftOut) return { kind: 'skip', rule: 'ignored' };
  return names.judge(namedFile(relativeTo(folder.path, path) ?? path));
};
