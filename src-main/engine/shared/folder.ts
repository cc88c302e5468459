// A watched folder as a place: it is chosen, there, lost or back. Its identity distinguishes a folder that came back
// from another folder at the same path. Neither case means "all deleted" or "all new".
import { call, wording } from '../../contract/text/wording.ts';
import { AppError, toAppError } from '../../contract/errors.ts';
import type { Existing } from '../../contract/answers.ts';
import { folderSettings, type FolderRules, type OwnRules } from '../../contract/settings.ts';
import { createNameRules, type NameRules } from './names/name-rules.ts';
import { noLinks, type FolderIdentity, type Mounts } from '../ports/files.ts';
import type { Ports, SettingsPort } from '../ports/ports.ts';
import type { Upload, WatchedFolder } from '../ports/uploads.ts';
import { joinPath, relativeTo } from './paths.ts';

/** Its values of this moment; `discover/folders/open-folder.ts` changes them. */
export type ActiveFolder = {
  readonly row: WatchedFolder;
  readonly rules: FolderRules;
  readonly names: NameRules;
  /** No complete scan has judged every name by these rules. */
  readonly judgesAgain: boolean;
  /** What the user wants to do with the pre-existing files. */
  readonly existing: Existing;
  /** What was mounted there when the folder was proven to be the chosen one. Null: the system reports no mounts. */
  readonly mounts: Mounts | null;
};

/** True until the first full scan has recorded the pre-existing files. */
export const isInFirstScan = ({ row }: Pick<ActiveFolder, 'row'>): boolean => !row.baselineDone;

/** Whether this row is of the first scan, so that its file was there when the folder was chosen. */
export const isOfFirstScan = (
  { baselineDone, baselineLastId }: Pick<WatchedFolder, 'baselineDone' | 'baselineLastId'>,
  rowId: number,
): boolean => !baselineDone || rowId <= baselineLastId;

/** A setting that a policy has locked comes first, then the folder's own rules, then the other settings. */
export const rulesOf = (
  settings: Pick<SettingsPort, 'current' | 'isLocked'>,
  { paused = false, ...own }: OwnRules,
): FolderRules => {
  const current = settings.current();
  const rules: Record<string, unknown> = Object.fromEntries(
    folderSettings.map((name) => [
      name,
      settings.isLocked(name) ? current[name] : (own[name] ?? current[name]),
    ]),
  );
  // A policy may forbid pauses; then an earlier one no longer holds.
  return { ...(rules as Omit<FolderRules, 'paused'>), paused: paused && current.allowPause };
};

/** The rules in force in a folder that the ledger knows. */
export const rulesOfFolder = (
  { ledger, settings }: Pick<Ports, 'ledger' | 'settings'>,
  folderId: number,
): FolderRules => rulesOf(settings, ledger.folders.byId(folderId)?.own ?? {});

/** The rules of the folder that a row belongs to. A zip that an agent packed belongs to those of its files. */
export const rulesOfRow = (
  ports: Pick<Ports, 'ledger' | 'settings'>,
  folderOf: (path: string) => Pick<WatchedFolder, 'id'> | null,
  { id, folderId, door }: Pick<Upload, 'id' | 'folderId' | 'door'>,
): FolderRules[] => {
  const inZip = folderId === null && door === 'agent' ? ports.ledger.bundled.pathsIn(id) : [];
  const ids = folderId === null ? inZip.map((path) => folderOf(path)?.id) : [folderId];
  return [...new Set(ids)].flatMap((known) => (known === undefined ? [] : rulesOfFolder(ports, known)));
};

/** The rules as they are now in settings and ledger, for a folder that has this row. */
export const rulesNow = (
  { settings, ignore }: Pick<Ports, 'settings' | 'ignore'>,
  { path, own }: Pick<WatchedFolder, 'path' | 'own'>,
): Pick<ActiveFolder, 'rules' | 'names'> => {
  const rules = rulesOf(settings, own);
  return { rules, names: namesOf({ settings, ignore }, path, rules) };
};

/** The audit file is never shared: each new line would be a new version, and its upload would add another line. */
export const namesOf = (
  { settings, ignore }: Pick<Ports, 'settings' | 'ignore'>,
  folder: string,
  rules: FolderRules,
): NameRules => {
  const { auditFile } = settings.current();
  const inside = auditFile === null ? null : relativeTo(folder, auditFile);
  // A full audit file gets a time after its name.
  const own = inside === null ? [] : ['', '.*'].map((end) => `/${literally(inside)}${end}`);
  return createNameRules({ ...settings.current(), ...rules, ignore: [...rules.ignore, ...own] }, ignore);
};

