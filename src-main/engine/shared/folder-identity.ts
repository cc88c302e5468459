// Whether what lies at the path of a watched folder is that folder. An identity is `device:inode:birth time:mount`
// (`FolderIdentity` in ports.ts). Numbers of devices and inodes are given again, so alone they prove nothing. Where nothing
// proves it, the files that the ledger knows in the folder are looked for.
import { joinPath } from './paths.ts';
import type { FolderIdentity, Ports, WatchedFolder } from '../ports.ts';

export type Sameness =
  | 'same'
  /** What there is agrees, and another folder could look like it. */
  | 'likely'
  /** Nothing tells. */
  | 'untold'
  | 'other';

export const compareFolders = (known: FolderIdentity, now: FolderIdentity): Sameness => {
  const [before, after] = [parse(known), parse(now)];
  if (before === null || after === null) return known === now ? 'same' : 'other';
  const isBirthEqual = before.birth !== '0' && before.birth === after.birth;
  const isMountEqual = before.mount !== '' && before.mount === after.mount;
  if (differ(before.inode, after.inode) || differ(before.birth, after.birth)) return 'other';
  if (before.mount !== '' && after.mount !== '' && !isMountEqual) {
    // The same server may be mounted by another name. Then inode and birth time must agree.
    const isNamedByServer = [before, after].every(({ mount }) => mount.startsWith(fromServer));
    return isNamedByServer && isBirthEqual && before.inode !== '0' ? 'likely' : 'other';
  }
  if (isMountEqual && !before.mount.startsWith(fromServer)) return 'same';
  // A whole second is the time at which a file system was made: another one may be of the same second.
  if (isBirthEqual && before.inode !== '0') return before.birth.endsWith('000000000') ? 'likely' : 'same';
  if (isMountEqual) return 'likely';
  return before.isOld && before.device === after.device && before.inode !== '' ? 'likely' : 'untold';
};

const fromServer = 'from=';

/** 0: the disk does not tell. */
const differ = (before: string, after: string): boolean =>
  before !== '0' && after !== '0' && before !== after;

/** `isOld`: written before the mount was part of it. Null: not of this form. */
const parse = (
  identity: FolderIdentity,
): { device: string; inode: string; birth: string; mount: string; isOld: boolean } | null => {
  const [device = '', inode, birth, ...mount] = identity.split(':');
  if (inode === undefined || birth === undefined) return null;
  return { device, inode, birth, mount: mount.join(':'), isOld: mount.length === 0 };
};

/** While the watch runs: a look at the identity only. */
export const isStillSame = (known: FolderIdentity, now: FolderIdentity): boolean => {
  const sameness = compareFolders(known, now);
  return sameness === 'same' || sameness === 'likely' || (sameness === 'untold' && known === now);
};

/** At the start, and when the folder is back: what proves nothing is compared with the files that are known in it. */
export const isSameAgain = async (
  ports: Pick<Ports, 'files' | 'ledger'>,
  folder: WatchedFolder,
  now: FolderIdentity,
): Promise<boolean> => {
  const sameness = compareFolders(folder.identity, now);
  if (sameness === 'same' || sameness === 'other') return sameness === 'same';
  // Nothing of it goes up by itself: a first scan takes all for pre-existing files.
  if (!folder.baselineDone) return true;
  const familiar = await isFamiliar(ports, folder);
  return familiar ?? sameness === 'likely';
};

/** Enough to meet one that is still there; each costs a look. */
const sample = { folders: 8, files: 8 };

/** Whether known files lie in the folder as they were. Null: none are known, or it is empty. */
const isFamiliar = async (
  { files, ledger }: Pick<Ports, 'files' | 'ledger'>,
  folder: Pick<WatchedFolder, 'id' | 'path'>,
): Promise<boolean | null> => {
  let known = 0;
  for (const dir of ledger.uploads.presentDirs(folder.id).slice(0, sample.folders)) {
    for (const id of ledger.uploads.presentIn(folder.id, dir).slice(0, sample.files)) {
      const row = ledger.uploads.byId(id);
      if (row === null || row.stamp === null) continue;
      known += 1;
      const there = await files.look(joinPath(row.dir, row.name)).catch(() => null);
      if (there?.stamp?.sizeBytes === row.stamp.sizeBytes && there.stamp.mtimeMs === row.stamp.mtimeMs)
        return true;
    }
  }
  if (known === 0) return null;
  const listing = await files.list(folder.path);
  return listing.ok && listing.found.length === 0 ? null : false;
};
