// The table that Files shows follows every change of an upload and of a file of the account.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openLedger } from '../../src-main/adapters/ledger/ledger.ts';
import { isFound, searchWords } from '../../src-main/contract/search.ts';
import type { FileId } from '../../src-main/contract/text/file-id.ts';
import type { Ledger } from '../../src-main/engine/ports/ledger.ts';
import {
  addUploaded,
  errorOf,
  firstPage,
  memoryLedger,
  NOON_MS,
  openFor,
  stampOf,
  temporaryFolder,
  type Query,
} from './ledger-fixtures.ts';
import { isDeep } from '../support/deep.ts';

const pageOf = (ledger: Ledger, query: Partial<Query> = {}) =>
  ledger.views.page({ ...firstPage, limit: 1_000, ...query });

const names = (ledger: Ledger, query: Partial<Query> = {}) =>
  pageOf(ledger, query).rows.map(({ name }) => name);

const change = fc.record({
  kind: fc.constantFrom('upload', 'saw', 'saw', 'supersede', 'leave', 'delete', 'lose', 'remove', 'undo'),
  which: fc.nat(5),
  downloads: fc.nat(3),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const ids: FileId[] = [1, 2, 3, Number.MAX_SAFE_INTEGER, '9007199254740993', '9223372036854775807'];

/** The account list may show each before our upload of it, after it, or never. */
const apply = (ledger: Ledger, { kind, which, downloads }: Change, step: number): void => {
  const fileId = ids[which] ?? 1;
  const atMs = NOON_MS + step;
  const ours = ledger.uploads.byFileId(fileId);
  switch (kind) {
    case 'upload':
      if (ours === null) addUploaded(ledger, { name: `holiday ${step}`, dir: `/tray/${step}`, fileId, atMs });
      return;
    case 'saw':
      ledger.remote.saw(
        1,
        [
          {
            file_id: fileId,
            filename: `Seen ${which}`,
            download_count: downloads,
            upload_date: `2026-03-0${1 + which} 12:00:00`,
          },
        ],
        atMs,
      );
      return;
    case 'supersede':
      if (ours !== null)
        ledger.uploads.update(ours.id, { state: { kind: 'superseded', byId: null }, present: false }, atMs);
      return;
    case 'leave':
      if (ours !== null) ledger.uploads.update(ours.id, { present: false }, atMs);
      return;
    case 'delete':
      ledger.remote.markGone(fileId);
      return;
    case 'lose':
      for (const unseen of ledger.remote.unseen(atMs - 2)) ledger.remote.markGone(unseen);
      return;
    case 'remove':
      ledger.remote.removeGone([fileId]);
      return;
    case 'undo':
      errorOf(() =>
        ledger.atomically(() => {
          apply(ledger, { kind: 'upload', which, downloads }, step);
          apply(ledger, { kind: 'delete', which, downloads }, step);
          ledger.uploads.update(-1, {}, atMs);
        }),
      );
  }
};

test('after any changes the table matches uploads and account, and its trigrams find it', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 10, maxLength: 30 }), (changes) => {
      const file = path.join(temporaryFolder(), 'ledger.sqlite');
      const ledger = openLedger({ file, nowMs: () => NOON_MS, pragma: 'PRAGMA synchronous = OFF' });
      for (const [step, one] of changes.entries()) apply(ledger, one, step);
      const raw = new DatabaseSync(file, { readOnly: true });
      const all = (sql: string) => {
        const statement = raw.prepare(sql);
        statement.setReadBigInts(true);
        return statement.all();
      };
      const wanted = all('SELECT * FROM our_files UNION ALL SELECT * FROM other_files ORDER BY 1');
      const listed = wanted.filter((row) => !Object.values(row).includes('removed'));
      expect(all('SELECT * FROM files ORDER BY id').map(Object.values)).toEqual(wanted.map(Object.values));
      const texts = all('SELECT rowid AS id FROM files_text ORDER BY rowid');
      expect(texts.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
      raw.close();
      const { rows } = pageOf(ledger);
      expect(rows).toHaveLength(listed.length);
      for (const search of ['holiday', 'see', 'en 1', 'download/t3']) {
        const found = rows.filter((row) => isFound(row, searchWords(search)));
        expect(pageOf(ledger, { search })).toMatchObject({ rows: found, total: found.length });
      }
      ledger.close();
    }),
    { numRuns: isDeep ? 60 : 15 },
  );
});

