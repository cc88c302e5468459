import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src-main/adapters/ledger/database.ts';
import { toLedgerError } from '../../src-main/adapters/ledger/faults.ts';
import { migrate } from '../../src-main/adapters/ledger/migrate.ts';
import {
  firstVersion,
  migrations,
  schemaVersion,
} from '../../src-main/adapters/ledger/migrations/migrations.ts';
import { tables } from '../../src-main/adapters/ledger/schema.ts';
import { schemaFile, shapeOf, writeLedger22 } from '../support/ledgers/shape.ts';
import { errorOf, firstPage, openFor, temporaryFolder } from './ledger-fixtures.ts';

const reading = (file: string): DatabaseSync => {
  const sqlite = new DatabaseSync(file);
  onTestFinished(() => {
    if (sqlite.isOpen) sqlite.close();
  });
  return sqlite;
};

const memory = (sql: string): DatabaseSync => {
  const sqlite = reading(':memory:');
  sqlite.exec(sql);
  return sqlite;
};

const shapeIn = (file: string): Record<string, string> => shapeOf(reading(file));

const versionIn = (file: string): unknown => {
  const sqlite = reading(file);
  const version = sqlite.prepare('PRAGMA user_version').get()?.['user_version'];
  sqlite.close();
  return version;
};

const old = (): string => {
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  writeLedger22(file);
  return file;
};

/** Of a table that a later step rebuilds. */
const beforeRebuilt = 'CREATE INDEX files_order';

