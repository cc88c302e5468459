// The data folder: its place and its content. No other user can read it. The app and the command share it.
import { option, wording } from '../../contract/text/wording.ts';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { AppError } from '../../contract/errors.ts';
import { fromFileSystem } from './storage.ts';

/** Every file Outtray keeps, relative to the data folder. */
export const homeFiles = {
  ledger: {
    path: 'ledger.sqlite',
    holds: 'everything that happened to each file (with -wal and -shm beside it)',
  },
  settings: { path: 'settings.json', holds: 'what you changed in the settings' },
  settingsCopy: {
    path: 'settings.good.json',
    holds: 'the settings when they were last read without a fault',
  },
  folderId: { path: 'folder.json', holds: 'which entry of the keychain belongs to this data folder' },
  settingsLock: { path: 'settings.lock', holds: 'which process writes the settings' },
  engineLock: { path: 'engine.lock', holds: 'which process watches and uploads' },
  engineHolder: { path: 'engine.json', holds: 'who that is, for the message to a second one' },
  wake: { path: 'wake', holds: 'touched by the command to tell the running app to look at the ledger' },
  erase: { path: 'erase', holds: 'nothing; with it, the next start removes all of these files' },
  spool: { path: 'spool', holds: 'bundles and standard input, each until its upload is over' },
  log: { path: 'log/outtray.log', holds: 'the log, three files of 1 MiB at most, without your key' },
} as const;

export type HomeFile = keyof typeof homeFiles;

/** The profile that needs no name: its data folder is the one that holds those of all others. */
export const defaultProfile = 'default';
const profilesFolder = 'profiles';
/** The most that are listed. */
const mostProfiles = 1000;

/** Windows keeps these names for devices. */
const deviceNames = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** The same in capitals: not every file system tells them apart. */
const isProfileName = (name: string): boolean =>
  /^[a-z\d][a-z\d_-]{0,31}$/.test(name) && !deviceNames.test(name);

/** `env` with this profile (--profile); as it is where none is named. Throws `bad-use`. */
export const withProfile = (env: NodeJS.ProcessEnv, name: string | undefined): NodeJS.ProcessEnv => {
  if (name === undefined) return env;
  if (!isProfileName(name.toLowerCase())) throw noProfileName();
  return { ...env, OUTTRAY_PROFILE: name };
};

const noProfileName = (): AppError =>
  new AppError(
    'bad-use',
    'This cannot be the name of a profile.',
    'Use at most 32 letters (a to z), digits, hyphens and underscores, such as work. The first is a letter or digit, and names of devices, such as con, are not possible.',
  );

const profileIn = (env: NodeJS.ProcessEnv): string | null => {
  const name = (env['OUTTRAY_PROFILE'] ?? '').toLowerCase();
  if (name === '' || name === defaultProfile) return null;
  if (isProfileName(name)) return name;
  throw noProfileName();
};

/** `root`: the data folder of the default profile, which has those of all others in it. `profile`: null for it. */
export type DataPlace = { root: string; folder: string; profile: string | null };

/**
 * `given` (--home) is the data folder itself. Else the profile of OUTTRAY_PROFILE, below OUTTRAY_HOME or the platform's
 * own place. Throws `bad-use` for what is no name of a profile.
 */
export const dataPlace = (
  given: string | undefined,
  env: NodeJS.ProcessEnv,
  cwd = process.cwd(),
): DataPlace => {
  const named = given ?? env['OUTTRAY_HOME'] ?? '';
  const root = named === '' ? envPaths('outtray', { suffix: '' }).data : resolve(cwd, named);
  const profile = given === undefined ? profileIn(env) : null;
  return { root, profile, folder: profile === null ? root : join(root, profilesFolder, profile) };
};

/** The profiles that have data below this root with their data folders, the default one first. */
export const profilesIn = (root: string): { name: string; folder: string }[] => {
  const below = join(root, profilesFolder);
  const names = existsSync(below) ? readdirSync(below).filter(isProfileName).toSorted() : [];
  return [
    { name: defaultProfile, folder: root },
    ...names.slice(0, mostProfiles).map((name) => ({ name, folder: join(below, name) })),
  ].filter(({ folder }) => existsSync(join(folder, homeFiles.ledger.path)));
};

