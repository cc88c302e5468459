// What can be wrong with the disk and the folder that hold Outtray's own files: the system's error code as one
// sentence, and a probe of the folder itself. SQLite often reports only that something failed.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError, type ErrorCode, type StorageFault } from '../../contract/errors.ts';
import { systemCode } from '../system-code.ts';

/** A few commits of the ledger: with less room the next one would fail again. */
const probeBytes = 256 * 1024;
const readBytes = 1024 * 1024;

const causes: Readonly<Record<string, StorageFault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EIO: 'failed',
  ENXIO: 'failed',
  ENODEV: 'failed',
  ENOTCONN: 'failed',
  ESTALE: 'failed',
  ESHUTDOWN: 'failed',
  ECONNABORTED: 'failed',
  EHOSTDOWN: 'failed',
  EHOSTUNREACH: 'failed',
  ENOLINK: 'failed',
  EREMOTEIO: 'failed',
  ETIMEDOUT: 'failed',
  EMFILE: 'handles',
  ENFILE: 'handles',
  EACCES: 'refused',
  EPERM: 'refused',
  EBUSY: 'refused',
  EEXIST: 'refused',
  ENOENT: 'refused',
  ENOTDIR: 'refused',
  EISDIR: 'refused',
};

const codes: Record<StorageFault, ErrorCode> = {
  full: 'disk',
  'read-only': 'disk',
  failed: 'disk',
  refused: 'ledger',
  locked: 'ledger',
  handles: 'ledger',
  gone: 'ledger',
  damaged: 'ledger',
  newer: 'ledger-newer',
};

export const storageError = (storage: StorageFault, cause?: unknown): AppError => {
  const { message, remedy } = textOf(storage, cause);
  return new AppError(codes[storage], message, remedy, { storage, cause });
};

/** SQLite reports "busy" when a disk gives no locks at all (os_unix.c, sqliteErrorFromPosixError). */
export const withoutLocks = (cause?: unknown): AppError =>
  new AppError(
    'ledger',
    'The disk with the data folder does not support locks, so two programs could write the ledger at once.',
    'Put the data folder on a local disk, or mount the share with locks.',
    { storage: 'refused', cause },
  );

/** What an error of the file system means for the disk with the data folder; null when it is not about that disk. */
export const fromFileSystem = (error: unknown): AppError | null => {
  const storage = causes[systemCode(error)];
  return storage === undefined ? null : storageError(storage, error);
};

/** A lack of file handles can break anything. Null when it is not what broke. */
export const fromHandles = (error: unknown): AppError | null => {
  const below = fromFileSystem(error);
  return below?.storage === 'handles' ? below : null;
};

const textOf = (storage: StorageFault, cause: unknown): { message: string; remedy: string } => {
  const said = cause instanceof Error ? ` (${cause.message})` : '';
  switch (storage) {
    case 'full':
      return {
        message: 'The disk with the data folder is full.',
        remedy: 'Free some space; nothing is sent until its outcome can be recorded.',
      };
    case 'read-only':
      return {
        message: 'The disk with the data folder is read-only.',
        remedy: 'Mount it writable. A system makes a disk read-only after a fault, so check the disk first.',
      };
    case 'failed':
      return {
        message: `The disk with the data folder failed${said}.`,
        remedy: 'Check the disk and its connection, then start Outtray again.',
      };
    case 'handles':
      return systemCode(cause) === 'ENFILE'
        ? {
            message: 'The system has no file handles left.',
            remedy: moreHandles(process.platform, 'Allow more: sudo sysctl fs.file-max=1000000'),
          }
        : {
            message: `Outtray uses all of the ${handleLimit()} file handles that it is allowed.`,
            remedy: moreHandles(
              process.platform,
              'Allow more (`ulimit -n 65536`, or LimitNOFILE=65536 for a service), then start Outtray again.',
            ),
          };
    case 'gone':
      return {
        message: 'The data folder was deleted or replaced while Outtray was running; nothing is sent.',
        remedy: 'Put the data folder back if you have it, then start Outtray again.',
      };
    case 'locked':
      return {
        message: 'Another program has kept the ledger locked.',
        remedy: 'Close programs that have the data folder open (a backup, a database viewer) and try again.',
      };
    case 'damaged':
      return {
        message: 'The ledger, the file in which Outtray records its uploads, is damaged.',
        remedy:
          'Start Outtray again: it sets the damaged file aside, keeps it, and holds what may have been uploaded.',
      };
    case 'newer':
      return {
        message:
          'The ledger is now that of another version of Outtray; this one records and sends nothing more.',
        remedy: 'Start Outtray again, and update it if it refuses the ledger.',
      };
    case 'refused':
      return {
        message: `The ledger cannot be opened for writing${said}.`,
        remedy: 'Make the data folder and the files in it writable for your account.',
      };
  }
};

/**
 * Writes a small file into the folder, flushes it and deletes it. Returns what is wrong; null when all is well.
 */
