// Updates a ledger of an earlier version to today's schema: all pending migrations in one transaction, so that a crash
// leaves the old ledger or the new one. Foreign keys have to be off, because a step may rebuild a table under the same
// name (sqlite.org/lang_altertable.html, "Making Other Kinds Of Table Schema Changes"); they are checked at the end.
import { wording } from '../../contract/text/wording.ts';
import { AppError } from '../../contract/errors.ts';
import { number, text, type Database } from './database.ts';
import { migrations as all, schemaVersion, type Migration } from './migrations/migrations.ts';
import { viewsAndTriggers } from './schema.ts';

export const versionOf = (database: Database): number => number(database.value('PRAGMA user_version'));

/**
 * Returns the version from which it updated; null when it did not. `keep` writes a copy of the ledger before the first
 * step and returns its path; null: no copy is kept. Throws `ledger` or `disk`; the ledger is then unchanged.
 */
export const migrate = (
  database: Database,
  keep: ((version: number) => string) | null,
  migrations: readonly Migration[] = all,
): number | null => {
  if (!isOlderSchema(versionOf(database))) return null;
  let copy: string | null = null;
  try {
    return database.atomically(() => {
      // Another process may have migrated it first.
      const before = versionOf(database);
      if (!isOlderSchema(before)) return null;
      copy = keep?.(before) ?? null;
      dropViewsAndTriggers(database);
      for (const { version, statements } of migrations) {
        if (version > before) for (const statement of statements) database.exec(statement);
      }
      database.exec(viewsAndTriggers);
      if (database.get('PRAGMA foreign_key_check') !== undefined) throw broken('a row refers to none');
      database.exec(`PRAGMA user_version = ${schemaVersion}`);
      return before;
    });
  } catch (error) {
    throw unchanged(error, copy);
  }
};

/** 0 is a file without tables. */
export const isOlderSchema = (version: number): boolean => version > 0 && version < schemaVersion;

const dropViewsAndTriggers = (database: Database): void => {
  const found = database.all("SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view')");
  for (const { type, name } of found) database.exec(`DROP ${text(type)} "${text(name)}"`);
};

const broken = (why: string): AppError =>
  new AppError('internal', `The ledger’s migration failed its check: ${why}.`, 'Please report it.');

const unchanged = (error: unknown, copy: string | null): unknown => {
  if (!(error instanceof AppError)) return error;
  const kept = copy === null ? '' : ` A copy of it is ${copy}.`;
  return new AppError(
    error.storage === undefined ? 'ledger' : error.code,
    `The ledger could not be updated for this version of Outtray: ${error.message}`,
    wording`${error.remedy} The ledger is as it was, and nothing is uploaded.${kept}`,
    { ...(error.storage === undefined ? {} : { storage: error.storage }), cause: error },
  );
};
