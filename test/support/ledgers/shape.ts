// The schema of a ledger as text that can be compared: each table, index, trigger and view under its name, without
// comments, white space and the quotes that ALTER TABLE puts around names.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';

/** The schema that version 22 made. It shipped, so the file never changes. */
export const schema22File = path.join(import.meta.dirname, 'schema-22.sql');
/** Today's schema. Recorded by OUTTRAY_RECORD_SCHEMA=1 with test/adapters/ledger-migrations.test.ts. */
export const schemaFile = path.join(import.meta.dirname, 'schema.sql');

export const shapeOf = (sqlite: DatabaseSync): Record<string, string> =>
  Object.fromEntries(
    sqlite
      .prepare(
        "SELECT type, name, coalesce(sql, 'made by SQLite') AS sql FROM sqlite_schema ORDER BY type, name",
      )
      .all()
      .map(({ type, name, sql }) => [`${String(type)} ${String(name)}`, plain(String(sql))]),
  );

const plain = (sql: string): string =>
  sql
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\s*([(),])\s*/g, '$1')
    .trim();

/** A ledger of version 22, without rows. */
export const writeLedger22 = (file: string): void => {
  const sqlite = new DatabaseSync(file);
  sqlite.exec(`PRAGMA journal_mode = WAL; ${readFileSync(schema22File, 'utf8')}; PRAGMA user_version = 22`);
  sqlite.close();
};

/** The versions with a fixture, the oldest first. */
export const shippedVersions: readonly number[] = readdirSync(import.meta.dirname)
  .flatMap((name) => /^ledger-(\d+)\.sqlite\.gz$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b);

const fixture = (version: number, end: string): Buffer =>
  readFileSync(path.join(import.meta.dirname, `ledger-${version}.${end}`));

/** A ledger that this version made (make.ts), with a row in every state and table. */
export const writeShipped = (file: string, version: number): void => {
  writeFileSync(file, gunzipSync(fixture(version, 'sqlite.gz')), { mode: 0o600 });
};

/** What that version answered (answers.ts). */
export const answersThen = (version: number): Record<string, unknown> =>
  JSON.parse(fixture(version, 'json').toString()) as Record<string, unknown>;
