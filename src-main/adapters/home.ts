// The data folder: where it is, what is in it, and that nobody else can read it. The app and the command share it.
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { AppError } from '../contract/errors.ts';
import { fromFileSystem } from './storage.ts';

/** Every file Outtray keeps, relative to the data folder. */
export const homeFiles = {
  ledger: {
    path: 'ledger.sqlite',
    holds: 'everything that happened to each file (with -wal and -shm beside it)',
  },
  settings: { path: 'settings.json', holds: 'what you changed in the settings' },
  engineLock: { path: 'engine.lock', holds: 'which process watches and uploads' },
  engineHolder: { path: 'engine.json', holds: 'who that is, for the message to a second one' },
  wake: { path: 'wake', holds: 'touched by the command to tell the running app to look at the ledger' },
  log: { path: 'log/outtray.log', holds: 'the log, three files of 1 MiB at most, without your key' },
} as const;

export type HomeFile = keyof typeof homeFiles;

/** Absolute paths. */
export type Home = { folder: string } & Record<HomeFile, string>;

/**
 * Finds and creates the data folder: `given` (--home), then OUTTRAY_HOME, then the platform's own place. It is private
 * (0700) afterwards. Throws `bad-use` when the place cannot be used, `disk` when the disk is full.
 */
export const openHome = (given: string | undefined, env: NodeJS.ProcessEnv): Home => {
  const named = given ?? env['OUTTRAY_HOME'] ?? '';
  const folder = named === '' ? envPaths('outtray', { suffix: '' }).data : resolve(named);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (process.platform !== 'win32') makePrivate(folder);
  } catch (error) {
    throw error instanceof AppError ? error : translate(folder, error);
  }
  const at = (file: HomeFile) => join(folder, homeFiles[file].path);
  return {
    folder,
    ledger: at('ledger'),
    settings: at('settings'),
    engineLock: at('engineLock'),
    engineHolder: at('engineHolder'),
    wake: at('wake'),
    log: at('log'),
  };
};

const makePrivate = (folder: string) => {
  const { uid, mode } = statSync(folder);
  const myUid = process.getuid?.();
  if (uid !== myUid && myUid !== 0) {
    throw new AppError(
      'bad-use',
      `${folder} belongs to another user.`,
      'Choose a folder of your own with --home.',
    );
  }
  if ((mode & 0o077) === 0) return;
  // A mistyped --home may name /tmp or the documents: their modes are not ours to change.
  if (!isOursOrEmpty(folder)) {
    throw new AppError(
      'bad-use',
      `${folder} can be read by others and holds files that are not Outtray's.`,
      'Choose an empty folder with --home or OUTTRAY_HOME.',
    );
  }
  chmodSync(folder, 0o700);
};

const isOursOrEmpty = (folder: string): boolean => {
  const names = readdirSync(folder);
  const ours = [homeFiles.ledger.path, homeFiles.settings.path, homeFiles.engineLock.path];
  return names.length === 0 || ours.some((name) => names.includes(name));
};

const translate = (folder: string, error: unknown): AppError => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const below = fromFileSystem(error);
  if (below !== null && below.storage !== 'refused') return below;
  return new AppError(
    'bad-use',
    `The data folder ${folder} cannot be used (${code}).`,
    'Choose another folder with --home or OUTTRAY_HOME.',
    { cause: error },
  );
};