describe('the schema', () => {
  test('of a ledger of version 22 after all migrations is that of a new ledger', () => {
    const updated = old();
    openFor(updated).close();
    const fresh = path.join(temporaryFolder(), 'ledger.sqlite');
    openFor(fresh).close();
    // Whatever differs was changed in schema.ts without a migration, or the other way round.
    expect(shapeIn(updated)).toEqual(shapeIn(fresh));
    expect([versionIn(updated), versionIn(fresh)]).toEqual([schemaVersion, schemaVersion]);
  });

  test('reveals the loss of any statement of a migration, with its effect on the rows', () => {
    const withRows = (): string => {
      const file = old();
      const sqlite = reading(file);
      for (const [at, name] of ['doc 10', 'doc 2', 'notes', '007', '0', 'v1.20.3'].entries()) {
        sqlite.exec(`INSERT INTO remote_files (file_id, first_seen_at_ms, seen_at_ms, gone, filename, name_key, at_ms)
          VALUES (${at + 1}, 1, 1, 0, '${name}', '${name}', 1)`);
      }
      sqlite.exec(`INSERT INTO dirs VALUES (1, 0, '/d');
        INSERT INTO entries VALUES (1, 1, 1, '/d/1', '{"kind":"watch-set","isWatched":true}');
        INSERT INTO entries VALUES (2, 2, 2, '/d/2', '{"kind":"watch-set","isWatched":false}');
        INSERT INTO facts VALUES ('agent-requests', '[]', 1), ('service', '"https://files.example/api/v1"', 1);`);
      // Followed; read back; read again and again with a finding, and without one.
      for (const id of [1, 2, 3, 4]) {
        sqlite.exec(`INSERT INTO uploads (id, folder, dir_id, present, state, priority, name, name_key, attempts, confirmed,
            grace_over, door, created_at_ms, changed_at_ms)
          VALUES (${id}, 0, 1, 1, 'uploaded', 0, '${id}', '${id}', 1, 0, 1, 'hand', 5, 5)`);
      }
      sqlite.exec(`UPDATE uploads SET state = 'sending', detail = '{"attemptId":1}' WHERE id = 4;
        INSERT INTO facts VALUES ('cancel', '[4]', 1)`);
      // Cancelled after its answer was lost; one of them was changed since, and its new content was read.
      sqlite.exec(`INSERT INTO uploads (id, folder, dir_id, present, state, bucket, priority, name, name_key, detail, attempts,
          confirmed, grace_over, door, created_at_ms, changed_at_ms, mtime_ms, sha256)
        VALUES (5, 0, 1, 1, 'skipped', 'skipped', 0, '5', '5', '{"rule":"cancelled"}', 1, 0, 1, 'hand', 5, 5, 4, 'sent'),
          (6, 0, 1, 1, 'skipped', 'skipped', 0, '6', '6', '{"rule":"cancelled"}', 1, 0, 1, 'hand', 5, 9, 9, 'new');
        INSERT INTO attempts (id, upload_id, permit_id, sent_name, size_bytes, started_at_ms, outcome)
        VALUES (1, 5, 1, '5', 1, 5, 'created'), (2, 5, 1, '5', 1, 5, 'uncertain'), (3, 6, 1, '6', 1, 5, 'uncertain')`);
      // An end by a ceiling, set while the clock was ahead.
      sqlite.exec(`UPDATE uploads SET uploaded_at_ms = 5, ends_at_ms = 20, ends_proven_ms = 17, expire_wish = '"never"' WHERE id = 3;
        UPDATE uploads SET uploaded_at_ms = 5, ends_at_ms = 20, ends_proven_ms = 17 WHERE id = 2`);
      sqlite.exec(`INSERT INTO followed VALUES (1, 6, 7, 3, 1, 1), (2, 8, NULL, 0, 0, 0);
        INSERT INTO proofs VALUES (2, 0, 9, 2, NULL, NULL), (3, 1, 10, 0, 'gone', 11), (4, 1, 12, 0, 'right', 13)`);
      sqlite.close();
      return file;
    };
    const rowsOf = (file: string, table: string): unknown => {
      try {
        return reading(file).prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all();
      } catch {
        return null;
      }
    };
    const told = (file: string): unknown => ({
      shape: shapeIn(file),
      rows: ['uploads', 'files', 'remote_files', 'accounts', 'watched', 'entries', 'facts'].map((table) =>
        rowsOf(file, table),
      ),
    });
    const updated = withRows();
    const ledger = openFor(updated);
    const byName = ledger.views.page({ ...firstPage, sort: 'name', descending: false }).rows;
    expect(byName.map(({ name }) => name)).toEqual(['0', '007', 'doc 2', 'doc 10', 'notes', 'v1.20.3']);
    ledger.close();
    const today = told(updated);
    const at = (since_ms: number, next_ms: number | null, tries: number) => ({ since_ms, next_ms, tries });
    expect(reading(updated).prepare('SELECT * FROM watched ORDER BY upload_id, what').all()).toEqual([
      { upload_id: 1, what: 'downloads', ...at(6, 7, 1), told: 3, told_at_ms: 6 },
      { upload_id: 2, what: 'content', ...at(5, 9, 2), told: null, told_at_ms: null },
      { upload_id: 2, what: 'downloads', ...at(8, 0, 0), told: 0, told_at_ms: null },
      { upload_id: 3, what: 'content', ...at(5, null, 0), told: 'gone', told_at_ms: 11 },
    ]);
    const cancelled = reading(updated).prepare('SELECT detail FROM uploads WHERE id = 4').get();
    expect(cancelled?.['detail']).toBe('{"attemptId":1,"isUnwanted":true}');
    const lost = reading(updated)
      .prepare('SELECT state, detail, sha256 FROM uploads WHERE id IN (5, 6)')
      .all();
    const asked = { state: 'held', detail: '{"reason":"uncertain"}' };
    expect(lost).toEqual([
      { ...asked, sha256: 'sent' },
      { ...asked, sha256: null },
    ]);
    const { ends_at_ms, uploaded_proven_ms } =
      reading(updated).prepare('SELECT * FROM uploads WHERE id = 3').get() ?? {};
    expect([ends_at_ms, uploaded_proven_ms]).toEqual([null, 2]);
    // The folder whose rule it was may be forgotten, or the file moved out of it.
    const other = reading(updated)
      .prepare('SELECT ends_at_ms, ends_proven_ms FROM uploads WHERE id = 2')
      .get();
    expect(other).toEqual({ ends_at_ms: 20, ends_proven_ms: 17 });
    // A later step rebuilds this table.
    const needless = ['DROP INDEX files_name'];
    const all = migrations.flatMap(({ statements }) => statements);
    for (const lost of all.filter((sql) => !needless.includes(sql) && !sql.startsWith(beforeRebuilt))) {
      const file = withRows();
      const database = openDatabase(file, toLedgerError);
      const without = migrations.map(({ version, statements }) => ({
        version,
        statements: statements.filter((sql) => sql !== lost),
      }));
      // Without a column the statements after it fail.
      try {
        migrate(database, null, without);
      } catch (error) {
        expect(error).toMatchObject({ code: 'ledger' });
      }
      database.close();
      expect(told(file), lost).not.toEqual(today);
    }
  });

  test('reveals the loss of a column in any table', () => {
    const sqlite = memory(tables);
    const before = shapeOf(sqlite);
    const lastColumns = sqlite
      .prepare(
        `SELECT t.name AS holder, c.name AS name, max(c.cid) FROM pragma_table_list t JOIN pragma_table_info(t.name) c
         WHERE t.type = 'table' AND t.schema = 'main' AND t.name NOT LIKE 'sqlite_%' GROUP BY t.name`,
      )
      .all();
    expect(lastColumns.length).toBeGreaterThan(15);
    for (const { holder, name } of lastColumns) {
      // Some are in a key, and can be renamed only.
      sqlite.exec(`BEGIN; ALTER TABLE ${String(holder)} RENAME COLUMN ${String(name)} TO lost`);
      expect(shapeOf(sqlite), `${String(holder)}.${String(name)}`).not.toEqual(before);
      sqlite.exec('ROLLBACK');
    }
  });

  test('with a column that a migration added equals the one that a new ledger is written with', () => {
    const added = memory(tables);
    added.exec('ALTER TABLE attempts ADD COLUMN note TEXT');
    const written = tables.replace(/(CREATE TABLE attempts \([^;]*?)\n\)/, '$1,\n  note TEXT\n)');
    expect(shapeOf(added)).toEqual(shapeOf(memory(written)));
    expect(shapeOf(added)).not.toEqual(shapeOf(memory(tables)));
  });

  test('does not change without a new version, not even a view or a trigger', () => {
    const fresh = path.join(temporaryFolder(), 'ledger.sqlite');
    openFor(fresh).close();
    const now = `-- Version ${schemaVersion}\n${Object.entries(shapeIn(fresh))
      .map(([name, sql]) => `-- ${name}\n${sql};\n`)
      .join('')}`;
    if (process.env['OUTTRAY_RECORD_SCHEMA'] === '1') writeFileSync(schemaFile, now);
    // Add a migration, be it without statements, and record the new schema (test/support/ledgers/shape.ts).
    expect(now).toBe(readFileSync(schemaFile, 'utf8'));
  });

  test('has versions that count up by one: the second of two new migrations takes the next number', () => {
    expect(migrations.map(({ version }) => version)).toEqual(
      migrations.map((_, at) => firstVersion + 1 + at),
    );
  });

  test.each(migrations)('of version $version is reached by one statement at a time', ({ statements }) => {
    // A text of two statements would be two steps that look like one.
    for (const sql of statements) expect(sql.replace(/;\s*$/, '')).not.toContain(';');
  });
});