/** Absolute paths. `isDefault`: it is the platform's own place. */
export type Home = DataPlace & { isDefault: boolean } & Record<HomeFile, string>;

/**
 * Finds and creates the data folder. It is private (0700) afterwards. Throws `bad-use` when the place cannot be used,
 * when it or one of its files belongs to another user, or when a link is in the place of a file; `ledger` when one of
 * its files is of another kind or cannot get its rights back; `disk` when the disk is full.
 */
export const openHome = (given: string | undefined, env: NodeJS.ProcessEnv, cwd = process.cwd()): Home => {
  const named = given ?? env['OUTTRAY_HOME'] ?? '';
  const { folder, root, profile } = dataPlace(given, env, cwd);
  try {
    if (named === '') demandOwnPlace(folder);
    makeFolder(root);
    // The platform's own place is ours by its name; on macOS Electron keeps its files in it too.
    if (named !== '') demandOurs(root);
    makeFolder(folder);
    if (process.platform !== 'win32') for (const one of new Set([root, folder])) makePrivate(one);
    // Only now no other user can put a link there.
    refuseLinks(folder, isOurFile);
    demandKinds(folder);
    // Only now can it be read in every case.
    refuseLinks(dirname(join(folder, homeFiles.log.path)), () => true);
  } catch (error) {
    throw error instanceof AppError ? error : translate(folder, error);
  }
  const real = realFolder(folder);
  const at = (file: HomeFile) => join(real, homeFiles[file].path);
  return {
    folder: real,
    root: realFolder(root),
    profile,
    isDefault: real === realFolder(dataPlace(undefined, {}).folder),
    ledger: at('ledger'),
    settings: at('settings'),
    settingsCopy: at('settingsCopy'),
    folderId: at('folderId'),
    settingsLock: at('settingsLock'),
    engineLock: at('engineLock'),
    engineHolder: at('engineHolder'),
    wake: at('wake'),
    erase: at('erase'),
    spool: at('spool'),
    log: at('log'),
  };
};

/** Paths are spelled with their links resolved (files/spelling.ts), and a row of the spool is found by its path. */
const realFolder = (folder: string): string => {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder; // some drives of Windows give no real paths
  }
};

const makePrivate = (folder: string) => {
  const { uid, mode } = statSync(folder);
  if (uid !== process.getuid?.()) throw ofAnother(folder);
  if ((mode & 0o077) !== 0) changeMode(folder, 0o700);
};

/**
 * `sudo` may keep the variables of the user who calls it; root would then make files that this user cannot write, and
 * write where this user put links.
 */
const demandOwnPlace = (folder: string): void => {
  if (process.getuid?.() !== 0) return;
  let above = folder;
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above);
  if (statSync(above).uid !== 0) throw ofAnother(above);
};

const ofAnother = (folder: string): AppError =>
  new AppError(
    'bad-use',
    `${folder} belongs to another user.`,
    process.getuid?.() === 0
      ? wording`Run Outtray as that user, without sudo, or name a folder of root with ${option('--home')}.`
      : wording`Choose a folder of your own with ${option('--home')}.`,
  );

/** What Outtray opens for writing: a link in such a place would lead the write elsewhere. */
const isOurFile = (name: string): boolean => isProof(name) || ourNames.has(name);

const refuseLinks = (folder: string, isOurs: (name: string) => boolean): void => {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const entries = readdirSync(folder, { withFileTypes: true });
  const name = entries.find((entry) => entry.isSymbolicLink() && isOurs(entry.name))?.name;
  if (name === undefined) return;
  const link = join(folder, name);
  throw new AppError(
    'bad-use',
    `${link} is a link. Outtray follows none in its data folder: what it writes would end up elsewhere.`,
    'Put the file itself there, or remove the link. The data folder as a whole may be a link.',
  );
};

const ourFolders: ReadonlySet<string> = new Set([homeFiles.spool.path, 'log', 'pasted']);

/**
 * Reports a folder in the place of a file, or the other way round, before anything is opened. Gives back rights that
 * the account itself has lost; settings may stay read-only.
 */
