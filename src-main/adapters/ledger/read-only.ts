// A ledger on a disk that is full, read-only or without locks, or that this account may only read.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { keepsLocks, withoutLocks } from '../system/storage.ts';
import { openInPlace, type Database } from './database.ts';
import { toLedgerError } from './faults.ts';
import { createHealth, watched } from './health.ts';
import { assemble, openLedger, refuseNewer, type LedgerOptions, type OpenLedger } from './ledger.ts';
import { versionOf } from './migrate.ts';
import { schemaVersion } from './migrations/migrations.ts';
import { openWitness } from './witness.ts';

/** As `openLedger`; a ledger that cannot be written or locked is opened for reading, and nothing is made beside it. */
export const openLedgerToRead = (options: LedgerOptions): OpenLedger => {
  try {
    return openLedger(options);
  } catch (error) {
    const why = whyUnwritable(error, options.file);
    if (why === null) throw error;
    return readOnly(options, why, { hasLocks: why === error });
  }
};

const whyUnwritable = (error: unknown, file: string): AppError | null => {
  if (!(error instanceof AppError) || !existsSync(file)) return null;
  switch (error.storage) {
    case 'full':
    case 'read-only':
    case 'refused':
    case 'failed':
      return error;
    case 'locked':
      return keepsLocks(dirname(file)) ? null : withoutLocks(error);
    default:
      return null;
  }
};

const readOnly = ({ file, nowMs }: LedgerOptions, why: AppError, disk: { hasLocks: boolean }): OpenLedger => {
  const health = createHealth();
  health.failed(why);
  const explain = (error: unknown): AppError => {
    const known = toLedgerError(error);
    return known.storage === 'refused' ? why : known;
  };
  const witness = watched(openWitness(file), health);
  let database: Database | null = null;
  try {
    database = openInPlace(file, explain, disk);
    refuseNewer(database, file);
    const version = versionOf(database);
    if (version !== schemaVersion) throw version === 0 ? why : notUpdated(why);
    return assemble({ database, updatedFrom: null, witness, health, file, nowMs, unwritable: why });
  } catch (error) {
    database?.close();
    // A damaged ledger is set aside once the disk can be written.
    throw toLedgerError(error).storage === undefined ? error : why;
  }
};

const notUpdated = (why: AppError): AppError =>
  new AppError(
    why.code,
    `The ledger is from an earlier version of Outtray, and cannot be updated. ${why.message}`,
    why.remedy,
    { cause: why },
  );

/** The ledger opened only for reading; null where it can be written, or not even read: the first fault is thrown. */
export const openUnwritable = (options: LedgerOptions): OpenLedger | null => {
  try {
    const ledger = openLedgerToRead(options);
    if (ledger.unwritable !== null) return ledger;
    ledger.close();
  } catch {
    // The caller throws the fault that came first.
  }
  return null;
};