describe('a migration', () => {
  test('keeps a private copy of the ledger until it is dropped', () => {
    const file = old();
    const sqlite = reading(file);
    sqlite.exec("INSERT INTO facts VALUES ('kept', '1', 1)");
    sqlite.close();
    const ledger = openFor(file);
    const copy = `${file}.version-22`;
    expect(ledger.updatedFrom).toBe(22);
    expect(versionIn(copy)).toBe(22);
    const kept = reading(copy);
    expect(kept.prepare("SELECT value FROM facts WHERE name = 'kept'").get()).toEqual({ value: '1' });
    kept.close();
    if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o600);
    ledger.dropKeptCopy();
    expect(existsSync(copy)).toBe(false);
    ledger.close();
    expect(openFor(file).updatedFrom).toBeNull();
    expect(existsSync(copy)).toBe(false);
  });

  test('that fails leaves the ledger as it was, and reports where the copy is', () => {
    const file = old();
    const before = shapeIn(file);
    const database = openDatabase(file, toLedgerError);
    database.exec('PRAGMA foreign_keys = OFF');
    const broken = [{ version: 23, statements: ['CREATE TABLE half (a)', 'SELECT broken FROM nowhere'] }];
    const error = errorOf(() => migrate(database, () => '/where/it/is', broken));
    database.close();
    expect(error.code).toBe('ledger');
    expect(error.message).toMatch(/could not be updated for this version.*no such table/);
    expect(error.remedy).toContain('/where/it/is');
    expect([shapeIn(file), versionIn(file)]).toEqual([before, 22]);
  });

  test('that leaves a row with a dangling reference is undone', () => {
    const file = old();
    const database = openDatabase(file, toLedgerError);
    database.exec('PRAGMA foreign_keys = OFF');
    const orphan = 'INSERT INTO followed (upload_id, since_ms, told) VALUES (7, 1, 0)';
    const error = errorOf(() => migrate(database, null, [{ version: 23, statements: [orphan] }]));
    database.close();
    expect(error.message).toMatch(/refers to none/);
    expect(versionIn(file)).toBe(22);
  });

  test('keeps one copy at most, even when an earlier start was killed while it wrote one', () => {
    const file = old();
    for (const end of ['version-21', 'version-22.new', 'version-22']) writeFileSync(`${file}.${end}`, 'x');
    openFor(file).close();
    const left = readdirSync(path.dirname(file)).filter((name) => name.includes('version-'));
    expect(left).toEqual(['ledger.sqlite.version-22']);
    expect(versionIn(`${file}.version-22`)).toBe(22);
  });
});
