// A ledger of every earlier schema, opened by this version: the same rows, the shape of a new one, and the lists that
// read the newest indices.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openLedger } from '../../src-main/adapters/ledger/ledger.ts';
import { migrations } from '../../src-main/adapters/ledger/schema.ts';
import { add, addUploaded, NOON_MS, openFor, states, temporaryFolder, watched } from './ledger-fixtures.ts';

const earlier = migrations.slice(1).map((_, at) => at + 1);

const rowsIn = (file: string) => {
  const raw = new DatabaseSync(file, { readOnly: true });
  const tables = raw
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'listed_text%' ORDER BY name",
    )
    .all();
  const rows = tables.map(({ name }) => [name, raw.prepare(`SELECT * FROM ${String(name)}`).all()]);
  raw.close();
  return Object.fromEntries(rows) as Record<string, Record<string, unknown>[]>;
};

const shapeOf = (file: string) => {
  const raw = new DatabaseSync(file, { readOnly: true });
  const shape = raw.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all();
  const version = raw.prepare('PRAGMA user_version').get();
  const sound = raw.prepare('PRAGMA integrity_check').get();
  raw.close();
  return { shape, version, sound };
};

/** What earlier versions had not, and this one's way of filling needs: on this connection only, not in the file. */
const beside = 'CREATE TEMP TABLE unlisted (id INTEGER PRIMARY KEY) STRICT;';

/** Something in every table, rows of every state; listed with each change, as earlier versions did it. */
const fill = (file: string, version: number): void => {
  const steps = migrations.slice(0, version).map((step, at) => (at === 0 ? step + beside : step));
  const ledger = openLedger({ file, nowMs: () => NOON_MS, steps });
  const folderId = watched(ledger);
  for (const [at, state] of states.entries()) {
    const row = add(ledger, { folderId, name: `${at} ${state.kind}.txt` });
    ledger.uploads.update(row.id, { state, present: state.kind !== 'gone', priority: at % 2 }, NOON_MS + at);
  }
  for (const [at, name] of ['holiday.jpg', 'Holiday 2.jpg', 'other.jpg'].entries())
    addUploaded(ledger, { folderId, name, fileId: 100 + at, atMs: NOON_MS + at });
  const first = ledger.uploads.byId(1);
  if (first === null) throw new Error('There is no first row.');
  const permit = ledger.permits.insert('upload', NOON_MS, 'engine:1');
  ledger.attempts.insert({
    uploadId: first.id,
    permitId: permit.id,
    sentName: first.name,
    sizeBytes: 10,
    startedAtMs: NOON_MS,
  });
  ledger.entries.add(first.id, '/tray/a', { kind: 'queued', sizeBytes: 10 }, NOON_MS);
  ledger.permits.remember({ rate: 48 });
  ledger.remote.saw([{ file_id: 7, filename: 'elsewhere.txt', download_count: 3 }], NOON_MS);
  ledger.facts.set('judged-by', [folderId, 'print'], NOON_MS);
  ledger.uploads.newestLinks(1);
  if (version >= 6)
    ledger.uploads.keepPrint(folderId, '/tray', ledger.uploads.rollOf(folderId, '/tray', false), 'p');
  ledger.close();
};

test.each(earlier)('a ledger of schema %i is opened as it is, in the shape of a new one', (version) => {
  const folder = temporaryFolder();
  const [old, fresh] = [path.join(folder, 'old.sqlite'), path.join(folder, 'fresh.sqlite')];
  fill(old, version);
  expect(shapeOf(old).version).toEqual({ user_version: version });
  const before = rowsIn(old);
  // What is unlisted has just been listed.
  const { unlisted: _, ...others } = before;
  expect(Object.entries(others).filter(([, rows]) => rows.length === 0)).toEqual([]);
  const ledger = openFor(old);
  const isOfDevice = version < 2;
  for (const row of isOfDevice ? (before['uploads'] ?? []) : [])
    row['inode'] = String(row['inode']).replace(/^\d+:/, '');
  const after = rowsIn(old);
  // Counted in other classes: what they come to is asked below.
  expect({ ...after, tally: [] }).toEqual({ prints: [], ...before, unlisted: [], tally: [] });
  const { uploads } = ledger;
  for (const { kind } of states) {
    const rows = (before['uploads'] ?? []).filter((row) => row['state'] === kind);
    expect(uploads.countInState(kind), kind).toBe(rows.length);
  }
  expect((after['tally'] ?? []).map((row) => row['state'])).not.toContain('sending');
  expect(uploads.inState('ready', 9, 'smallest').map((row) => row.name)).toEqual(['1 ready.txt']);
  const query = {
    search: 'holiday',
    place: 'all',
    sort: 'name',
    descending: false,
    after: null,
    limit: 9,
  } as const;
  expect(uploads.page(query).rows.map((row) => row.name)).toEqual(['Holiday 2.jpg', 'holiday.jpg']);
  expect(uploads.counts(1)).toEqual({ uploaded: 4, waiting: 6, held: 2, skipped: 2, failed: 1 });
  openFor(fresh).close();
  expect(shapeOf(old)).toEqual(shapeOf(fresh));
  ledger.close();
});
