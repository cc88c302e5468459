// The one place that turns errors of SQLite and the file system into the program's own error. SQLite's result codes:
// https://sqlite.org/rescode.html; the low byte of an extended code is the primary one.
import { dirname } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { fromFileSystem, probeFolder, handlesFault, readingFault, storageError } from '../system/storage.ts';

const CONSTRAINT = 19;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

const primaryCode = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null;

/** The AppError for any failure of the ledger; an AppError passes through. */
export const toLedgerError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  const code = primaryCode(error);
  return code === null ? (fromFileSystem(error) ?? fault(error)) : fromSqlite(code, error);
};

/**
 * The same for a ledger on a disk: SQLite reports "cannot open", "I/O error" or "corrupt" for a full disk, a read-only
 * one, a failing one and for too few file handles. So the folder itself is probed, and a file counts as damaged only if
 * its every byte can be read. SQLite reports EIO as SQLITE_CORRUPT: vdbe.c, SQLITE_IOERR_CORRUPTFS.
 */
export const explained = (error: unknown, file: string): AppError => {
  const said = toLedgerError(error);
  if (said.storage === undefined || said.storage === 'locked' || said.storage === 'newer') return said;
  const folder = dirname(file);
  const below =
    probeFolder(folder) ??
    (said.storage === 'refused' ? handlesFault(folder) : null) ??
    (said.storage === 'damaged' ? ledgerReadingFault(file) : null);
  // "Refused" is about the probe's own file; SQLite's sentence is about the ledger.
  return below === null || below.storage === 'refused' ? said : below;
};

/** Null when every byte of the ledger can be read. */
export const ledgerReadingFault = (file: string): AppError | null =>
  readingFault(file) ?? readingFault(`${file}-wal`);

const fromSqlite = (code: number, cause: unknown): AppError => {
  switch (code) {
    case CORRUPT:
    case NOT_A_DATABASE:
      return storageError('damaged', cause);
    case 5: // BUSY: the busy timeout has passed
    case 6: // LOCKED
      return storageError('locked', cause);
    case 3: // PERM
    case 8: // READONLY
    case 14: // CANTOPEN
    case 23: // AUTH
      return storageError('refused', cause);
    case 13: // FULL
      return storageError('full', cause);
    case 10: // IOERR
      return storageError('failed', cause);
    case CONSTRAINT:
      return new AppError(
        'internal',
        `The ledger refused a record that breaks its rule: ${textOf(cause).replace(/^constraint failed:? ?/i, '')}.`,
        'Please report it.',
        { cause },
      );
    default:
      return fault(cause);
  }
};

const fault = (cause: unknown): AppError =>
  new AppError('internal', `The ledger failed: ${textOf(cause)}.`, 'Please report it.', { cause });

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
