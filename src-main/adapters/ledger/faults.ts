// The one place that turns what SQLite and the file system say into the program's own error.
// SQLite's result codes: https://sqlite.org/rescode.html; the low byte of an extended code is the primary one.
import { AppError } from '../../contract/errors.ts';

const CONSTRAINT = 19;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

const primaryCode = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null;

export const isDamage = (error: unknown): boolean => {
  const code = primaryCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
};

/** What any failure of the ledger means to the rest of the program; an AppError passes through. */
export const toLedgerError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  const code = primaryCode(error);
  return code === null ? fromFileSystem(error) : fromSqlite(code, error);
};

const fromSqlite = (code: number, cause: unknown): AppError => {
  const said = cause instanceof Error ? cause.message : String(cause);
  switch (code) {
    case CORRUPT:
    case NOT_A_DATABASE:
      return new AppError(
        'ledger',
        'The ledger, the file in which Outtray records its uploads, is damaged.',
        'Start Outtray again: it sets the damaged file aside, keeps it, and holds what may have been uploaded.',
        { cause },
      );
    case 5: // BUSY: the busy timeout has passed
    case 6: // LOCKED
      return new AppError(
        'ledger',
        'Another program has kept the ledger locked.',
        'Close programs that have the data folder open (a backup, a database viewer) and try again.',
        { cause },
      );
    case 3: // PERM
    case 8: // READONLY
    case 14: // CANTOPEN
    case 23: // AUTH
      return new AppError(
        'ledger',
        'The ledger cannot be opened for writing.',
        'Make the data folder and the files in it writable for your account.',
        { cause },
      );
    case 13: // FULL
      return full(cause);
    case 10: // IOERR
      return new AppError(
        'disk',
        `The disk with the data folder failed (${said}).`,
        'Check the disk and its connection, then start Outtray again.',
        { cause },
      );
    case CONSTRAINT:
      return new AppError(
        'internal',
        `The ledger refused a record that breaks its rule: ${said.replace(/^constraint failed:? ?/i, '')}.`,
        'Please report it.',
        { cause },
      );
    default:
      return new AppError('internal', `The ledger met a fault: ${said}.`, 'Please report it.', { cause });
  }
};

const full = (cause: unknown): AppError =>
  new AppError(
    'disk',
    'The disk with the data folder is full.',
    'Free some space; nothing is sent until its outcome can be recorded.',
    { cause },
  );

const fromFileSystem = (error: unknown): AppError => {
  const said = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return full(error);
    case 'EIO':
      return new AppError(
        'disk',
        `The disk with the data folder failed (${said}).`,
        'Check the disk and its connection, then start Outtray again.',
        { cause: error },
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'EBUSY':
    case 'EEXIST':
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EISDIR':
      return new AppError(
        'ledger',
        `The ledger cannot be opened for writing (${said}).`,
        'Make the data folder and the files in it writable for your account.',
        { cause: error },
      );
    default:
      return new AppError('internal', `The ledger met a fault: ${said}.`, 'Please report it.', {
        cause: error,
      });
  }
};
