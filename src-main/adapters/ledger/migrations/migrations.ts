// The steps from the first shipped ledger (version 22) to today's. How to add a step: .github/CONTRIBUTING.md; why it
// is done this way: resources/docs/design/decisions.md.
import { accounts } from './accounts.ts';
import { existingFiles } from './existing-files.ts';
import { naturalOrderSteps } from './natural-order.ts';
import { runFiles } from './run-files.ts';
import { storedNames } from './stored-names.ts';
import { unwanted } from './unwanted.ts';
import { wantedEnds } from './wanted-ends.ts';
import { watchedLinks } from './watched-links.ts';
import { whatWasThere } from './what-was-there.ts';

export type Migration = {
  /** `PRAGMA user_version` of the ledger afterwards. */
  version: number;
  /**
   * SQL, one statement each. Views and triggers do not exist meanwhile: a step that changes what `files` shows writes
   * `files` and `files_text` as well. The text is final once it shipped, so it uses nothing from schema.ts.
   */
  statements: readonly string[];
};

/** A ledger of an earlier version was never shipped, so it is set aside. */
export const firstVersion = 22;

/** One line each, in order, without a gap. The second of two authors takes the next number: nothing else names it. */
export const migrations: readonly Migration[] = [
  { version: 23, statements: storedNames },
  // The views show files of others whose id is above 2^53.
  { version: 24, statements: [] },
  { version: 25, statements: runFiles },
  { version: 26, statements: naturalOrderSteps },
  { version: 27, statements: watchedLinks },
  { version: 28, statements: whatWasThere },
  { version: 29, statements: accounts },
  {
    version: 30,
    statements: [
      `CREATE INDEX uploads_id_taken ON uploads (account, file_id) WHERE id_taken_at_ms IS NOT NULL`,
      `ALTER TABLE uploads DROP COLUMN dead_at_ms`,
    ],
  },
  { version: 31, statements: unwanted },
  { version: 32, statements: existingFiles },
  { version: 33, statements: wantedEnds },
  {
    version: 34,
    statements: [
      `ALTER TABLE remote_files ADD COLUMN sha256 TEXT`,
      `ALTER TABLE remote_files ADD COLUMN size_bytes INTEGER`,
      `CREATE INDEX remote_imported ON remote_files (size_bytes) WHERE sha256 IS NOT NULL`,
    ],
  },
  // The triggers keep the row of a file that got the id of an earlier one.
  { version: 35, statements: [] },
  {
    version: 36,
    statements: [
      `CREATE INDEX uploads_unread_no ON uploads (size_bytes, id) WHERE state = 'skipped' AND sha256 IS NULL AND present = 1
         AND detail ->> 'rule' IN ('cancelled', 'expired')`,
    ],
  },
];

/** `PRAGMA user_version` of a new ledger. */
export const schemaVersion = migrations.at(-1)?.version ?? firstVersion;
