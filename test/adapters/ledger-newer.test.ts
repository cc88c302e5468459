// Two versions of Outtray on one ledger: the older one never writes into a schema that it does not know.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { troubleText } from '../../src-main/cli/output/typed.ts';
import { schemaVersion } from '../../src-main/adapters/ledger/migrations/migrations.ts';
import type { Ledger } from '../../src-main/engine/ports/ledger.ts';
import { folderContent } from '../support/folder-content.ts';
import { add, errorOf, firstPage, NOON_MS, openFor, temporaryFolder } from './ledger-fixtures.ts';

/** An open ledger, and the connection of a newer version that can change its schema. */
const beside = () => {
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  const ledger = openFor(file);
  add(ledger, { name: 'a' });
  const newer = new DatabaseSync(file);
  onTestFinished(() => newer.close());
  const count = (table: string) => newer.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'];
  return {
    ledger,
    counts: () => ['uploads', 'entries', 'permits', 'facts'].map(count),
    update: (sql = '') =>
      newer.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${schemaVersion + 1}; COMMIT`),
  };
};

const isNewer = { code: 'ledger-newer', storage: 'newer' };

const writes: [string, (ledger: Ledger) => unknown][] = [
  ['a transaction', (ledger) => ledger.atomically(() => add(ledger, { name: 'b' }))],
  ['a row', (ledger) => add(ledger, { name: 'b' })],
  ['a single statement', (ledger) => ledger.facts.set('compactRows', true, NOON_MS)],
  ['a permit, and with it a request', (ledger) => ledger.permits.insert('user', NOON_MS, 'guest:1')],
  ['a removal', (ledger) => ledger.facts.remove('compactRows')],
  ['an entry', (ledger) => ledger.entries.add(null, 'guest:1', { kind: 'queue-opened' }, NOON_MS)],
];

test.each(writes)('%s of an older version is not written after an update by a newer one', (_, write) => {
  const { ledger, counts, update } = beside();
  update();
  const before = counts();
  const error = errorOf(() => write(ledger));
  expect(error).toMatchObject(isNewer);
  expect(troubleText(error)).toMatch(/another version of Outtray; .*Start Outtray again/);
  expect(counts()).toEqual(before);
  expect(ledger.trouble()).toMatchObject(isNewer);
});

test('a query that no longer fits the tables is answered with the reason, not with a fault', () => {
  const { ledger, update } = beside();
  update('ALTER TABLE attempts RENAME COLUMN status TO answer; ALTER TABLE dirs RENAME TO places');
  expect(errorOf(() => ledger.views.page(firstPage))).toMatchObject(isNewer);
});

test('an idle older version detects an update by the check that it makes every few seconds', () => {
  const { ledger, update } = beside();
  let told = 0;
  ledger.onTrouble(() => (told += 1));
  ledger.check();
  expect(ledger.trouble()).toBeNull();
  update();
  ledger.check();
  ledger.check();
  expect(ledger.trouble()).toMatchObject(isNewer);
  expect(told).toBe(1);
});

test('an update waits for a write that has begun, and the next write sees it', () => {
  const { ledger, counts, update } = beside();
  ledger.atomically(() => {
    add(ledger, { name: 'b' });
    expect(() => update()).toThrow(/locked/);
  });
  update();
  const before = counts();
  expect(before[0]).toBe(2);
  expect(errorOf(() => add(ledger, { name: 'c' }))).toMatchObject(isNewer);
  expect(counts()).toEqual(before);
});

/** SQLite writes the index of a log whenever it reads one. */
const contentOf = (folder: string) =>
  Object.entries(folderContent(folder)).filter(([file]) => !file.endsWith('-shm'));

/** A process of a newer version writes the ledger, and ends as `end` says. */
const writeNewer = (file: string, end: string): void => {
  openFor(file).close();
  const script = `
    const sqlite = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(file)});
    sqlite.exec('CREATE TABLE later (a); PRAGMA user_version = ${schemaVersion + 1}');
    ${end}`;
  spawnSync(process.execPath, ['-e', script]);
};

test.each([
  ['was closed', 'sqlite.close()'],
  ['was left by a killed process', "process.kill(process.pid, 'SIGKILL')"],
])('a newer ledger that %s is refused, and nothing beside it is changed', (_, end) => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'ledger.sqlite');
  writeNewer(file, end);
  for (const name of ['ledger.sqlite.version-22', 'ledger.sqlite.suspect', 'ledger.witness'])
    writeFileSync(path.join(folder, name), '9');
  const before = contentOf(folder);
  const error = errorOf(() => openFor(file));
  expect(error.code).toBe('ledger-newer');
  expect(error.message).toMatch(/newer version of Outtray/);
  expect(error.remedy).toMatch(
    /Update Outtray.*export the list with the newer one.*ledger\.sqlite\.version-22/,
  );
  expect(contentOf(folder)).toEqual(before);
});
