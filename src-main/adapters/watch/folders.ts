// The two questions the tree asks the disk.
import { lstatSync, opendirSync, readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fromLatin1Name, joinPath, toSystemPath } from '../files/paths.ts';

/** Tells a folder from another one at its path, also where inode numbers are used again; null: no folder there. */
export const identityOf = (folder: string): string | null => {
  try {
    const stats = lstatSync(toSystemPath(folder), { bigint: true });
    return stats.isDirectory() ? `${stats.dev}:${stats.ino}:${stats.birthtimeNs}` : null;
  } catch {
    return null;
  }
};

/** Names of the subfolders (never links); empty when the folder is gone or closed to us. */
export const subfoldersOf = async (folder: string): Promise<string[]> => {
  try {
    return await subfoldersByType(folder);
  } catch {
    // Gone or closed to us, or a file system that tells no types: then Node looks at the latin1 name itself.
    return subfoldersByLook(folder);
  }
};

const subfoldersByType = async (folder: string): Promise<string[]> => {
  const names: string[] = [];
  const directory = opendirSync(toSystemPath(folder), { encoding: 'latin1', bufferSize: 256 });
  try {
    let seen = 0;
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      if (entry.isDirectory()) names.push(fromLatin1Name(entry.name));
      seen += 1;
      if (seen % 4096 === 0) await nextTurn(); // about 4 ms
    }
  } finally {
    directory.closeSync();
  }
  return names;
};

const subfoldersByLook = (folder: string): string[] => {
  try {
    const names = readdirSync(toSystemPath(folder), 'latin1').map(fromLatin1Name);
    return names.filter((name) => identityOf(joinPath(folder, name)) !== null);
  } catch {
    return []; // its own event, or the scan, says so
  }
};