const literally = (path: string): string => path.replace(/[\\*?[\]! ]/g, '\\$&');

/** Opens a folder of the settings. Throws `folder-unavailable`, `bad-setting`. */
export const openFolder = async (
  ports: Pick<Ports, 'files' | 'ledger' | 'clock' | 'ignore' | 'settings'>,
  path: string,
  existing: Existing,
): Promise<ActiveFolder> => {
  const { files, ledger } = ports;
  // Read first: a disk that is mounted after this counts as another one.
  const mounts = files.mounts(path);
  const identity = await files.identify(path);
  const known = ledger.folders.byPath(path);
  if (known !== null && !(await isSameAgain(ports, known, identity))) throw otherFolder(path);
  const row =
    known === null
      ? ledger.folders.insert({ path, identity, chosenAtMs: ports.clock.wallMs() })
      : renewIdentity(ports, known, identity);
  // A folder that was watched before goes on where it stopped: its pre-existing files were decided then.
  return {
    row,
    ...rulesNow(ports, row),
    judgesAgain: true,
    existing: row.baselineDone ? 'skip' : existing,
    mounts,
  };
};

/** Stores the present identity: an older version stored less of it, and device numbers change. */
const renewIdentity = (
  { ledger }: Pick<Ports, 'ledger'>,
  row: WatchedFolder,
  identity: string,
): WatchedFolder => {
  if (row.identity === identity) return row;
  ledger.folders.update(row.id, { identity });
  return { ...row, identity };
};

/** A container gives a folder a new identity when it mounts its overlay again. Only the user knows it is the same. */
const otherFolder = (path: string): AppError =>
  new AppError(
    'folder-unavailable',
    `${path} does not look like the folder that was chosen: the system gives it another identity (drive, inode or birth time), or cannot tell and none of its known files are there. Outtray waits and uploads nothing from it.`,
    wording`If its drive is not mounted, mount it. If this is the right folder (a container created it again, for example), choose it again with ${call('settings', `set folder "${path}"`)}; what lies in it then is not uploaded.`,
  );

/**
 * The user chooses a folder again after it was replaced. The ledger takes its new identity and keeps its rows. The
 * files in it now are pre-existing files, as in any newly chosen folder.
 */
export const acceptFolder = async (
  ports: Pick<Ports, 'files' | 'ledger' | 'clock'>,
  path: string,
): Promise<void> => {
  const known = ports.ledger.folders.byPath(path);
  if (known === null) return;
  const identity = await ports.files.identify(path);
  if (await isSameAgain(ports, known, identity)) return;
  const chosenAtMs = ports.clock.wallMs();
  ports.ledger.folders.update(known.id, { identity, chosenAtMs, baselineDone: false });
};

/** Null if the folder is there and is the chosen one. Otherwise the reason. */
const whyNot = async (
  files: Pick<Ports['files'], 'identify'>,
  path: string,
  isIt: (identity: FolderIdentity) => boolean | Promise<boolean>,
): Promise<AppError | null> => {
  try {
    return (await isIt(await files.identify(path))) ? null : otherFolder(path);
  } catch (error) {
    return toAppError(error);
  }
};

/** For a folder that was proven before. */
export const whyUnavailable = (
  files: Pick<Ports['files'], 'identify'>,
  { path, identity }: Pick<WatchedFolder, 'path' | 'identity'>,
): Promise<AppError | null> => whyNot(files, path, (now) => isStillSame(identity, now));

/** For one that is not proven yet, or not any more, by the check that a start makes. `prove` gets its identity. */
export const whyUnproven = (
  ports: Pick<Ports, 'files' | 'ledger'>,
  folder: WatchedFolder,
  prove: (identity: FolderIdentity) => void = () => undefined,
): Promise<AppError | null> =>
  whyNot(ports.files, folder.path, async (now) => {
    const isIt = await isSameAgain(ports, folder, now);
    if (isIt) prove(now);
    return isIt;
  });

/**
 * The reason that people see. `isAway`: this process watches the folder and has found it away, so it must be proven
 * again. If it is not watched here, another process may watch it and know its files better than the ledger does.
 */
export const whyNotThere = (
  ports: Pick<Ports, 'files' | 'ledger'>,
  { isAway }: { isAway: (folderId: number) => boolean },
  folder: WatchedFolder,
): Promise<AppError | null> =>
  isAway(folder.id) ? whyUnproven(ports, folder) : whyUnavailable(ports.files, folder);