const demandKinds = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    // A copy that a person keeps beside the ledger may be anything.
    if (!ourNames.has(entry.name) && entry.name !== 'ledger.witness') continue;
    const place = join(folder, entry.name);
    const isFolder = ourFolders.has(entry.name);
    if (!(isFolder ? entry.isDirectory() : entry.isFile()))
      throw new AppError(
        'ledger',
        `${place} is not a ${isFolder ? 'folder' : 'file'}, and Outtray needs its own there.`,
        'Move it elsewhere, and start Outtray again: it makes a new one.',
      );
    if (process.platform === 'win32') continue;
    const needed = isFolder ? 0o700 : entry.name === homeFiles.settings.path ? 0o400 : 0o600;
    const { mode, uid } = lstatSync(place, { throwIfNoEntry: false }) ?? { mode: needed, uid: null };
    // Another user may have put it there, and settings name a program to run. Root may provide settings.
    if (uid !== null && uid !== 0 && uid !== process.getuid?.())
      throw new AppError(
        'bad-use',
        `${place} belongs to another user.`,
        'Make it yours (chown), or move it elsewhere, and start Outtray again.',
      );
    if ((mode & needed) !== needed) giveRights(place, (mode & 0o777) | needed);
  }
};

/** On a read-only disk the files can still be read. */
const changeMode = (place: string, mode: number): void => {
  try {
    chmodSync(place, mode);
  } catch (error) {
    if (fromFileSystem(error)?.storage !== 'read-only') throw error;
  }
};

const giveRights = (place: string, mode: number): void => {
  try {
    changeMode(place, mode);
  } catch (error) {
    throw new AppError(
      'ledger',
      `${place} cannot be read and written by your account.`,
      'Make it yours (chown), or move it elsewhere, and start Outtray again.',
      { cause: error },
    );
  }
};

/**
 * The folder and its missing parents, one by one: Node's own `recursive` never ends where a parent exists but accepts
 * no folder (`/proc/x/y`; github.com/nodejs/node, src/node_file.cc, MKDirpSync).
 */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST' && existsSync(folder)))
      throw error;
  }
};

/** Only Outtray makes these; a `settings.json` is in the folders of other programs too. */
const isProof = (name: string): boolean =>
  name === homeFiles.engineLock.path || name.startsWith(homeFiles.ledger.path) || name === 'ledger.witness';
/** The names directly below a data folder. */
const ourNames = new Set([...Object.values(homeFiles).map(({ path }) => path.split('/')[0] ?? ''), 'pasted']);
const ledgersOfOurs =
  /^ledger\.sqlite(?:\.(?:damaged-[\dTZ-]+|version-\d+|suspect))?(?:-wal|-shm|-journal)?$/;
/** Drafts have the name of their file and an ending. */
const withoutEnding = (name: string): string => name.replace(/\.(?:\d+|new)(?:-journal)?$/, '');

/** Whether Outtray makes files of this name directly below its data folder; a copy that a person keeps there is none. */
export const isOwnFile = (name: string): boolean => {
  const own = withoutEnding(name);
  return ourNames.has(own) || own === 'ledger.witness' || ledgersOfOurs.test(own);
};

/** Those, the data folders of profiles, and what systems put into empty folders. */
const harmless = new Set([...ourNames, profilesFolder, ...['lost+found', '.DS_Store', 'desktop.ini']]);
/** Drafts too: another process may start at the same time. */
const isHarmless = (name: string): boolean => harmless.has(withoutEnding(name));

/**
 * A mistyped `--home` may name the documents, `/tmp` or the folder of another program. Outtray must not change its
 * modes or write its settings.json, and a reset must remove nothing there.
 */
const demandOurs = (folder: string): void => {
  const names = readdirSync(folder);
  if (names.every(isHarmless) || names.some(isProof)) return;
  throw new AppError(
    'bad-use',
    `${folder} holds files that are not Outtray's, and no data of Outtray.`,
    wording`Name an empty folder, or one that does not exist yet, with ${option('--home')} or OUTTRAY_HOME.`,
  );
};

const translate = (folder: string, error: unknown): AppError => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const below = fromFileSystem(error);
  if (below !== null && below.storage !== 'refused') return below;
  return new AppError(
    'bad-use',
    `The data folder ${folder} cannot be used (${code}).`,
    wording`Choose another folder with ${option('--home')} or OUTTRAY_HOME.`,
    { cause: error },
  );
};