export const probeFolder = (folder: string): AppError | null => {
  // Another process may probe at the same time.
  const file = join(folder, `probe-${process.pid}`);
  try {
    // A new file: what lies there by this name is never written through.
    rmSync(file, { force: true });
    const handle = openSync(file, 'wx', 0o600);
    try {
      writeFileSync(handle, Buffer.alloc(probeBytes));
      // A disk that was pulled out takes writes into memory; only the flush fails.
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    return null;
  } catch (error) {
    // SQLite has its files open, so a folder that is missing now was deleted.
    if (systemCode(error) === 'ENOENT') return storageError('gone', error);
    return fromFileSystem(error);
  } finally {
    try {
      rmSync(file, { force: true });
    } catch {
      // The next probe removes it.
    }
  }
};

/** Whether the folder's disk gives locks: one on a new file must succeed. True when that cannot be tried. */
export const keepsLocks = (folder: string): boolean => {
  const file = join(folder, `probe-${process.pid}.lock`);
  try {
    rmSync(file, { force: true });
    const held = lockOn(file, 0, 'BEGIN EXCLUSIVE');
    held?.close();
    return held !== null;
  } catch {
    return true;
  } finally {
    try {
      rmSync(file, { force: true });
    } catch {
      // It could not be made either.
    }
  }
};

/** More than SQLite opens at once: database, log, index of the log, journal, folder. */
const spareHandles = 8;

/**
 * After SQLite could not open a file: it needs several handles at once and closes them again, so one is free for the
 * probe. Null when there are enough.
 */
export const handlesFault = (folder: string): AppError | null => {
  const held: number[] = [];
  try {
    while (held.length < spareHandles) held.push(openSync(folder, 'r'));
    return null;
  } catch (error) {
    return fromHandles(error);
  } finally {
    held.forEach(closeSync);
  }
};

/**
 * A connection that holds a lock on this file until it is closed; null while another has it. Throws what the file
 * system or SQLite reports.
 */
export const lockOn = (file: string, patienceMs: number, begin: string): DatabaseSync | null => {
  let sqlite: DatabaseSync | null = null;
  try {
    createPrivate(file);
    // An import would load SQLite for `help`, too.
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    sqlite = new DatabaseSync(file, { timeout: patienceMs });
    // No journal on the disk: nothing is ever written under this lock.
    sqlite.exec(`PRAGMA journal_mode = MEMORY; ${begin}`);
    return sqlite;
  } catch (error) {
    sqlite?.close();
    if (isStorageBusy(error)) return null;
    throw error;
  }
};

/**
 * Paths of the databases that are open here, one for each connection. With POSIX locks, closing any descriptor of a file
 * frees every lock that this process has on it (fcntl(2)): a second engine could start, and the log of the ledger could
 * be removed under its writer. So nothing else here opens such a file, whatever name it is given by.
 */
const databases: string[] = [];

/** The log and its index have locks, too. */
const endings = ['', '-wal', '-shm'];

/** Returns the undo, for when SQLite has closed it. */
export const holdLocks = (file: string): (() => void) => {
  databases.push(file);
  return () => {
    const at = databases.indexOf(file);
    if (at !== -1) databases.splice(at, 1);
  };
};

export const hasLocksHere = ({ dev, ino }: { dev: bigint; ino: bigint }): boolean =>
  databases.some((file) =>
    endings.some((ending) => {
      try {
        const stats = statSync(file + ending, { bigint: true, throwIfNoEntry: false });
        return stats?.ino === ino && stats.dev === dev;
      } catch {
        return false;
      }
    }),
  );

/** Only when it is missing: closing it would free its locks. */
const createPrivate = (file: string): void => {
  if (existsSync(file)) return;
  try {
    // For `existsSync` a link that leads nowhere does not exist; `wx` does not follow it.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(file)) throw error;
  }
};

const SQLITE_BUSY = 5;

/** Whether SQLite reports that another connection has the lock. */
export const isStorageBusy = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  (error.errcode & 0xff) === SQLITE_BUSY;

/**
 * Reads the whole file. Returns the fault of the disk; null when every byte can be read. Only for a file that this
 * process has not opened or is giving up: closing it drops the POSIX locks of this process.
 */
export const readingFault = (file: string): AppError | null => {
  try {
    const handle = openSync(file, 'r');
    try {
      const piece = Buffer.allocUnsafe(readBytes);
      while (readSync(handle, piece) > 0);
      return null;
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    const fault = fromFileSystem(error);
    return fault?.storage === 'failed' || fault?.storage === 'handles' ? fault : null;
  }
};

/** `onLinux`: the remedy there. Other systems have other commands, or none. */
export const moreHandles = (platform: NodeJS.Platform, onLinux: string): string =>
  platform === 'linux' ? onLinux : 'Close programs that have many files open, then start Outtray again.';

/** Node's own report is the only place that shows the limit without a file handle. */
const handleLimit = (): string => {
  // Otherwise the report looks up the names of all connected hosts. (Node 22.)
  Reflect.set(process.report, 'excludeNetwork', true);
  const report: unknown = process.report.getReport();
  const limits = property(report, 'userLimits');
  const soft = property(property(limits, 'open_files'), 'soft');
  return typeof soft === 'number' || typeof soft === 'string' ? String(soft) : '(unknown number of)';
};

const property = (thing: unknown, name: string): unknown =>
  typeof thing === 'object' && thing !== null ? Reflect.get(thing, name) : undefined;