test('a change recorded by one process is listed in another', () => {
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  const first = openFor(file);
  const beside = openFor(file);
  addUploaded(first, { name: 'a', fileId: 1 });
  expect(names(beside)).toEqual(['a']);
  addUploaded(first, { name: 'b', fileId: 2, atMs: NOON_MS + 1 });
  first.close();
  expect(names(beside, { search: 'b' })).toEqual(['b']);
  expect(names(beside)).toEqual(['b', 'a']);
});

test('files of the same moment stand in the order in which the service numbered them', () => {
  const ledger = memoryLedger();
  const upload_date = '2026-03-10 12:00:00';
  ledger.remote.saw(
    1,
    [5, 7, 6].map((file_id) => ({ file_id, filename: `n${file_id}`, upload_date })),
    NOON_MS,
  );
  expect(names(ledger)).toEqual(['n7', 'n6', 'n5']);
  expect(names(ledger, { descending: false })).toEqual(['n5', 'n6', 'n7']);
});

test('on a full disk the list can still be read', () => {
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  const ledger = openLedger({ file, nowMs: () => NOON_MS, pragma: 'PRAGMA max_page_count = 150' });
  addUploaded(ledger, { name: 'early', fileId: 1 });
  const fault = errorOf(() => {
    for (let at = 0; at < 500; at += 1)
      ledger.entries.add(null, 'x'.repeat(3_000), { kind: 'gone' }, NOON_MS);
  });
  expect(fault.code).toBe('disk');
  expect(
    errorOf(() => addUploaded(ledger, { name: 'late', fileId: 2, stamp: stampOf(9, 'x'.repeat(5_000)) }))
      .code,
  ).toBe('disk');
  expect(names(ledger)).toEqual(['early']);
  expect(names(ledger, { search: 'earl' })).toEqual(['early']);
  expect(ledger.views.newestLinks(3).map(({ name }) => name)).toEqual(['early']);
  ledger.close();
});

test('wildcards are literal, and a NUL in a name of the service hides nothing behind it', () => {
  const ledger = memoryLedger();
  ledger.remote.saw(
    1,
    ['100%_done', '100x done', String.raw`back\slash`, 'before\0shown'].map((filename, at) => ({
      file_id: at + 1,
      filename,
    })),
    NOON_MS,
  );
  for (const sort of ['uploaded', 'name'] as const) {
    expect(names(ledger, { sort, search: '100%_' })).toEqual(['100%_done']);
    expect(names(ledger, { sort, search: '_' })).toEqual(['100%_done']);
    expect(names(ledger, { sort, search: String.raw`k\s` })).toEqual([String.raw`back\slash`]);
    expect(names(ledger, { sort, search: '\\' })).toEqual([String.raw`back\slash`]);
    expect(names(ledger, { sort, search: 'SHOWN' })).toEqual(['before\0shown']);
    expect(names(ledger, { sort, search: 'e\0s' })).toEqual(['before\0shown']);
  }
});

test('files with the smallest and the largest possible ids can be listed', () => {
  const ledger = memoryLedger();
  ledger.remote.saw(
    1,
    [
      { file_id: 1, filename: 'first' },
      { file_id: Number.MAX_SAFE_INTEGER, filename: 'last number' },
      { file_id: '9007199254740992', filename: 'first text' },
      { file_id: '9223372036854775807', filename: 'last text' },
    ],
    NOON_MS,
  );
  const all = ['first', 'first text', 'last number', 'last text'];
  expect(names(ledger).toSorted()).toEqual(all);
  const found: string[] = [];
  for (let after: string | null = null, next = true; next; next = after !== null) {
    const page = ledger.views.page({ ...firstPage, limit: 1, after });
    found.push(...page.rows.map(({ name }) => name));
    after = page.next;
  }
  expect(found.toSorted()).toEqual(all);
  expect(names(ledger, { search: '9223372036854775807' })).toEqual(['last text']);
  ledger.remote.markGone('9223372036854775807');
  expect(ledger.remote.byId('9223372036854775807')).toMatchObject({
    file_id: '9223372036854775807',
    gone: true,
  });
  expect(ledger.remote.removeGone(['9223372036854775807', '9007199254740992'])).toBe(1);
  expect(names(ledger).toSorted()).toEqual(all.filter((name) => name !== 'last text'));
});