/** Whether there is a folder that may be the chosen one. */
export const mayFolderBeThere = async (
  files: Pick<Ports['files'], 'identify'>,
  { path, identity }: Pick<WatchedFolder, 'path' | 'identity'>,
): Promise<boolean> =>
  (await whyNot(files, path, (now) => compareFolders(identity, now) !== 'other')) === null;

/** Whether another disk was mounted at the place of the folder since it was proven to be the chosen one. */
export const isExchanged = (
  files: Pick<Ports['files'], 'mounts'>,
  { row, mounts }: Pick<ActiveFolder, 'row' | 'mounts'>,
): boolean => {
  const now = files.mounts(row.path);
  return now !== null && now.own !== mounts?.own;
};

/** Whether the folder is there as it was found. After another mount it may be another one: watching.ts finds out. */
export const isThereStill = async (
  files: Ports['files'],
  active: Pick<ActiveFolder, 'row' | 'mounts'>,
): Promise<boolean> => !isExchanged(files, active) && (await whyUnavailable(files, active.row)) === null;

/**
 * The root with which the file is opened; null for our own zips. A file given by path is recorded by its real path
 * (candidate/spelling.ts), so a link on this path was created later and is not followed.
 */
export const rootOf = (
  ledger: Pick<Ports['ledger'], 'folders' | 'bundled'>,
  { id, folderId, door }: Pick<Upload, 'id' | 'folderId' | 'door'>,
): string | null => {
  const folder = folderId === null || door === 'agent' ? null : ledger.folders.byId(folderId);
  if (folder !== null) return folder.path;
  return ledger.bundled.has(id) ? null : noLinks;
};

// ---------------------------------------------------------------- whether it is the folder that was chosen

// Device and inode numbers are reused, so alone they prove nothing. If nothing else proves the folder, Outtray looks
// for the files that the ledger knows in it.

export type Sameness =
  | 'same'
  /** All known values agree, but another folder could have the same ones. */
  | 'likely'
  /** The values do not decide it. */
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
  // A birth time in whole seconds is when the file system was made. Another one may be of the same second.
  if (isBirthEqual && before.inode !== '0') return before.birth.endsWith('000000000') ? 'likely' : 'same';
  if (isMountEqual) return 'likely';
  return before.isOld && before.device === after.device && before.inode !== '' ? 'likely' : 'untold';
};

const fromServer = 'from=';

/** 0: the disk does not provide this value. */
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

/** While the watch runs, only the identities are compared. */
export const isStillSame = (known: FolderIdentity, now: FolderIdentity): boolean => {
  const sameness = compareFolders(known, now);
  return sameness === 'same' || sameness === 'likely' || (sameness === 'untold' && known === now);
};

/** At the start, and when the folder is back. If the identities prove nothing, the known files in the folder decide. */
const isSameAgain = async (
  ports: Pick<Ports, 'files' | 'ledger'>,
  folder: WatchedFolder,
  now: FolderIdentity,
): Promise<boolean> => {
  const sameness = compareFolders(folder.identity, now);
  if (sameness === 'same' || sameness === 'other') return sameness === 'same';
  // This is safe: the first scan treats all files as pre-existing, so none is uploaded by itself.
  if (!folder.baselineDone) return true;
  const familiar = await isFamiliar(ports, folder);
  return familiar ?? sameness === 'likely';
};

/** Enough to find one that is still there; each costs a look at the disk. */
const sample = { folders: 8, files: 8 };

/** Whether a known file is in the folder, unchanged. Null: no file is known, or the folder is empty. */
const isFamiliar = async (
  { files, ledger }: Pick<Ports, 'files' | 'ledger'>,
  folder: Pick<WatchedFolder, 'id' | 'path'>,
): Promise<boolean | null> => {
  let known = 0;
  for (const dir of ledger.uploads.presentDirs(folder.id).slice(0, sample.folders)) {
    let inDir = 0;
    for (const id of ledger.uploads.presentIn(folder.id, dir)) {
      if (inDir === sample.files) break;
      const row = ledger.uploads.byId(id);
      // A file given by path may lie on another disk that was mounted here then.
      if (row === null || row.stamp === null || row.door !== 'folder') continue;
      inDir += 1;
      const there = await files.look(joinPath(row.dir, row.name)).catch(() => null);
      if (there?.stamp?.sizeBytes === row.stamp.sizeBytes && there.stamp.mtimeMs === row.stamp.mtimeMs)
        return true;
    }
    known += inDir;
  }
  if (known === 0) return null;
  const listing = await files.list(folder.path);
  return listing.ok && listing.found.length === 0 ? null : false;
};
